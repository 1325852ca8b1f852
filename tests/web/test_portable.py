"""Taking games along through HTTP: downloads for their player only, uploads of every form, refusals without a trace."""

import csv
import io
import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.rules.record import read_game_text
from app.web.archive.portable import EXPORT_MOST
from tests import databases
from tests.conftest import Clock, make_app, new_client
from tests.playthroughs import wins
from tests.web.api import Api, JsonObject
from tests.web.browser import HTMX, OWN_FORM, Browser
from tests.web.reading import read_html
from tests.web.server import ROOT, Server

JSON = {"Content-Type": "application/json"}
TEXT = "pyramid13 game\nrules: endless\ndeal: a\nactions: Kc undo\nresult: open, 2 moves\n"
DOWNLOADS = ["/me/export", "/me/games.csv"]


@pytest.fixture
def game(api: Api) -> JsonObject:
    """A game of the client."""
    return api.act(api.create(seed="a"), "Kc", "6c+7d", "undo")


def counts(folder: Path) -> list[tuple[Any, ...]]:
    query = "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM games), (SELECT count(*) FROM tokens)"
    return databases.rows(folder, query)


def upload(client: httpx2.Client, file: bytes = b"", text: str = "", name: str = "pyramid13.json") -> httpx2.Response:
    """The answer to the import's form; a file that was not chosen is sent empty, as browsers do."""
    return client.post("/me/import", files={"file": (name, file)}, data={"text": text}, headers=OWN_FORM)


def told(client: httpx2.Client, answer: httpx2.Response) -> str:
    """What the page says that an import leads to."""
    assert answer.status_code == 303, answer.text
    return read_html(client.get(answer.headers["location"]).text).one("p", role="status").text


def test_a_game_is_downloaded_as_a_text(client: TestClient, game: JsonObject) -> None:
    answer = client.get(f"/g/{game['id']}/text")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="pyramid13-{game["id"]}.txt"'
    assert answer.headers["cache-control"] == "private, no-store"
    record = read_game_text(answer.text)
    assert (record.result, record.deal.code) == ("open, 3 moves", "a")


def test_the_text_of_a_game_without_an_action_is_a_text_too(client: TestClient, api: Api) -> None:
    answer = client.get(f"/g/{api.create(seed='a')['id']}/text")
    assert read_game_text(answer.text).result == "open, 0 moves"


def test_a_game_that_was_given_up_is_lost_where_its_text_comes_in(
    api: Api, other: TestClient, game: JsonObject
) -> None:
    api.leave(game["id"])
    text = api.client.get(f"/g/{game['id']}/text").text
    assert "result: given up, 3 moves" in text
    assert told(other, upload(other, text.encode(), name="game.txt")) == "One game came in."
    total = other.get("/api/v1/me/records").json()["total"]
    assert (total["played"], total["lost"]) == (1, 1)


def test_a_won_game_on_a_deck_is_downloaded_and_comes_in_elsewhere(api: Api, other: TestClient) -> None:
    win = next(win for win in wins() if win.is_deck)
    won = api.act(api.create(rules=win.rules, deck=win.deal), *win.actions)
    text = api.client.get(f"/g/{won['id']}/text").text
    assert told(other, upload(other, text.encode(), name="game.txt")) == "One game came in."
    (mine,) = json.loads(other.get("/me/export").text)["games"]
    assert (mine["result"], mine["source"]) == (f"won, {len(win.actions)} moves", "imported")
    assert other.get(f"/g/{mine['id']}").status_code == 200


def test_nobody_else_gets_the_text_of_a_game(client: TestClient, other: TestClient, game: JsonObject) -> None:
    unknown = client.get("/g/nothing/text")
    assert other.get(f"/g/{game['id']}/text").text == unknown.text
    assert other.get("/g/nothing/text").status_code == unknown.status_code == 404
    Api(other).create(seed="b")
    assert other.get(f"/g/{game['id']}/text").status_code == 404


def test_the_export_is_a_file_of_everything(client: TestClient, game: JsonObject, clock: Clock) -> None:
    answer = client.get("/me/export")
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="pyramid13.json"'
    assert answer.headers["cache-control"] == "private, no-store"
    found = answer.json()
    assert found["exported_at"] == clock.milliseconds
    assert [one["id"] for one in found["games"]] == [game["id"]]


def test_the_games_are_a_table(client: TestClient, game: JsonObject) -> None:
    answer = client.get("/me/games.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert row == {
        "id": game["id"],
        "rules": "endless",
        "deal": "a",
        "begun": "2027-01-15T08:00:00Z",
        "outcome": "playing",
        "moves": "3",
        "seconds": "0",
        "hints": "0",
        "source": "played",
    }


@pytest.mark.parametrize("path", DOWNLOADS)
@pytest.mark.parametrize("cookie", ["", "x" * 43, "../../etc", "' OR 1=1 --"])
def test_an_unknown_player_has_nothing_to_download(
    client: TestClient, game: JsonObject, path: str, cookie: str
) -> None:
    headers = {"Cookie": f"pyramid_player={cookie}"}
    client.cookies.clear()
    answer = client.get(path, headers=headers)
    assert answer.status_code == 404
    assert game["id"] not in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", DOWNLOADS)
def test_a_download_holds_no_game_of_another_player(other: TestClient, game: JsonObject, path: str) -> None:
    Api(other).create(seed="b")
    answer = other.get(path)
    assert answer.status_code == 200
    assert game["id"] not in answer.text


def test_the_page_stores_nothing_and_sets_no_cookie(client: TestClient, tmp_path: Path) -> None:
    answer = client.get("/me/import")
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert counts(tmp_path) == [(0, 0, 0)]
    assert not read_html(answer.text).all("a", href="/me/export")


def test_a_player_finds_his_downloads_on_the_page(client: TestClient, game: JsonObject) -> None:
    assert game["id"]
    browser = Browser(client)
    page = browser.open("/me/import")
    for link in ("/me/export", "/me/games.csv"):
        assert client.get(page.one("a", href=link)["href"]).status_code == 200


def test_an_export_comes_in_through_the_form_in_a_fresh_installation(
    client: TestClient, game: JsonObject, clock: Clock, tmp_path: Path
) -> None:
    data = client.get("/me/export").content
    with new_client(make_app(tmp_path / "there", clock)) as there:
        answer = upload(there, data)
        assert told(there, answer) == "One game came in."
        assert told(there, upload(there, data)) == "0 games came in; one was here already."
        (brought,) = there.get("/me/export").json()["games"]
        shown = Api(there).show(brought["id"])
        assert {**shown, "id": ""} == {**Api(client).show(game["id"]), "id": ""}


def test_what_is_there_is_not_brought_again(client: TestClient, game: JsonObject, tmp_path: Path) -> None:
    assert game["id"]
    before = counts(tmp_path)
    assert told(client, upload(client, client.get("/me/export").content)) == "0 games came in; one was here already."
    assert counts(tmp_path) == before


def test_a_game_text_is_pasted_into_the_form(client: TestClient) -> None:
    answer = upload(client, text=TEXT.replace("\n", "\r\n"))
    assert told(client, answer) == "One game came in."
    assert len(client.get("/me/export").json()["games"]) == 1


def test_the_visitor_becomes_a_player_with_a_cookie_and_the_settings_of_the_export(client: TestClient) -> None:
    client.post("/settings", data={"suits": "four"}, headers=OWN_FORM)
    upload(client, text=TEXT)
    data = client.get("/me/export").content
    assert json.loads(data)["player"]["preferences"]["suits"] == "four"
    client.cookies.clear()
    answer = upload(client, data)
    assert "suits" in "".join(answer.headers.get_list("set-cookie"))
    assert json.loads(client.get("/me/export").content)["player"]["preferences"]["suits"] == "four"


def test_a_program_brings_games_with_its_token(client: TestClient, game: JsonObject) -> None:
    assert game["id"]
    data = client.get("/me/export").content
    client.cookies.clear()
    bearer = {"Authorization": f"Bearer {client.post('/api/v1/players').json()['token']}"}
    client.cookies.clear()
    for numbers in ({"imported": 1, "known": 0}, {"imported": 0, "known": 1}):
        answer = client.post("/me/import", content=data, headers={**JSON, **bearer})
        assert (answer.status_code, answer.json()) == (200, numbers)
        assert "set-cookie" not in answer.headers
    answer = client.post("/me/import", content=TEXT, headers={"Content-Type": "text/plain; charset=utf-8", **bearer})
    assert answer.json() == {"imported": 1, "known": 0}
    assert len(client.get("/me/export", headers=bearer).json()["games"]) == 2


def test_the_game_in_the_readme_can_be_brought_in(client: TestClient) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (text,) = re.findall(r"^```text\n(pyramid13 game\n.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    answer = client.post("/me/import", content=text, headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()) == (200, {"imported": 1, "known": 0})


def test_a_program_is_refused_in_its_own_language(client: TestClient, tmp_path: Path) -> None:
    answer = client.post("/me/import", content=TEXT.replace("undo", "Kc"), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "Action 2, Kc: not on the table: Kc."
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize(
    ("pasted", "data", "words"),
    [
        (TEXT.replace("undo", "Kc"), b"", "Action 2, Kc: not on the table: Kc."),
        ("\n\n<b>&amp;</b> not a game\r\n", b"", ""),
        (TEXT, b"{}", "Choose a file or paste a game, not both."),
    ],
)
def test_what_was_pasted_in_vain_stands_in_the_form_again_under_what_is_wrong_with_it(
    client: TestClient, tmp_path: Path, pasted: str, data: bytes, words: str
) -> None:
    answer = upload(client, data, text=pasted)
    assert answer.status_code == 422
    page = read_html(answer.text)
    assert words in page.one(role="alert").text
    assert page.one("h1").text == "Bring games in"
    assert "".join(map(str, page.one("textarea").content)).removeprefix("\n") == pasted
    assert "fault" in page.one("textarea")["aria-describedby"]
    assert counts(tmp_path) == [(0, 0, 0)]


def test_a_bearer_whom_nobody_knows_brings_nothing(client: TestClient, tmp_path: Path) -> None:
    headers = {**JSON, "Authorization": f"Bearer {'x' * 43}"}
    assert client.post("/me/import", content=b"{}", headers=headers).status_code == 401
    for path in DOWNLOADS:
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_brings_nothing(client: TestClient, tmp_path: Path, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Content-Type": "text/plain"}
    assert client.post("/me/import", content=TEXT, headers=headers).status_code == 403
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/x-www-form-urlencoded", b"text=x", 415),
        ("", b"x", 415),
        ("application/xml", b"<x/>", 415),
        ("application/json", b"", 422),
        ("application/json", b"{", 422),
        ("application/json", b"[]", 422),
        ("application/json", b'{"games": [{}]}', 422),
        ("text/plain", b"hello", 422),
        ("text/plain", b"\xff\xfe", 422),
        ("multipart/form-data", b"", 422),
        ("multipart/form-data; boundary=", b"x", 422),
        ("multipart/form-data; boundary=b", b"", 422),
        ("multipart/form-data; boundary=b", b"hello", 422),
        ("multipart/form-data; boundary=b", b"--b\r\n\r\nhello\r\n--b--\r\n", 422),
        (
            "multipart/form-data; boundary=b; charset=\\0",
            b'--b\r\nContent-Disposition: form-data; name="text"\r\n',
            422,
        ),
        ("multipart/form-data; boundary=b; charset=hex", b"--b--\r\n", 422),
        ("multipart/form-data; boundary=b", b"--b\r\n" + b"x" * 100_000, 422),
    ],
)
def test_another_body_is_refused_and_nothing_is_changed(
    client: TestClient, tmp_path: Path, kind: str, body: bytes, status: int
) -> None:
    answer = client.post("/me/import", content=body, headers={**OWN_FORM, "Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize(
    ("files", "fields"),
    [
        ({}, {"text": ""}),
        ({"file": b""}, {"text": "  \r\n"}),
        ({"file": TEXT.encode()}, {"text": TEXT}),
        ({"other": TEXT.encode()}, {}),
        ({}, {"other": TEXT}),
        ({}, {"text": "x" * 200_000}),
        ({"file": b"x", "more": b"y"}, {}),
        ({"file": b"\x89PNG\r\n" + b"\0" * 2_000_000}, {}),
    ],
)
def test_another_form_is_refused_and_nothing_is_changed(
    client: TestClient, tmp_path: Path, files: dict[str, bytes], fields: dict[str, str]
) -> None:
    sent = {name: (name, content) for name, content in files.items()} or {"file": ("", b"")}
    answer = client.post("/me/import", files=sent, data=fields, headers=OWN_FORM)
    assert answer.status_code == 422, answer.text
    assert read_html(answer.text).all("h1")
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize("length", [str(EXPORT_MOST + 1), "9" * 9, "9" * 100])
def test_more_than_32_megabytes_are_refused_before_they_are_sent(
    client: TestClient, tmp_path: Path, length: str
) -> None:
    for kind in ("application/json", "text/plain", "multipart/form-data; boundary=b"):
        headers = {**OWN_FORM, "Content-Type": kind, "Content-Length": length}
        assert client.post("/me/import", content=b"{", headers=headers).status_code == 413
    assert counts(tmp_path) == [(0, 0, 0)]


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=b"])
def test_more_than_32_megabytes_without_a_length_are_given_up_on(client: TestClient, tmp_path: Path, kind: str) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n' if "form" in kind else b"{"
    parts = (part for part in (head, *[b" " * 1_000_000] * 40))
    answer = client.post("/me/import", content=parts, headers={**OWN_FORM, "Content-Type": kind})
    assert answer.status_code == 413
    assert "32 MB" in answer.text
    assert counts(tmp_path) == [(0, 0, 0)]


def test_a_refused_import_says_why_and_the_next_has_its_turn(client: TestClient, tmp_path: Path) -> None:
    answer = upload(client, text=TEXT.replace("open", "won"))
    assert answer.status_code == 422
    assert "The result should be open, 2 moves, not won, 2 moves" in answer.text
    assert counts(tmp_path) == [(0, 0, 0)]
    assert upload(client, text=TEXT).status_code == 303


def test_only_one_import_is_under_way(app: FastAPI, client: TestClient, tmp_path: Path) -> None:
    with app.state.rooms.portable.turn():
        answer = upload(client, text=TEXT)
    assert answer.status_code == 429
    assert "retry-after" in answer.headers
    assert counts(tmp_path) == [(0, 0, 0)]


def test_a_hostile_text_is_shown_as_text(client: TestClient) -> None:
    answer = upload(client, text=TEXT.replace("undo", "<script>alert(1)</script>"))
    assert answer.status_code == 422
    assert "<script>" not in answer.text
    assert "alert(1)" in answer.text


@pytest.mark.parametrize("query", ["imported=x", "imported=-1", "imported=1&known=x", "imported=99999999999"])
def test_the_page_tells_of_nothing_but_numbers(client: TestClient, query: str) -> None:
    assert client.get(f"/me/import?{query}").status_code == 422


@pytest.mark.parametrize("name", ["file", "text"])
def test_a_form_as_browsers_and_programs_send_it_is_read(client: TestClient, name: str) -> None:
    part = '--b\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    empty = part.format("file", '; filename=""\r\nContent-Type: application/octet-stream', "")
    body = f"{empty if name == 'text' else ''}{part.format(name, '', TEXT)}--b--\r\n"
    headers = {**OWN_FORM, "Content-Type": "multipart/form-data; boundary=b"}
    assert client.post("/me/import", content=body, headers=headers).status_code == 303


def test_htmx_is_answered_as_any_form_is(client: TestClient) -> None:
    answer = client.post("/me/import", files={"file": ("", b"")}, data={"text": TEXT}, headers=HTMX)
    assert answer.status_code == 303


def test_an_import_that_a_power_cut_cut_short_is_mended_by_another(server: Server) -> None:
    game = {"id": "", "rules": "endless", "deal": "a", "opening": "", "actions": "Kc undo", "result": "open, 2 moves"}
    now = time.time_ns() // 1_000_000
    times = {"touched_at": now, "won_at": None, "left_at": None, "won_in": None}
    rest = {"source": "played", "daily": None, "hints": 0, "hinted_at": None}
    games = [{**game, **times, **rest, "id": f"{n}", "begun_at": now - 10_000 + n} for n in range(8_000)]
    player = {"name": None, "created_at": 0, "preferences": {}}
    parts = {"format": "pyramid13", "version": 1, "exported_at": 0, "player": player, "solutions": []}
    body = json.dumps({**parts, "games": games})
    with server.client() as client:
        headers = {**JSON, "Authorization": f"Bearer {client.post('/api/v1/players').json()['token']}"}
    with ThreadPoolExecutor(1) as pool, server.client(**headers) as client:
        cut = pool.submit(client.post, "/me/import", content=body)
        while (there := server.rows("SELECT count(*) FROM games")) == [(0,)]:
            time.sleep(0.005)
        server.kill()
        assert isinstance(cut.exception(), httpx2.TransportError)
    assert there < [(8_000,)]
    there = server.rows("SELECT count(*) FROM games")
    server.start()
    with server.client(**headers) as client:
        answer = client.post("/me/import", content=body).json()
    assert [(answer["known"],)] == there
    assert answer["imported"] + answer["known"] == 8_000
    assert server.rows("SELECT count(*), count(DISTINCT id) FROM games") == [(8_000, 8_000)]


def test_what_one_has_already_does_not_come_in_twice(
    client: TestClient, other: TestClient, api: Api, game: JsonObject
) -> None:
    assert upload(client, text=client.get(f"/g/{game['id']}/text").text).headers["location"].endswith("known=1")
    first = client.get("/me/export").content
    assert "imported=1" in upload(other, first).headers["location"]
    assert "imported=0" in upload(client, other.get("/me/export").content).headers["location"]
    assert len(api.client.get("/me/export").json()["games"]) == 1


def test_a_solution_seen_and_a_game_played_are_never_later_than_now(
    client: TestClient, other: TestClient, game: JsonObject, clock: Clock
) -> None:
    assert game
    client.get("/s/endless/a")
    export = client.get("/me/export").json()
    hour = clock() + 3_600_000
    export["solutions"][0]["seen_at"] = export["games"][0]["touched_at"] = hour
    assert upload(other, json.dumps(export).encode()).status_code == 303
    came = other.get("/me/export").json()
    assert came["solutions"][0]["seen_at"] <= clock()
    assert came["games"][0]["touched_at"] <= clock()


def test_the_text_of_a_running_game_on_a_given_deck_keeps_its_face_down_cards(client: TestClient, api: Api) -> None:
    deck = "".join(f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK")
    game = api.act(api.create(deck=deck), "draw")
    assert client.get(f"/g/{game['id']}/text").status_code == 404
    api.leave(game["id"])
    assert deck in "".join(client.get(f"/g/{game['id']}/text").text.split())


def test_what_a_player_carries_elsewhere_has_the_deck_that_a_running_game_was_given(
    client: TestClient, other: TestClient, api: Api
) -> None:
    deck = "".join(f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK")
    api.act(api.create(deck=deck), "draw")
    for path in DOWNLOADS:
        assert deck in "".join(client.get(path).text.split())
    assert told(other, upload(other, client.get("/me/export").content)) == "One game came in."


def test_one_who_sends_slowly_keeps_nobody_else_from_importing(server: Server) -> None:
    head = b"POST /me/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\np"
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(head)
        time.sleep(0.2)
        with server.client() as client:
            # From the same network there is one place; the turn to import itself is free.
            assert client.post("/me/import", content=TEXT, headers={"Content-Type": "text/plain"}).status_code == 429
            forwarded = {"Content-Type": "text/plain", "X-Forwarded-For": "203.0.113.9"}
            assert client.post("/me/import", content=TEXT, headers=forwarded).status_code == 200
