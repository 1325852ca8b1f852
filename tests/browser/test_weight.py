"""What goes over the wire, as the browser receives it.

Times are measured by tests/bench/hand.py; here stands what is the same on every machine."""

from itertools import product
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from app.web.language import CODES
from tests.browser.conftest import Visit, has_tabs
from tests.browser.line import Line
from tests.browser.player import SHIFTS, Player, wait_until
from tests.playthroughs import wins
from tests.web.server import Server

pytestmark = pytest.mark.browser

FIRST_VIEW = 40 * 1000
WORKER = 20 * 1000
REPEAT_VIEW = 8 * 1000
REQUESTS = 6
MOVE = 1500
WINS = {win.rules: win for win in wins()}

# As the browser asks for it by itself.
ICON = """() => new Promise((done, fail) => {
    const icon = new Image();
    [icon.onload, icon.onerror] = [() => done(), fail];
    icon.src = document.querySelector("link[rel=icon]").href;
})"""


class Wire:
    """Every answer that a page has received: its address, and its bytes on the wire, headers included.

    What the browser had kept, and has not received, is known by its address."""

    def __init__(self, player: Player) -> None:
        self.received: list[tuple[str, float]] = []
        self.kept: list[str] = []
        self._urls: dict[str, str] = {}
        self._session = player.visitor.context.new_cdp_session(player.page)
        self._session.on("Network.requestWillBeSent", self._asked)
        self._session.on(
            "Network.requestServedFromCache", lambda event: self.kept.append(self._urls[event["requestId"]])
        )
        self._session.on("Network.loadingFinished", self._loaded)
        self._session.send("Network.enable")

    def forget(self) -> None:
        """From now on the browser keeps nothing: every view is a first one."""
        self._session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _asked(self, event: dict[str, Any]) -> None:
        self._urls[event["requestId"]] = event["request"]["url"]

    def _loaded(self, event: dict[str, Any]) -> None:
        self.received.append((self._urls[event["requestId"]], event["encodedDataLength"]))

    def taken(self) -> float:
        """The bytes received since it was last asked."""
        taken = sum(size for _, size in self.received)
        self.received.clear()
        return taken


def view(page: Page, path: str) -> None:
    """Go to a page, and see its icon."""
    page.goto(path)
    browser = page.context.browser
    if browser is not None and not has_tabs(browser):
        page.evaluate(ICON)


def first_view(wire: Wire, player: Player, path: str) -> tuple[list[str], float]:
    """What a first view asks for, and the bytes that come."""
    view(player.page, path)
    # The icon comes last, when the page is already there.
    wait_until(player.page, lambda: any("/icon.svg" in url for url, _ in wire.received))
    # All of them from this server; the watch over every page sees to that.
    assert [url for url in wire.kept if not url.startswith("data:")] == []
    return [url for url, _ in wire.received if not url.startswith("data:")], wire.taken()


def test_the_first_view_is_light_in_every_language(visit: Visit) -> None:
    player = visit(alone=True).player()
    wire = Wire(player)
    wire.forget()
    for path, language in product(("/", "/d/endless/win-14", "/d/three-piles/win-5", "/rules"), CODES):
        player.page.set_extra_http_headers({"Accept-Language": language})
        asked, taken = first_view(wire, player, path)
        assert player.page.locator("html").get_attribute("lang") == language
        assert 0 < len(asked) <= REQUESTS, (language, asked)
        assert taken <= FIRST_VIEW, (language, asked)


@pytest.mark.parametrize("path", ["/", "/d/endless/win-14", "/rules"])
def test_a_repeat_view_is_lighter_still_with_all_that_the_worker_asks_for(
    visit: Visit, server: Server, path: str
) -> None:
    with Line(server.port).running() as line:
        page = visit(line.url, service_workers="allow").player().page
        view(page, path)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        line.rest()
        assert REPEAT_VIEW < line.down <= FIRST_VIEW + WORKER
        line.reset()
        view(page, path)
        line.rest()
        assert 0 < line.down <= REPEAT_VIEW


@pytest.mark.parametrize("path", ["/d/open/win-2", "/s/endless/win-14?at=3", "a replay"])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 720)])
def test_a_table_that_comes_slowly_is_whole_when_it_is_first_painted(
    visit: Visit, server: Server, path: str, width: int, height: int
) -> None:
    """The page comes slowly, what it is drawn with has been kept from a first view."""
    with Line(server.port).running() as line:
        player = visit(line.url, first=SHIFTS, viewport={"width": width, "height": height}).player()
        if path == "a replay":
            player.open("/d/open/win-2")
            player.act("draw")
            path = urlsplit(player.page.url).path + "/replay"
        view(player.page, path)
        line.rest()
        line.trickle(40_000, 100)
        view(player.page, path)
        player.page.wait_for_timeout(300)
        assert player.page.evaluate("() => window.shifts") == []


@pytest.mark.parametrize("rules", ["three-piles", "open"])
def test_a_moves_answer_is_light(visit: Visit, rules: str) -> None:
    win = WINS[rules]
    player = visit().player()
    player.open(f"/d/{rules}/{win.deal}")
    # The table is fullest, and its answer heaviest, at the beginning.
    player.act(*win.actions[:8])
    answers = [post.response() for post in player.visitor.posts]
    sizes = [post.sizes()["responseBodySize"] for post in player.visitor.posts]
    assert [answer.all_headers()["content-encoding"] for answer in answers if answer] == ["gzip"] * 8
    assert max(sizes) <= MOVE, sizes
