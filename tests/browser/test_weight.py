"""What goes over the wire: the first view and a move's answer, compressed, as the browser receives them."""

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

FIRST_VIEW = 40 * 1000
REQUESTS = 6
MOVE = 1500
WINS = {win.rules: win for win in wins()}


class Wire:
    """Every answer that a page has received: its address, and its bytes on the wire, headers included."""

    def __init__(self, player: Player) -> None:
        self.received: list[tuple[str, float]] = []
        self._urls: dict[str, str] = {}
        self._session = player.visitor.context.new_cdp_session(player.page)
        self._session.on("Network.requestWillBeSent", self._asked)
        self._session.on("Network.loadingFinished", self._loaded)
        self._session.send("Network.enable")

    def _asked(self, event: dict[str, Any]) -> None:
        self._urls[event["requestId"]] = event["request"]["url"]

    def _loaded(self, event: dict[str, Any]) -> None:
        self.received.append((self._urls[event["requestId"]], event["encodedDataLength"]))


@pytest.mark.parametrize("path", ["/", "/d/endless/win-14", "/d/three-piles/win-5", "/rules"])
def test_the_first_view_is_light(player: Player, path: str) -> None:
    wire = Wire(player)
    player.page.goto(path)
    # The icon comes last, when the page is already there.
    while not any("/icon.svg" in url for url, _ in wire.received):
        player.page.wait_for_timeout(10)
    # All of them from this server; the watch over every page sees to that.
    asked = [url for url, _ in wire.received if not url.startswith("data:")]
    assert 0 < len(asked) <= REQUESTS, asked
    assert sum(size for _, size in wire.received) <= FIRST_VIEW, wire.received


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
