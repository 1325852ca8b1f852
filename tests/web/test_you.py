import re
from urllib.parse import quote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.play.slowdown import FREE
from app.rules.deal import deck_text, read_deal
from app.web.urls import local
from tests.conftest import Clock
from tests.web.api import Api
from tests.web.browser import OWN_FORM, Browser, post_form
from tests.web.reading import read_html

COOKIE = "pyramid_player"
CODE = re.compile(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}")


def code_of(client: TestClient) -> str:
    """A fresh recovery code of the player behind a client."""
    answer = post_form(client, "/you/code")
    assert answer.status_code == 200
    return read_html(answer.text).one(id="recovery-code").text


def recover(client: TestClient, code: str, **fields: str) -> int:
    return post_form(client, "/recover", code=code, **fields).status_code


def test_a_visitor_who_has_not_played_is_told_so_and_gets_no_cookie(client: TestClient) -> None:
    for path in ("/you", "/recover", "/settings"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
    for path in ("/you/name", "/you/code", "/you/delete"):
        assert post_form(client, path, name="Ada", sure="yes").status_code == 404


def test_a_code_is_shown_once_and_kept_by_no_cache(client: TestClient, api: Api) -> None:
    api.create()
    answer = post_form(client, "/you/code")
    code = read_html(answer.text).one(id="recovery-code").text
    assert CODE.fullmatch(code)
    assert answer.headers["cache-control"] == "no-store"
    assert code not in client.get("/you").text
    assert read_html(answer.text).one(id="recovery-link")["href"] == f"/recover#{code.replace('-', '')}"


def test_a_code_brings_the_games_to_another_browser(client: TestClient, other: TestClient, api: Api) -> None:
    game = api.create(seed="a")
    assert recover(other, code_of(client).lower().replace("-", " ")) == 303
    assert other.get(f"/g/{game['id']}").status_code == 200
    assert client.get(f"/g/{game['id']}").status_code == 200
    assert other.cookies[COOKIE] != client.cookies[COOKIE]


def test_what_was_played_there_comes_along_or_stays_behind(client: TestClient, other: TestClient, api: Api) -> None:
    api.create()
    code = code_of(client)
    there = Api(other).create(seed="b")["id"]
    assert recover(other, code, bring="yes") == 303
    assert other.get(f"/g/{there}").status_code == 200
    assert client.get(f"/g/{there}").status_code == 200


@pytest.mark.parametrize("code", ["", "0000-0000-0000-0000", "x" * 500, "4F7K-9Q2M-X0ZD-W8H\x00"])
def test_a_wrong_code_changes_nothing(client: TestClient, api: Api, code: str) -> None:
    game, cookie = api.create(), client.cookies[COOKIE]
    answer = post_form(client, "/recover", code=code, bring="yes")
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers
    assert read_html(answer.text).one(role="alert").text
    assert client.cookies[COOKIE] == cookie
    assert api.show(game["id"])["id"] == game["id"]


def test_a_wrong_code_stays_in_the_field_and_in_no_cache(client: TestClient) -> None:
    answer = post_form(client, "/recover", code="4f7k 9q2m x0zd w8h")
    assert read_html(answer.text).one(id="code")["value"] == "4f7k 9q2m x0zd w8h"
    assert answer.headers["cache-control"] == "no-store"
    assert len(read_html(post_form(client, "/recover", code="x" * 500).text).one(id="code")["value"]) == 64


def test_a_name_that_was_kept_is_said_so_in_its_place_and_a_refused_one_is_put_right_there(
    client: TestClient, api: Api
) -> None:
    api.create()
    kept = post_form(client, "/you/name", name="Ada").headers["location"]
    assert kept == "/you?kept=1#name-title"
    assert read_html(client.get(kept).text).one(id="name-title").text == "Name"
    # In a page with a code there is another status, which has nothing to say yet.
    assert [status.text for status in read_html(client.get(kept).text).all(role="status")] == ["Saved."]
    assert not read_html(client.get("/you").text).all(role="status")
    refused = read_html(post_form(client, "/you/name", name="x" * 25).text)
    assert not refused.all(role="status")
    assert "autofocus" in refused.one("input", name="name").attributes
    assert refused.one("input", name="name")["aria-describedby"] == "fault name-help"


def test_what_was_wrong_has_the_focus(client: TestClient, api: Api) -> None:
    api.create()
    assert "autofocus" in read_html(post_form(client, "/recover", code="no").text).one(id="code").attributes
    for text, field in (("no game", "text"), ("", "file")):
        files = {"file": ("", b"")} if text else {"file": ("a.txt", b"no game")}
        answer = client.post("/me/import", data={"text": text}, files=files, headers=OWN_FORM)
        assert answer.status_code == 422
        page = read_html(answer.text)
        assert [name for name in ("file", "text") if "autofocus" in page.one(id=name).attributes] == [field]
        assert "fault" in page.one(id=field)["aria-describedby"].split()


def test_wrong_codes_are_slowed_down_and_the_right_one_waits_as_well(
    client: TestClient, other: TestClient, api: Api, clock: Clock
) -> None:
    api.create()
    code = code_of(client)
    assert [recover(other, "0" * 16) for _ in range(FREE + 1)] == [422] * (FREE + 1)
    answer = post_form(other, "/recover", code=code)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
    clock.tick(1)
    assert recover(other, code) == 303


def test_a_name_is_kept_and_shown_as_it_is_and_harmless(client: TestClient, api: Api) -> None:
    api.create()
    assert post_form(client, "/you/name", name=" <script>alert(1)</script> "[:26]).status_code in {303, 422}
    assert post_form(client, "/you/name", name="<i>Ada</i> & “Q”").status_code == 303
    page = client.get("/you").text
    assert "<i>Ada" not in page
    assert read_html(page).one("input", name="name")["value"] == "<i>Ada</i> & “Q”"
    assert post_form(client, "/you/name", name="").status_code == 303
    assert read_html(client.get("/you").text).one("input", name="name")["value"] == ""


@pytest.mark.parametrize("name", ["a" * 25, "a\x07b", "a\u202eb", "a\u200bb"])
def test_a_bad_name_is_refused_with_the_reason_and_stays_in_the_field(client: TestClient, api: Api, name: str) -> None:
    api.create()
    assert post_form(client, "/you/name", name="Ada").status_code == 303
    answer = post_form(client, "/you/name", name=name)
    assert answer.status_code == 422
    assert read_html(answer.text).one(role="alert").text
    assert read_html(client.get("/you").text).one("input", name="name")["value"] == "Ada"


def test_deleting_asks_once_and_then_all_is_gone(client: TestClient, api: Api) -> None:
    game = api.create()
    browser = Browser(client)
    browser.open("/you/delete")
    assert api.show(game["id"])
    assert post_form(client, "/you/delete").status_code in {415, 422}
    assert api.show(game["id"])
    cookie = client.cookies[COOKIE]
    browser.press(browser.page.one("button"))
    assert COOKIE not in client.cookies
    client.cookies.set(COOKIE, cookie)
    assert client.get(f"/g/{game['id']}").status_code == 404
    assert client.get("/you/delete").status_code == 404


def test_preferences_hold_before_there_is_a_player_and_go_with_him(
    client: TestClient, other: TestClient, api: Api
) -> None:
    assert post_form(client, "/settings", theme="dark", suits="four", layout="left").status_code == 303
    html = read_html(client.get("/").text).one("html")
    assert (html["data-theme"], html["data-suits"], html["data-layout"]) == ("dark", "four", "left")
    api.create()
    code = code_of(client)
    assert recover(other, code) == 303
    assert read_html(other.get("/").text).one("html")["data-theme"] == "dark"
    assert post_form(other, "/settings", theme="light").status_code == 303
    other.cookies.clear()
    assert recover(other, code) == 303
    assert read_html(other.get("/").text).one("html")["data-theme"] == "light"


@pytest.mark.parametrize(
    "back", ["/", "/g/abc", "/d/endless?seed=..", "/daily/endless/2026-11-30", "/me/games?rules=d1r7"]
)
def test_the_settings_lead_back_to_where_one_was(client: TestClient, back: str) -> None:
    browser = Browser(client)
    browser.open(f"/settings?from={quote(back)}")
    assert browser.page.all(role="status") == []
    browser.press(browser.page.one("button"))
    assert browser.path.startswith("/settings?")
    assert browser.page.one(role="status").text == "Saved."
    assert {link["href"] for link in browser.page.all("a") if link.text == "Back"} == {back}


def test_a_table_s_settings_lead_back_to_it_and_show_no_given_deck(client: TestClient, api: Api) -> None:
    deck = deck_text(read_deal("b").deck, between="")
    given = api.act(api.create(deck=deck), "draw")["id"]
    for path, back in (
        ("/d/endless/a", "/d/endless/a"),
        ("/d/endless?seed=..", "/d/endless?seed=.."),
        ("/daily/endless/2027-01-15", "/daily/endless/2027-01-15"),
        (f"/g/{given}", f"/g/{given}"),
        (f"/d/endless/{deck}", "/"),
    ):
        browser = Browser(client)
        (link,) = [link for link in browser.open(path).one(id="table").all("a") if link.text == "Settings"]
        assert deck not in link["href"]
        assert browser.open(link["href"]).one("input", name="next")["value"] == back


ELSEWHERE = [
    "",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/g/\\evil.example",
    "/g//evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "evil.example",
    "/\tg",
    "/\t/evil.example",
    "/\r\nSet-Cookie: a=b",
    "/g/a\n",
    "\n/g/a",
    " /g/a",
    "/g/ä",
    "/g/\x00",
    "/g/\x7f",
    "/\u2215evil.example",
    "/" + "x" * 600,
]


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_the_settings_lead_nowhere_but_to_a_page_of_ours(client: TestClient, elsewhere: str) -> None:
    for answer in (
        client.get("/settings", params={"from": elsewhere}),
        client.get("/settings", params={"kept": "1", "from": elsewhere}),
    ):
        page = read_html(answer.text)
        assert page.one("input", name="next")["value"] == "/"
        assert {link["href"] for link in page.all("a") if link.text == "Back"} == {"/"}
    answer = post_form(client, "/settings", theme="dark", next=elsewhere)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?kept=1&from=/")


@given(st.text(max_size=12) | st.text("/\\.:?#@%\t\n\r aä", max_size=12))
def test_what_counts_as_a_path_of_ours_stays_on_the_server(text: str) -> None:
    found = local(text)
    assert found in {text, "/"}
    assert found.startswith("/")
    assert urljoin("http://own.example/settings", found).startswith("http://own.example/")
    assert found.isascii()
    assert found.isprintable()
    assert "//" not in found
    assert "\\" not in found


def test_a_hidden_clock_is_told_nowhere(client: TestClient, api: Api, clock: Clock) -> None:
    game = api.act(api.create(seed="a"), "draw")
    clock.tick(754)
    assert "12:34" in client.get(f"/g/{game['id']}").text
    post_form(client, "/settings", timer="off")
    page = re.sub(r"\?v=[0-9a-f]+", "", client.get(f"/g/{game['id']}").text)
    assert "12:34" not in page
    assert "754" not in page
    assert not read_html(page).all(id="clock")


@pytest.mark.parametrize("fields", [{"theme": "pink"}, {"colour": "red"}, {"tell": ""}])
def test_a_setting_that_does_not_exist_is_refused(client: TestClient, fields: dict[str, str]) -> None:
    answer = post_form(client, "/settings", **fields)
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers


def test_a_token_plays_as_its_player(client: TestClient, other: TestClient, api: Api) -> None:
    game = api.create(seed="a")
    token = client.post("/api/v1/players").json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    answer = other.post(f"/api/v1/games/{game['id']}/actions", json={"version": 0, "action": "draw"}, headers=bearer)
    assert answer.status_code == 200
    assert api.show(game["id"])["version"] == 1
    made = other.post("/api/v1/games", json={}, headers=bearer)
    assert "set-cookie" not in made.headers
    assert api.show(made.json()["id"])


def test_a_token_without_a_player_makes_one(client: TestClient) -> None:
    answer = client.post("/api/v1/players")
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    bearer = {"Authorization": f"Bearer {answer.json()['token']}"}
    game = client.post("/api/v1/games", json={}, headers=bearer).json()
    assert client.get(f"/api/v1/games/{game['id']}", headers=bearer).status_code == 200
    assert client.get(f"/api/v1/games/{game['id']}").status_code == 404


@pytest.mark.parametrize("header", ["Bearer " + "x" * 43, "Bearer", "Basic YTpi", "", "Bearer \x7f", "x" * 5000])
def test_a_bearer_whom_nobody_knows_is_refused_and_becomes_nobody(client: TestClient, api: Api, header: str) -> None:
    game = api.create()
    for method, path in (
        ("GET", f"/api/v1/games/{game['id']}"),
        ("POST", "/api/v1/games"),
        ("POST", "/api/v1/players"),
    ):
        answer = client.request(method, path, headers={"Authorization": header}, json={} if method == "POST" else None)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["type"] == "urn:pyramid13:unauthorized"


def test_the_cookie_is_renewed_by_playing(client: TestClient, api: Api) -> None:
    api.create()
    key = read_html(client.get("/d/endless/b").text).one("input", name="begin")["value"]
    answer = post_form(client, "/d/endless/b", version="0", begin=key, action="draw")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={client.cookies[COOKIE]};")
    assert int(re.findall(r"Max-Age=(\d+)", cookie)[0]) >= 365 * 86_400


def test_who_wants_no_hints_is_offered_none(client: TestClient) -> None:
    browser = Browser(client)
    browser.open("/d/endless/win-14")
    assert browser.page.all(id="hint")
    post_form(client, "/settings", hints="off")
    page = read_html(client.get("/d/endless/win-14").text)
    assert not page.all(id="hint")
    assert "Hint" not in page.one("main").text
    assert all("hint" not in row.text for row in page.one("dialog").all("div"))
    answer = post_form(client, "/d/endless/win-14", version="0", hint="1")
    assert answer.status_code == 422
    assert "Hints are turned off in the settings." in answer.text
    assert client.get("/api/v1/me/records").json()["total"]["hints"] == 0
