import pytest

from app.web.deps import PREFERENCES_COOKIE
from tests.browser.player import Player, Slow

pytestmark = pytest.mark.browser

_HIDE = """() => {
    Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_p_pauses_and_goes_on(player: Player) -> None:
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    player.page.keyboard.press("p")
    player.page.wait_for_selector("#resume")
    assert player.page.locator("#table [name=card]").count() == 0
    player.page.keyboard.press("p")
    player.page.wait_for_selector("#table [name=card]")
    assert player.page.locator("#table [name=card]").count() > 20


@pytest.mark.parametrize("timer", ["on", "off"])
def test_a_table_that_is_no_longer_seen_pauses(player: Player, timer: str) -> None:
    wish = {"name": PREFERENCES_COOKIE, "value": f"timer={timer}", "url": player.visitor.url}
    player.visitor.context.add_cookies([wish])
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    player.page.evaluate(_HIDE)
    player.page.wait_for_selector("#resume", state="attached")
    assert player.page.locator("#table [name=card]").count() == 0


def test_a_table_that_is_left_with_a_move_under_way_pauses_after_it(player: Player) -> None:
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    slow = Slow(player)
    player.stock.click()
    player.page.evaluate(_HIDE)
    slow.go_on()
    player.page.wait_for_selector("#resume", state="attached")
    assert player.version == 2


@pytest.mark.parametrize("status", [503, 404])
def test_a_pause_that_does_not_take_is_not_tried_again_and_again(player: Player, status: int) -> None:
    player.visitor.expects(f"the server responded with a status of {status}")
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    fault = {"status": status, "headers": {"HX-Reswap": "none", "Content-Type": "text/html"}, "body": "<p>No.</p>"}
    player.page.route("**/g/*", lambda route: route.fulfill(**fault))
    player.stock.click()
    player.page.evaluate(_HIDE)
    player.page.wait_for_timeout(500)
    assert 1 <= len(player.visitor.posts) <= 2


def test_a_game_that_cannot_be_paused_is_not(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/menu", lambda route: route.abort())
    player.open("/d/endless/a")
    player.page.locator("#hint").click()
    player.page.wait_for_selector(".notice.hint")
    player.page.evaluate(_HIDE)
    player.page.wait_for_timeout(300)
    assert len(player.visitor.posts) == 1


def test_a_reload_pauses_nothing(player: Player) -> None:
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    for _ in range(3):
        player.page.reload()
        player.page.wait_for_selector("#table [name=card]")
    player.page.goto(player.page.url.replace(f"/g/{game['id']}", "/rules"))
    player.page.go_back()
    player.page.wait_for_selector("#table [name=card]")
