"""Below a path, behind a proxy that takes it off and behind one that does not: inside, nobody notices."""

import re
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from markupsafe import Markup
from pydantic import ValidationError
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from app.config import Settings
from app.main import ROUTES
from app.web.layers.below import html_below
from tests import databases
from tests.conftest import Clock, make_app
from tests.playthroughs import wins
from tests.web.api import SEED, Api
from tests.web.browser import HTMX, OWN_FORM, Browser, post_form
from tests.web.reading import Element, read_html
from tests.web.server import ROOT

pytestmark = pytest.mark.shown

BASE = "/pyramid"
PUBLIC = "https://cards.example.org"
OF_EACH = 3
"""So many pages of a route and with the same fields in the query are looked at."""

NOT_REACHED = {"/healthz", "/readyz", "/s/{rules}", "/b/{rules}", "/d/{rules}", "/p/{rules}"}
"""Deals named . and .., whose addresses have a form of their own; and what no page leads to."""


_QUOTED = re.compile(r"""(?<!endsWith\()(["'`])(/[A-Za-z][^"'`\s]*)\1""")


class Proxy:
    """What stands before the application: it offers it below a path, which it takes off or leaves."""

    def __init__(self, app: ASGIApp, *, strips: bool) -> None:
        self._app = app
        self._strips = strips

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            assert path == BASE or path.startswith(f"{BASE}/"), f"{path} is another program's"
            if self._strips:
                scope = {**scope, "path": path.removeprefix(BASE) or "/"}
        await self._app(scope, receive, send)


def client_of(app: ASGIApp, base_url: str = "http://testserver") -> TestClient:
    return TestClient(app, base_url=base_url, follow_redirects=False, raise_server_exceptions=False)


@pytest.fixture(scope="module", params=["the path is left", "the path is taken off"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Proxy:
    folder = tmp_path_factory.mktemp("data")
    databases.fill(folder)
    app = make_app(folder, Clock(), base_path=BASE, public_url=PUBLIC, player_rate=0, network_rate=0)
    return Proxy(app, strips=request.param == "the path is taken off")


@pytest.fixture(scope="module")
def running(proxy: Proxy) -> Iterator[TestClient]:
    with client_of(proxy) as client:
        yield client


@pytest.fixture
def client(proxy: Proxy, running: TestClient) -> TestClient:
    """A visitor without a cookie."""
    visitor = client_of(proxy)
    visitor.portal = running.portal
    return visitor


@pytest.fixture
def api(client: TestClient) -> Api:
    """The API below the path."""
    return Api(Below(client))


class Below(httpx2.Client):
    """A client that knows of the path."""

    def __init__(self, client: TestClient) -> None:
        super().__init__(trust_env=False)
        self._client = client

    def request(self, method: str, url: Any, **options: Any) -> httpx2.Response:  # noqa: ANN401 - the client's own.
        return self._client.request(method, f"{BASE}{url}", **options)


# ---- The crawl ----


def addresses(page: Element) -> Iterator[str]:
    """All addresses in a page that a browser can be led to; whatever begins with a slash is one."""
    for element in page.all():
        for name, value in element.attributes.items():
            # What the settings lead back to is an address inside, and stays so.
            kept = element.tag == "input" and name == "value"
            # A picture is named as other hosts reach it.
            text = "" if value is None or kept else value.removeprefix(PUBLIC)
            if name in {"href", "src", "action", "formaction", "hx-get", "hx-post"} or text.startswith("/"):
                assert not text.startswith("//")
                yield text
            else:
                assert "://" not in text, (name, text)


def below(found: str) -> bool:
    """Whether an address, as a browser sees it from a page of ours, lies below the path."""
    parts = urlsplit(urljoin(f"http://testserver{BASE}/g/x", found))
    return parts.netloc == "testserver" and parts.path.startswith(f"{BASE}/")


class Crawl:
    """A visitor who follows every link, and looks at no more than some pages of a kind."""

    def __init__(self, client: httpx2.Client) -> None:
        self.seen: Counter[tuple[str, str]] = Counter()
        self.routes: set[str] = set()
        self._client = client
        self._known: set[str] = set()

    def follow(self, *starts: str) -> None:
        waiting = list(starts)
        while waiting:
            path = waiting.pop().partition("#")[0]
            if path in self._known or not (self._wanted(path) or path in starts):
                continue
            self._known.add(path)
            answer = self._client.get(path)
            assert answer.status_code in {200, 204, 303, 308}, (path, answer.status_code)
            waiting += [urljoin(path, found) for found in self.read(path, answer)]

    def read(self, path: str, answer: httpx2.Response) -> list[str]:
        """What an answer leads to; all of it must lie below."""
        found = [answer.headers["location"]] if "location" in answer.headers else []
        kind, asked, not_asked = answer.headers.get("content-type", "").partition(";")[0], [], set[str]()
        if kind == "text/html":
            page = read_html(answer.text)
            found += addresses(page)
            not_asked = {form["action"] for form in page.all("form") if form.attributes.get("method") == "post"}
            # A script asks for them with a number behind.
            positions = [main["data-position"] for main in page.all("main") if "data-position" in main.attributes]
            not_asked |= set(positions)
            asked = [f"{position}?at=1" for position in positions]
        elif not kind.startswith("image/"):
            found += _in_program(answer.text)
        for one in found:
            assert below(one), f"{path} leads to {one}"
        return asked + [one for one in found if one not in not_asked]

    def _wanted(self, path: str) -> bool:
        parts = urlsplit(path)
        inside = parts.path.removeprefix(BASE)
        route = next((one.path for one in ROUTES if isinstance(one, Route) and _serves(one, inside)), "")
        names = "&".join(sorted(part.partition("=")[0] for part in parts.query.split("&")))
        kind = (route or inside, names)
        self.routes.add(route)
        self.seen[kind] += 1
        return self.seen[kind] <= OF_EACH


def _serves(route: Route, path: str) -> bool:
    return "GET" in (route.methods or ()) and route.path_regex.match(path) is not None


def _in_program(text: str) -> list[str]:
    """The addresses in JSON, scripts and styles: what stands between quotation marks and begins with a slash."""
    return [found[2] for found in _QUOTED.finditer(text)]


def played(api: Api) -> list[str]:
    """Pages of games in several states, and what is made of them."""
    client, won = api.client, wins()[2]
    fresh = api.create(rules="endless", seed=SEED)
    running = api.act(api.create(rules="endless", seed="a"), "draw", "draw", "undo")
    deck = api.create(deck="".join(_deck()))
    paused = api.act(api.create(rules="open", seed="b"), "draw")
    assert client.post(f"/api/v1/games/{paused['id']}/pause").status_code == 200
    left = api.act(api.create(rules="strict", seed="c"), "draw")
    api.leave(left["id"])
    over = api.act(api.create(rules=won.rules, seed=won.deal), *won.actions)
    assert post_form(client, "/you/name", name="Ada").status_code == 303
    assert post_form(client, f"/g/{over['id']}/challenge").status_code == 303
    assert post_form(client, f"/g/{over['id']}/share", at="0").status_code == 303
    assert post_form(client, f"/g/{left['id']}/share", at="0").status_code == 303
    games = [f"/g/{game['id']}" for game in (fresh, running, deck, paused, left, over)]
    ends = [f"{game}{end}" for game in games[-2:] for end in ("/result", "/replay", "/text")]
    hints = [f"{games[1]}?chosen=Kd", f"{games[1]}?told=1", f"{games[0]}/leave", f"{games[1]}/menu"]
    return [*games, *ends, *hints]


def _deck() -> list[str]:
    return [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


def test_every_address_of_every_page_lies_below_and_leads_somewhere(
    client: TestClient, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = played(api)
    monkeypatch.setattr(socket.socket, "connect", _nobody)
    monkeypatch.setattr(socket, "getaddrinfo", _nobody)
    crawl = Crawl(client)
    more = [
        "/",
        "/daily",
        "/daily/open",
        "/me",
        "/me/games",
        "/you",
        "/recover",
        "/rules",
        "/learn",
        "/offline",
        "/sw.js",
    ]
    crawl.follow(*(BASE + path for path in [*more, *pages, "/new", "/me/import", "/me/export", "/version"]))
    missed = {route.path for route in ROUTES if isinstance(route, Route) and "GET" in (route.methods or ())}
    assert missed - crawl.routes - NOT_REACHED == set()
    assert "/static/vendor/htmx-4.0.1.min.js" in {kind for kind, _ in crawl.seen}


def _nobody(*_: object) -> None:
    raise AssertionError("somebody else is asked")


def test_the_rules_lead_back_below_to_the_table_that_one_came_from(client: TestClient) -> None:
    page = client.get(f"{BASE}/rules", headers={"Referer": f"http://testserver{BASE}/d/endless/a"}).text
    assert f'href="{BASE}/d/endless/a"' in page


def test_what_is_answered_to_a_form_lies_below_too(client: TestClient, api: Api) -> None:
    crawl, game = Crawl(client), api.act(api.create(seed=SEED), "draw")
    page = f"{BASE}/g/{game['id']}"
    card = next(card for card in read_html(client.get(page).text).all("button", name="card") if _is_free(card))
    answers = {
        "a move": (200, post_form(client, page, HTMX, version="1", action="draw")),
        "a choice": (200, post_form(client, page, HTMX, version="2", card=card["value"])),
        "a hint": (200, post_form(client, page, HTMX, version="2", hint="1")),
        "a code": (200, post_form(client, f"{BASE}/you/code")),
        "stale": (409, post_form(client, page, version="7", action="draw")),
        "unreadable": (422, post_form(client, page, version="x")),
        "a wrong code": (422, post_form(client, f"{BASE}/recover", code="x")),
        "a wrong seed": (422, client.get(f"{BASE}/new?seed=ä")),
        "forged": (403, client.post(page, headers={"Sec-Fetch-Site": "cross-site"})),
        "not found": (404, client.get(f"{BASE}/nothing")),
        "not this way": (405, client.put(page)),
        "to the game": (303, post_form(client, page, version="2", action="draw")),
        "no such game": (404, client.get(f"{BASE}/g/nothing")),
    }
    for kind, (status, answer) in answers.items():
        assert answer.status_code == status, kind
        crawl.read(page, answer)
        assert f'"{BASE}{BASE}' not in answer.text
    link = read_html(answers["a code"][1].text).one(id="recovery-link")["href"]
    assert link.startswith(f"{BASE}/recover#")


def _is_free(card: Element) -> bool:
    return "aria-disabled" not in card.attributes and not card["value"].startswith("K")


@pytest.mark.parametrize("pressed", [{"action": "draw"}, {"hint": "1"}])
def test_a_game_begun_by_script_replaces_the_address_by_one_below(client: TestClient, pressed: dict[str, str]) -> None:
    answer = post_form(client, f"{BASE}/d/endless/{SEED}", HTMX, version="0", **pressed)
    assert answer.headers["hx-replace-url"].startswith(f"{BASE}/g/")


def test_a_whole_game_is_played_by_forms_alone(client: TestClient) -> None:
    browser, won = Browser(client), wins()[2]
    browser.open(f"{BASE}/d/{won.rules}/{won.deal}")
    for action in won.actions:
        browser.act(action)
        assert browser.status == 200
        assert browser.path.startswith(f"{BASE}/g/")
    result = f"{browser.path.partition('?')[0]}/result"
    assert result in {link["href"] for link in browser.page.all("a")}
    assert browser.open(result).one(id="result")["data-path"] == f"{BASE}/d/{won.rules}/{won.deal}"
    assert {(cookie.name, cookie.path) for cookie in client.cookies.jar} == {("pyramid_player", BASE)}


def test_the_path_without_a_slash_is_the_first_page(client: TestClient) -> None:
    answer = client.get(BASE)
    assert answer.status_code == 200
    assert answer.text == client.get(f"{BASE}/").text


def test_the_settings_lead_back_to_where_they_were_opened(client: TestClient, api: Api) -> None:
    browser, game = Browser(client), f"{BASE}/g/{api.create(seed=SEED)['id']}"
    (way,) = [link["href"] for link in browser.open(game).one(id="table").all("a") if link.text == "Settings"]
    browser.open(way)
    browser.press(browser.page.one("form", method="post").one("button"))
    assert browser.page.one(role="status").text == "Saved."
    assert {link["href"] for link in browser.page.all("a") if link.text == "Back"} == {game}
    assert {cookie.path for cookie in client.cookies.jar} == {BASE}


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example", "/\\evil.example", "https:evil.example", "/a\r\nSet-Cookie: a=b"]
)
def test_nobody_is_led_elsewhere(client: TestClient, elsewhere: str) -> None:
    page = read_html(client.get(f"{BASE}/settings", params={"from": elsewhere}).text)
    assert {link["href"] for link in page.all("a") if link.text == "Back"} == {f"{BASE}/"}
    answer = post_form(client, f"{BASE}/settings", theme="dark", next=elsewhere)
    assert answer.headers["location"] == f"{BASE}/settings?kept=1&from=/"


# ---- What programs are told ----


def test_the_api_names_addresses_below(api: Api) -> None:
    answer = api.client.post("/api/v1/games", json={"rules": "endless", "seed": SEED})
    game = answer.json()
    assert answer.headers["location"] == f"{BASE}/api/v1/games/{game['id']}"
    link = f"{BASE}/d/endless/{SEED}"
    assert {
        "created": game["link"],
        "shown": api.show(game["id"])["link"],
        "acted": api.act(game, "draw")["link"],
        "stale": api.post(game["id"], 7, "draw").json()["game"]["link"],
        "illegal": api.post(game["id"], 1, "redo").json()["game"]["link"],
        "left": api.leave(game["id"])["link"],
        "deal": api.client.get(f"/api/v1/deals/endless/{SEED}").json()["link"],
        "board": api.client.get(f"/api/v1/boards/endless/{SEED}").json()["link"],
    } == dict.fromkeys(("created", "shown", "acted", "stale", "illegal", "left", "deal", "board"), link)
    for deal in api.client.get("/api/v1/daily").json():
        assert deal["link"] == f"{BASE}/daily/{deal['rules']}/{deal['day']}"
    own = api.create(deck="".join(_deck()))
    assert own["link"] == f"{BASE}/g/{own['id']}/deal"


def test_the_api_describes_itself_as_lying_below(api: Api) -> None:
    described = api.client.get("/api/v1/openapi.json").json()
    assert described["servers"] == [{"url": BASE}]
    assert "/api/v1/games" in described["paths"]


def test_what_is_installed_lies_below(client: TestClient) -> None:
    manifest = client.get(f"{BASE}/manifest.webmanifest").json()
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == (f"{BASE}/",) * 3
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200


def test_the_worker_keeps_a_page_below_and_throws_away_nothing_of_another_program(client: TestClient) -> None:
    script = client.get(f"{BASE}/sw.js").text
    (page,) = re.findall('const PAGE = "([^"]+)"', script)
    assert page.startswith(f"{BASE}/offline?")
    assert all(client.get(link["href"]).status_code == 200 for link in read_html(client.get(page).text).all("link"))
    assert f'const OURS = "{BASE} offline-";' in script
    assert "name.startsWith(OURS) && name !== KEPT" in script


def test_the_picture_of_a_deal_is_named_as_it_is_reached_from_outside(client: TestClient) -> None:
    page = read_html(client.get(f"{BASE}/d/endless/a").text)
    picture = page.one("meta", property="og:image")["content"]
    assert picture == f"{PUBLIC}{BASE}/p/endless/a"
    assert client.get(picture.removeprefix(PUBLIC)).headers["content-type"] == "image/png"


def test_scripts_and_styles_name_no_address_of_ours() -> None:
    own = [path for path in (ROOT / "static").glob("*.*") if path.suffix in {".js", ".css"}]
    assert len(own) == 8
    assert [one for path in own for one in _in_program(path.read_text("utf-8"))] == []


def test_what_a_player_writes_is_no_address(client: TestClient, api: Api) -> None:
    """A name cannot be written so, yet what was pasted stands in the page again."""
    api.create()
    text = "x href=\"/nothing\" src='/nothing'"
    page = client.post(f"{BASE}/me/import", files={"text": (None, text)}, headers=OWN_FORM)
    assert page.status_code == 422
    assert read_html(page.text).one("textarea").text == text
    answer = post_form(client, f"{BASE}/recover", code='" href="/x')
    assert read_html(answer.text).one(id="code")["value"] == '" href="/x'


def test_only_addresses_of_ours_get_the_path() -> None:
    for html, seen in (
        ('<a class="x" href="/">', '<a class="x" href="/pyramid/">'),
        ('<a\nhref="/g/a?x=/y">', '<a\nhref="/pyramid/g/a?x=/y">'),
        ('<form action="/d" hx-post="/d">', '<form action="/pyramid/d" hx-post="/pyramid/d">'),
        ('<a href="">', '<a href="">'),
        ('<a href="?at=1">', '<a href="?at=1">'),
        ('<use href="#spade">', '<use href="#spade">'),
        ('<input name="next" value="/g/a">', '<input name="next" value="/g/a">'),
        ("href=&#34;/", "href=&#34;/"),
    ):
        assert html_below(BASE, html) == seen
        assert html_below(BASE, Markup(html)) == seen  # noqa: S704 - as fragments are.
        assert html_below("", html) == html


# ---- Cookies, and https ----


def test_a_cookie_over_https_is_bound_to_it_and_to_the_path(proxy: Proxy, running: TestClient) -> None:
    visitor = client_of(proxy, "https://testserver")
    visitor.portal = running.portal
    answer = post_form(visitor, f"{BASE}/d/endless/a", version="0", action="draw")
    name, *flags = answer.headers["set-cookie"].split("; ")
    assert name.startswith("__Secure-pyramid_player=")
    assert set(flags) == {"HttpOnly", "Max-Age=34560000", f"Path={BASE}", "SameSite=lax", "Secure"}
    assert visitor.get(answer.headers["location"]).status_code == 200
    gone = post_form(visitor, f"{BASE}/you/delete", sure="yes").headers.get_list("set-cookie")
    assert [f"Path={BASE}" in one for one in gone] == [True, True]
    assert len(visitor.cookies) == 0


def test_another_game_at_the_root_of_the_same_host_is_no_trouble(client: TestClient, api: Api) -> None:
    game = api.create(seed=SEED)
    own = client.cookies["pyramid_player"]
    client.cookies.clear()
    # Browsers send the cookie of the longer path first.
    sent = f"pyramid_player={own}; pyramid_settings=; pyramid_player={'x' * 43}; pyramid_settings=theme%3Ddark"
    answer = client.get(f"{BASE}/g/{game['id']}", headers={"Cookie": sent})
    assert answer.status_code == 200
    assert 'data-theme="dark"' not in answer.text


def test_browsers_are_bound_to_https_only_over_https_and_if_that_is_wanted(tmp_path: Path) -> None:
    found = {}
    for wanted in (True, False):
        for scheme in ("https", "http"):
            folder = tmp_path / f"{scheme}-{wanted}"
            folder.mkdir()
            databases.fill(folder)
            with client_of(make_app(folder, Clock(), hsts=wanted), f"{scheme}://testserver") as visitor:
                sent = [visitor.get("/"), visitor.get("/nothing"), visitor.get("/static/icon.svg"), visitor.put("/")]
                sent += [visitor.get("/api/v1/deals/endless/a"), visitor.get("/new?seed=a")]
                found[wanted, scheme] = {answer.headers.get("strict-transport-security") for answer in sent}
    year = "max-age=31536000"
    assert found == {(True, "https"): {year}, (True, "http"): {None}, (False, "https"): {None}, (False, "http"): {None}}


# ---- The setting ----


def test_a_path_that_begins_as_an_address_of_ours_is_refused() -> None:
    """Else nobody could tell whether the proxy has taken it off."""
    own = {route.path.split("/")[1] for route in ROUTES if isinstance(route, Route)} | {"api", "static"}
    for path in sorted(own - {""}):
        for base in (f"/{path}", f"/{path}/pyramid"):
            with pytest.raises(ValidationError, match="begins like an address of the game's own"):
                Settings(base_path=base)
    for base in ("/pyramid", "/games/pyramid", "/dd", "/static-files", "/pyramid/d", "/cards.d"):
        assert Settings(base_path=base + "/").base_path == base


def test_a_path_that_only_begins_with_the_same_letters_is_not_taken_off(tmp_path: Path) -> None:
    databases.fill(tmp_path)
    with client_of(make_app(tmp_path, Clock(), base_path=BASE)) as visitor:
        statuses = {
            path: visitor.get(path).status_code for path in ("/pyramids/", "/pyramidx", "/x/pyramid/", "/rules")
        }
    assert statuses == {"/pyramids/": 404, "/pyramidx": 404, "/x/pyramid/": 404, "/rules": 200}
