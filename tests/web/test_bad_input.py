"""What cannot be read: 404, 413, 415 or 422 with a clear message; never a 500, never a half-done action."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.rules.deal import deck_text, read_deal
from tests.conftest import Clock, make_app, new_client
from tests.databases import rows
from tests.web.api import KING, SEED, Api, JsonObject
from tests.web.browser import HTMX, OWN_FORM, Browser
from tests.web.reading import read_html
from tests.web.server import Server

FORM = {**OWN_FORM, "Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
DECK = deck_text(read_deal("b").deck, between="")
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(folder: Path) -> FastAPI:
    return make_app(folder, Clock())


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    """One server for all of these tests: nothing that they send must leave a trace."""
    with new_client(app) as client:
        Api(client).create()
        yield client


@pytest.fixture(scope="module")
def api(client: TestClient) -> Api:
    return Api(client)


@pytest.fixture(scope="module")
def game(api: Api) -> JsonObject:
    """A game that nothing here changes."""
    return api.act(api.create(seed=SEED), "draw")


@pytest.fixture
def unstored(game: JsonObject, folder: Path) -> Iterator[None]:
    """Nothing is stored between here and the end of the test."""
    assert game
    counts = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM players), (SELECT sum(version) FROM games)"
    before = rows(folder, counts)
    yield
    assert rows(folder, counts) == before


def message(answer: httpx2.Response) -> str:
    """What an answer says was wrong."""
    if answer.headers["content-type"] == "application/problem+json":
        text: str = answer.json()["detail"]
        return text
    page = read_html(answer.text)
    return (page.all("main") or page.all(id="live"))[0].text


def assert_refused(answer: httpx2.Response, *statuses: int) -> None:
    """One of some statuses, and words for it."""
    assert answer.status_code in statuses, (answer.status_code, answer.text[:300])
    assert len(message(answer)) >= 10


# Addresses.

BAD_RULES = [
    "nope",
    "Classic",
    "CLASSIC",
    "d2r0",
    "d1",
    "d1r10",
    "d1r-1",
    "d1rX",
    "d1r0ao",
    "classic%00",
    "%FF",
    "d1r٣",
]
ILLEGAL_RULES = [
    ("d1p3r0", "Three waste piles need draw 3"),
    ("d3p3r1", "Three waste piles allow no redeal"),
    ("d3p3rx", "Three waste piles allow no redeal"),
    ("d3r0o", "An open stock needs draw 1"),
]
BAD_SEEDS = [
    "x" * 65,
    "a%20b",
    "a+b",
    "%C3%A4",
    "%00",
    "a%00",
    "%FF%FE",
    "a%0Ab",
    "a%0D%0AX-Evil:1",
    "%F0%9F%82%A1",
    "a,b",
    "%E2%80%AE",
]
BAD_DECKS = [DECK[2:] + "Xx", DECK[2:] + DECK[2:4], "Ac" * 52, "%FF" * 104]


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("rules", BAD_RULES)
def test_an_unreadable_rule_set_is_not_found(client: TestClient, rules: str) -> None:
    for path in (f"/d/{rules}/a", f"/api/v1/deals/{rules}/a"):
        assert_refused(client.get(path), 404)
    assert_refused(client.post(f"/d/{rules}/a", content="version=0&action=draw", headers=FORM), 404)


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize(("rules", "reason"), ILLEGAL_RULES)
def test_an_illegal_combination_is_refused_with_the_reason(client: TestClient, rules: str, reason: str) -> None:
    for answer in (client.get(f"/d/{rules}/a"), client.get(f"/api/v1/deals/{rules}/a")):
        assert_refused(answer, 404)
        assert reason in message(answer)
    answer = client.post("/api/v1/games", json={"rules": rules})
    assert_refused(answer, 422)
    assert reason in message(answer)
    assert answer.json()["type"] == "urn:pyramid13:illegal-rule-set"


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("seed", BAD_SEEDS + BAD_DECKS)
def test_an_unreadable_seed_or_deck_in_a_link_is_not_found(client: TestClient, seed: str) -> None:
    for path in (f"/d/endless/{seed}", f"/api/v1/deals/endless/{seed}"):
        assert_refused(client.get(path), 404)
    for headers in (FORM, {**FORM, **HTMX}):
        assert_refused(client.post(f"/d/endless/{seed}", content="version=0&action=draw", headers=headers), 404)


@pytest.mark.usefixtures("unstored")
def test_a_bad_deck_in_a_link_is_told_card_by_card(client: TestClient) -> None:
    answer = client.get(f"/d/endless/{DECK[2:]}{DECK[2:4]}")
    assert f"double: {DECK[2:4]}" in message(answer).lower().replace(DECK[2:4].lower(), DECK[2:4])
    assert DECK[:2] in message(answer)


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("game_id", ["x", "%00", "%FF", "x" * 5000, "'--", "..%2F..", "game-00000000001%00"])
def test_an_unreadable_game_is_not_found(client: TestClient, game: JsonObject, game_id: str) -> None:
    assert game["version"] == 1
    assert_refused(client.get(f"/g/{game_id}"), 404)
    assert_refused(client.get(f"/api/v1/games/{game_id}"), 404)
    assert_refused(client.post(f"/g/{game_id}", content="version=1&action=draw", headers=FORM), 404)
    answer = client.post(f"/api/v1/games/{game_id}/actions", json={"version": 1, "action": "draw"})
    assert_refused(answer, 404)


# Versions.

BAD_VERSIONS = [
    "",
    " ",
    "-1",
    "-0",
    "+1",
    "01",
    "1 ",
    " 1",
    "1e3",
    "1.0",
    "0x1",
    "1_0",
    "1,0",
    "true",
    "null",
    "None",
    "NaN",
    "٣",
    "１",
    "¹",
    "1\x00",
    "\x00",
    "1\n",
    "1000000000",
    "9" * 500,
    "9" * 5000,
]


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("version", BAD_VERSIONS, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("headers", [FORM, {**FORM, **HTMX}], ids=["plain", "htmx"])
def test_an_unreadable_version_in_a_form_is_refused(
    api: Api, game: JsonObject, version: str, headers: dict[str, str]
) -> None:
    body = urlencode({"version": version, "action": "draw"})
    assert_refused(api.client.post(f"/g/{game['id']}", content=body, headers=headers), 422)
    assert_refused(api.client.post("/d/endless/a", content=body, headers=headers), 422)
    assert api.show(game["id"]) == game


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize(
    "version",
    [
        "-1",
        "1e3",
        "1.0",
        "1e0",
        "1E400",
        "true",
        "false",
        "null",
        '"1"',
        "[1]",
        "{}",
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "+1",
        "0x1",
        "1000000000",
        "9" * 500,
        "9" * 5000,
        "-" + "9" * 5000,
        "٣",
        "",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_an_unreadable_version_in_json_is_refused(api: Api, game: JsonObject, version: str) -> None:
    body = f'{{"version": {version}, "action": "draw"}}'.encode()
    answer = api.client.post(f"/api/v1/games/{game['id']}/actions", content=body, headers=JSON)
    assert_refused(answer, 422)
    assert answer.json()["type"] == "urn:pyramid13:unreadable"
    assert api.show(game["id"]) == game


# Actions and cards.

BAD_ACTIONS = [
    "",
    " ",
    "+",
    "Draw",
    "DRAW",
    "draw ",
    "draw\x00",
    "discard",
    "6x",
    "11d",
    "1d",
    "0d",
    "6",
    "d",
    "6d+",
    "+6d",
    "6d++7h",
    "6d+7h+8c",
    "6d 7h",
    "6d,7h",
    "6d7h",
    "6d\n+7h",
    "6♦",
    "🃁",
    "Qſ",
    "x" * 5000,
    "6d+" * 1000,
    "<script>alert(1)</script>",
]


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("action", BAD_ACTIONS, ids=lambda text: repr(text[:12]))
def test_an_unreadable_action_is_refused(api: Api, game: JsonObject, action: str) -> None:
    assert_refused(api.post(game["id"], 1, action), 422)
    for headers in (FORM, {**FORM, **HTMX}):
        body = urlencode({"version": "1", "action": action})
        answer = api.client.post(f"/g/{game['id']}", content=body, headers=headers)
        assert_refused(answer, 422)
        assert not any("alert" in script.text for script in read_html(answer.text).all("script"))
        card = urlencode({"version": "1", "card": action})
        assert_refused(api.client.post(f"/g/{game['id']}", content=card, headers=headers), 422)
        chosen = urlencode({"version": "1", "card": KING, "chosen": action})
        if action:
            assert_refused(api.client.post(f"/g/{game['id']}", content=chosen, headers=headers), 422)
    assert api.show(game["id"]) == game


# Bodies.

BAD_FORMS = [
    "",
    "version",
    "version=1",
    "action=draw",
    "&&&",
    "version=1&action=draw&action=draw",
    "version=1&version=1&action=draw",
    "version=1&version=2&action=draw",
    "version=1&card=6c&card=7d",
    "version=1&card=6c&chosen=7d&chosen=7d",
    "version=1&action=draw&card=6c",
    "version=1&action=draw&action",
    "version=1;action=draw",
    "version=%FF&action=draw",
    "version=1&action=draw%FF",
    "version=1&action=%C3%28",
    "version=1&action=draw&begin=x",
    "version=1&action=draw&begin=%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00",
    "version=1&action=draw&begin=" + "x" * 65,
    "version=1&action=draw&" + "&".join(f"f{number}=1" for number in range(100)),
    "version=1&action=draw&" + "&".join(["x=1"] * 9),
    "version=1&action=draw\x00",
    '{"version": 1, "action": "draw"}',
]


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("body", BAD_FORMS, ids=lambda text: repr(text[:40]))
def test_an_unreadable_form_is_refused(api: Api, game: JsonObject, body: str) -> None:
    for headers in (FORM, {**FORM, **HTMX}):
        assert_refused(api.client.post(f"/g/{game['id']}", content=body, headers=headers), 422)
        assert_refused(api.client.post("/d/endless/a", content=body, headers=headers), 422)
    assert api.show(game["id"]) == game


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("body", [b"version=1&action=\xff", "version=1&action=ä".encode(), b"\x00\x01\x02=\xfe"])
def test_a_form_of_raw_bytes_is_refused(api: Api, game: JsonObject, body: bytes) -> None:
    assert_refused(api.client.post(f"/g/{game['id']}", content=body, headers=FORM), 422)
    assert api.show(game["id"]) == game


def test_fields_that_nobody_asked_for_change_nothing(api: Api) -> None:
    game = api.act(api.create(seed=SEED), "draw")
    body = "version=1&action=draw&moves=0&seed=b&player=7&outcome=won"
    assert api.client.post(f"/g/{game['id']}", content=body, headers=FORM).status_code in {303, 422}
    after = api.show(game["id"])
    assert (after["seed"], after["status"], after["moves"]) == (SEED, "playing", after["version"])


BAD_JSON: dict[str, str | bytes] = {
    "nothing": "",
    "space": "  ",
    "half": '{"version": 1',
    "list": "[]",
    "null": "null",
    "number": "1",
    "text": '"draw"',
    "invalid UTF-8": b'{"version": 1, "action": "\xff"}',
    "UTF-16": '{"version": 1, "action": "draw"}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"version": 1, "action": "draw"}',
    "twice": '{"version": 1, "action": "draw", "action": "draw"}',
    "twice, once escaped": '{"version": 1, "action": "draw", "\\u0061ction": "draw"}',
    "version twice": '{"version": 1, "version": 2, "action": "draw"}',
    "extra": '{"version": 1, "action": "draw", "player": 1}',
    "extra surrogate": '{"version": 1, "action": "draw", "\\ud800": 1}',
    "surrogate": '{"version": 1, "action": "\\ud800"}',
    "NUL": '{"version": 1, "action": "draw\\u0000"}',
    "action missing": '{"version": 1}',
    "version missing": '{"action": "draw"}',
    "action a number": '{"version": 1, "action": 1}',
    "action null": '{"version": 1, "action": null}',
    "action a list": '{"version": 1, "action": ["draw"]}',
    "NaN": '{"version": 1, "action": NaN}',
    "deep lists": "[" * 10_000,
    "deep objects": '{"a":' * 3_000,
    "deep and closed": "[" * 5_000 + "]" * 5_000,
    "deep below": '{"version": 1, "action": "draw", "x": ' + "[" * 5_000 + "]" * 5_000 + "}",
    "a comma too many": '{"version": 1, "action": "draw",}',
    "two values": '{"version": 1, "action": "draw"} {}',
    "a form": "version=1&action=draw",
}


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON.keys())
def test_unreadable_json_is_refused(api: Api, game: JsonObject, body: str | bytes) -> None:
    answer = api.client.post(f"/api/v1/games/{game['id']}/actions", content=body, headers=JSON)
    assert_refused(answer, 422)
    assert answer.json()["type"] == "urn:pyramid13:unreadable"
    assert api.show(game["id"]) == game
    assert_refused(api.client.post("/api/v1/games", content=body, headers=JSON), 422)


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize(
    "body",
    [
        {"rules": "nope"},
        {"rules": ""},
        {"rules": None},
        {"rules": 1},
        {"seed": ""},
        {"seed": "x" * 65},
        {"seed": "ä"},
        {"seed": "a\x00"},
        {"seed": "a\n"},
        {"seed": 7},
        {"deck": ""},
        {"deck": "x" * 5001},
        {"deck": "Ac"},
        {"deck": ["Ac"]},
        {"deck": "Aſ"},
        {"id": "x"},
        {"version": 3},
    ],
    ids=lambda body: json.dumps(body)[:30],
)
def test_a_new_game_that_cannot_be_read_is_refused(client: TestClient, body: dict[str, object]) -> None:
    answer = client.post("/api/v1/games", json=body)
    assert_refused(answer, 422)
    assert "set-cookie" not in answer.headers
    assert "location" not in answer.headers


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "application/json",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencodedx",
        "\xff",
        "application/octet-stream",
    ],
)
def test_a_form_of_another_kind_is_an_unsupported_one(api: Api, game: JsonObject, kind: str) -> None:
    headers = {**OWN_FORM, "Content-Type": kind.encode("latin-1")} if kind else OWN_FORM
    for path in (f"/g/{game['id']}", "/d/endless/a"):
        answer = api.client.post(path, content=b"version=1&action=draw", headers=headers)
        assert_refused(answer, 415)
        assert "application/x-www-form-urlencoded" in message(answer)
    assert api.show(game["id"]) == game


@pytest.mark.usefixtures("unstored")
def test_a_real_multipart_form_is_refused(api: Api, game: JsonObject) -> None:
    answer = api.client.post(f"/g/{game['id']}", files={"version": (None, "1"), "action": (None, "draw")})
    assert_refused(answer, 415)
    assert api.show(game["id"]) == game


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
def test_json_of_another_kind_is_an_unsupported_one(api: Api, game: JsonObject, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    body = b'{"version": 1, "action": "draw"}'
    answer = api.client.post(f"/api/v1/games/{game['id']}/actions", content=body, headers=headers)
    assert_refused(answer, 415)
    assert "application/json" in message(answer)
    assert api.show(game["id"]) == game


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"])
def test_a_parameter_or_capitals_in_the_media_type_do_not_matter(api: Api, kind: str) -> None:
    game = api.act(api.create(seed=SEED), "draw")
    body = b'{"version": 1, "action": "draw"}'
    answer = api.client.post(f"/api/v1/games/{game['id']}/actions", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 200


def megabyte() -> Iterator[bytes]:
    """A megabyte in pieces, so that it is sent without its length."""
    for _ in range(MEGABYTE // 10_000):
        yield b"x" * 10_000


@pytest.mark.usefixtures("unstored")
@pytest.mark.parametrize("body", [lambda: b"x" * MEGABYTE, megabyte], ids=["with its length", "without its length"])
@pytest.mark.parametrize("kind", [FORM, {**FORM, **HTMX}, JSON], ids=["plain", "htmx", "json"])
def test_a_body_too_large_is_refused(
    api: Api, game: JsonObject, kind: dict[str, str], body: Callable[[], bytes | Iterator[bytes]]
) -> None:
    paths = ["/api/v1/games", "/api/v1/games/{}/actions"] if kind is JSON else ["/d/endless/a", "/g/{}"]
    for path in paths:
        answer = api.client.post(path.format(game["id"]), content=body(), headers=kind)
        assert answer.status_code == 413
        assert "too large" in message(answer)
    assert api.show(game["id"]) == game


@pytest.mark.usefixtures("unstored")
def test_a_body_too_large_is_no_fault_of_ours(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    assert client.post("/api/v1/games", content=b"x" * MEGABYTE, headers=JSON).status_code == 413
    assert not caplog.records


def test_the_largest_deck_in_any_spacing_is_small_enough(api: Api) -> None:
    spaced = deck_text(read_deal("b").deck, between="\r\n" + " " * 90)
    assert 4_500 < len(spaced) < 5_000
    assert api.create(deck=spaced)["pyramid"][0] == [DECK[:2]]
    assert api.client.get("/new", params={"deck": spaced}).headers["location"] == f"/d/endless/{DECK}"


@pytest.mark.usefixtures("unstored")
def test_other_methods_are_not_allowed(client: TestClient, game: JsonObject) -> None:
    for method, path in (
        ("PUT", "/g/{}"),
        ("DELETE", "/g/{}"),
        ("PATCH", "/d/endless/a"),
        ("PUT", "/g/{}/leave"),
        ("POST", "/"),
        ("POST", "/rules"),
        ("POST", "/new"),
        ("POST", "/static/table.css"),
        ("OPTIONS", "/g/{}"),
        ("TRACE", "/"),
        ("FOO", "/"),
    ):
        answer = client.request(method, path.format(game["id"]))
        assert_refused(answer, 405)
        assert answer.headers["allow"]


# The same on a real server, where bytes are bytes.


def wire(line: str | bytes, body: bytes = b"", **headers: str) -> bytes:
    """A request as it goes over the wire."""
    start = line if isinstance(line, bytes) else line.encode()
    fields = {"host": "127.0.0.1", "connection": "close", **headers}
    if body and "transfer_encoding" not in headers:
        fields.setdefault("content-length", str(len(body)))
    head = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in fields.items()).encode("latin-1")
    return start + b" HTTP/1.1\r\n" + head + b"\r\n" + body


URLENCODED = "application/x-www-form-urlencoded"
WIRE: list[tuple[bytes, set[int]]] = [
    (wire("GET /d/endless/%FF%00"), {404}),
    (wire("GET /d/endless/%0d%0aX-Evil:%201"), {404}),
    (wire("GET /new?seed=%0d%0aX-Evil:%201"), {422}),
    (wire("GET /new?rules=%0d%0aX-Evil:%201"), {422}),
    (wire("GET /new?seed=%FF&deck=%00"), {422}),
    (wire("GET /d/endless/ä"), {400, 404}),
    (wire(b"GET /d/endless/\xff\xfe"), {400, 404}),
    (wire("GET //d/endless/a"), {404}),
    (wire("GET /d/../app/main.py"), {404}),
    (wire("GET /static/../app/main.py"), {404}),
    (wire("GET /static/%2e%2e/app/main.py"), {404}),
    (wire("GET /static/..%2f..%2fapp/main.py"), {404}),
    (wire("GET /g/" + "a" * 20_000), {414, 431}),
    (wire("GET /g/x", cookie="pyramid_player=\xff\xfe; \x80=;;;"), {404}),
    (wire("POST /d/endless/a", b"version=0&action=\xff", content_type=URLENCODED), {422}),
    (wire("POST /d/endless/a", b"version=" + b"9" * 5_000 + b"&action=draw", content_type=URLENCODED), {422}),
    (wire("POST /d/endless/a", b"version=0&action=draw%00", content_type=URLENCODED), {422}),
    (wire("POST /d/endless/a", b"version=0&action=draw&action=draw", content_type=URLENCODED), {422}),
    (wire("POST /d/endless/a", b"--x--\r\n", content_type="multipart/form-data; boundary=x"), {415}),
    (wire("POST /d/endless/a", b"x" * MEGABYTE, content_type=URLENCODED), {413}),
    (wire("POST /api/v1/games", b"x" * MEGABYTE, content_type="application/json"), {413}),
    (
        wire(
            "POST /api/v1/games",
            b"f4240\r\n" + b"x" * MEGABYTE + b"\r\n0\r\n\r\n",
            transfer_encoding="chunked",
            content_type="application/json",
        ),
        {413},
    ),
    (wire("POST /api/v1/games", b"[" * 10_000, content_type="application/json"), {422}),
    (wire("POST /api/v1/games", b'{"seed": NaN}', content_type="application/json"), {422}),
    (wire("POST /api/v1/games", b'{"seed": "\xff"}', content_type="application/json"), {422}),
    (wire("POST /api/v1/games", b'{"seed": "\\ud800"}', content_type="application/json"), {422}),
    (wire("POST /api/v1/games", b"{}", content_type="application/json", content_length="-5"), {400}),
    (wire("POST /api/v1/games", b"{}", content_type="application/json", origin="http://["), {403}),
    (wire("POST /api/v1/games", b"{}", content_type="application/json", origin="null"), {403}),
    (wire("POST /api/v1/games", b"{}", content_type="application/json", origin="\xff"), {403}),
    (wire("FOO /"), {400, 405}),
    (b"\x00\x01\x02\r\n\r\n", {400}),
    (b"GET / HTTP/9.9\r\n\r\n", {400, 505}),
]


def test_a_real_server_meets_bad_bytes_with_a_plain_refusal(server: Server) -> None:
    for sent, statuses in WIRE:
        answer = server.raw(sent)
        head = answer.partition(b"\r\n\r\n")[0]
        status = int(head.split(maxsplit=2)[1])
        assert status in statuses, (sent[:80], answer[:200])
        assert b"x-evil" not in head.lower()
        assert b"Traceback" not in answer
    assert server.rows("SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM players)") == [(0, 0)]
    with server.client() as client:
        assert Browser(client).open("/d/endless/a").one(id="table")
    assert "Traceback" not in server.log


def test_a_client_that_goes_away_in_the_middle_of_its_body_is_no_fault_of_ours(server: Server) -> None:
    head = wire("POST /d/endless/a", content_type=URLENCODED, content_length="1000", connection="keep-alive")
    server.hang_up(head + b"version=0")
    with server.client() as client:
        assert client.get("/rules").status_code == 200
    assert "Traceback" not in server.log
