"""What htmx must do with our forms; each new version of it has to pass these."""

import re
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from app.web.deps import PREFERENCES_COOKIE
from tests.browser.conftest import Visit
from tests.browser.player import Player, Slow, Visitor, wait_until
from tests.web.server import Server

pytestmark = pytest.mark.browser

REFUSED = "Failed to load resource: the server responded with a status of {}"


@pytest.fixture
def player(visitor: Visitor) -> Player:
    """A player in a game on seed "a" after one draw."""
    game = visitor.begun("endless", "a", "draw")
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    return player


def settled(player: Player) -> None:
    """Wait until whatever would still be posted has been."""
    player.page.wait_for_timeout(150)


def game_of(player: Player) -> dict[str, object]:
    """The player's game as the server knows it."""
    return player.visitor.api(f"/games/{player.path.removeprefix('/g/')}")


def test_the_pressed_buttons_value_is_posted(player: Player) -> None:
    player.act("draw", "Kc", "6c+7d")
    sent = [post.post_data_json for post in player.visitor.posts]
    assert [(one["version"], one.get("action"), one.get("card")) for one in sent] == [
        ("1", "draw", None),
        ("2", None, "Kc"),
        ("3", None, "7d"),
    ]


def test_a_double_click_is_one_move(player: Player) -> None:
    player.stock.dblclick()
    player.reaches(2)
    player.card("Kc").dblclick()
    player.reaches(3)
    player.card("6c").click()
    player.card("7d").dblclick()
    player.reaches(4)
    assert len(player.visitor.posts) == 3
    assert game_of(player)["version"] == 4


def test_a_triple_click_on_a_slow_server_is_one_move(player: Player) -> None:
    slow = Slow(player)
    player.stock.click(click_count=3)
    slow.go_on()
    player.reaches(2)
    settled(player)
    assert len(player.visitor.posts) == 1
    assert game_of(player)["version"] == 2


def test_the_menu_stays_as_it_is_until_another_is_due(player: Player) -> None:
    menu, fetched = player.page.locator(".menu"), []
    player.page.on("request", lambda request: fetched.append(request.url) if request.url.endswith("/menu") else None)
    player.open("/d/endless/b")
    player.act("draw")
    path = player.path
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Give up …")).to_have_attribute("href", f"{path}/leave")
    # Opened while it is on the way, it would be asked for again.
    expect(menu.locator("a")).to_have_count(6)
    own = menu.element_handle()
    player.act("draw", "undo", "draw")
    assert own.evaluate("(menu) => menu.isConnected")
    menu.locator("summary").click()
    assert menu.locator(".key").all_inner_texts() == [
        "More",
        "Pause",
        "Restart this deal",
        "Link to this deal",
        "Can this deal be won?",
        "Board",
        "Settings",
        "Give up …",
    ]
    assert fetched == [f"{player.visitor.url}{path}/menu"]


def test_a_menu_that_did_not_come_is_fetched_when_it_is_opened_and_pausing_goes_without_it(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/menu", lambda route: route.abort())
    player.open("/d/endless/c")
    player.act("draw")
    menu = player.page.locator(".menu")
    expect(menu.locator("a")).to_have_count(0)
    player.page.keyboard.press("p")
    expect(player.page.locator(".notice.paused")).to_be_visible()
    player.page.locator("#resume").click()
    player.reaches(1)
    player.page.unroute("**/menu")
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Give up …")).to_be_visible()


def test_a_menu_that_does_not_come_closes_with_a_word_and_can_be_tried_again(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/menu", lambda route: route.abort())
    player.open("/d/endless/c")
    player.act("draw")
    menu, toast = player.page.locator(".menu"), player.page.locator("#toast")
    expect(menu.locator("a")).to_have_count(0)
    expect(toast).to_be_hidden()
    menu.locator("summary").click()
    expect(toast).to_be_visible()
    expect(menu).not_to_have_attribute("open", "")
    player.page.unroute("**/menu")
    player.page.locator("#retry").click()
    expect(menu.get_by_role("link", name="Give up …")).to_be_visible()
    expect(toast).to_be_hidden()


def test_what_is_tried_again_is_the_move_that_failed_whatever_else_was_pressed(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "net::ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.abort()

    player.page.route("**/g/**", hold)
    player.stock.click()
    player.page.keyboard.press("u")
    wait_until(player.page, lambda: held)
    held.pop().abort()
    expect(player.page.locator("#toast")).to_be_visible()
    player.page.unroute("**/g/**")
    player.page.locator("#retry").click()
    player.reaches(2)
    assert [post.post_data_json.get("action") for post in player.visitor.posts][-1] == "draw"
    assert game_of(player)["version"] == 2


def test_a_menu_that_does_not_come_takes_no_move_from_what_is_tried_again(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/menu", lambda route: route.abort())
    player.open("/d/endless/c")
    player.act("draw")
    player.page.route("**/g/*", lambda route: route.abort())
    player.stock.click()
    expect(player.page.locator("#toast")).to_be_visible()
    player.page.locator(".menu summary").click()
    expect(player.page.locator(".menu")).not_to_have_attribute("open", "")
    player.page.unroute("**/g/*")
    player.page.locator("#retry").click()
    player.reaches(2)


def test_a_menu_on_the_way_is_not_asked_for_again(player: Player) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    player.page.route("**/menu", hold)
    player.open("/d/endless/c")
    player.act("draw")
    menu = player.page.locator(".menu")
    for _ in range(3):
        menu.locator("summary").click()
    waiting[0].continue_()
    expect(menu.get_by_role("link", name="Give up …")).to_be_visible()
    assert len(waiting) == 1


def test_a_table_without_its_menu_can_be_paused_whatever_is_told_of_time(player: Player) -> None:
    visitor = player.visitor
    visitor.context.add_cookies([{"name": PREFERENCES_COOKIE, "value": "timer=off", "url": visitor.url}])
    visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/menu", lambda route: route.abort())
    player.open("/d/endless/c")
    player.act("draw", "draw", "draw")
    assert player.page.locator("[name=pause]").count() == 1
    player.page.keyboard.press("p")
    expect(player.page.locator("#resume")).to_be_visible()


def test_what_is_pressed_while_a_move_is_on_its_way_follows_it_in_its_turn(player: Player) -> None:
    slow = Slow(player)
    player.press("Kc")
    player.press("6c+7d")
    player.stock.click()
    player.press("2s")
    wait_until(player.page, lambda: slow.waiting)
    # What has been pressed shows it: the king, the pair, the stock; and the next card can be chosen.
    assert set(player.every("#table .sent", "value")) == {"Kc", "6c", "7d", "draw"}
    assert player.every("#table [aria-pressed=true]", "value") == ["2s"]
    assert len(slow.waiting) == 1
    slow.go_on()
    player.reaches(4)
    settled(player)
    sent = [post.post_data_json for post in player.visitor.posts]
    assert [(one["version"], one.get("action") or one["card"], one["chosen"]) for one in sent] == [
        ("1", "Kc", ""),
        ("2", "7d", "6c"),
        ("3", "draw", ""),
    ]
    assert player.page.locator(".sent").count() == 0
    assert player.every("#table [aria-pressed=true]", "value") == ["2s"]
    player.press("Jh")
    player.reaches(5)


def test_every_tap_on_the_stock_of_a_distant_server_counts(player: Player) -> None:
    def delayed(route: Route) -> None:
        player.page.wait_for_timeout(100)
        route.continue_()

    player.page.route("**/g/*", delayed)
    # Each is a press of its own, as fingers make them; in the midst of the answers and of their swaps.
    for _ in range(6):
        player.stock.dispatch_event("click", {"detail": 1})
        player.page.wait_for_timeout(70)
    player.reaches(7)
    settled(player)
    sent = [post.post_data_json for post in player.visitor.posts]
    assert [one["version"] for one in sent] == ["1", "2", "3", "4", "5", "6"]
    assert game_of(player)["version"] == 7


def test_a_card_on_its_way_is_not_pressed_once_more(player: Player) -> None:
    slow = Slow(player)
    player.press("6c+7d")
    for code in ("7d", "6c", "7d"):
        player.card(code).dispatch_event("click", {"detail": 1})
    slow.go_on()
    player.reaches(2)
    settled(player)
    assert len(player.visitor.posts) == 1
    assert not player.every("#table [aria-pressed=true]", "value")


@pytest.mark.parametrize("status", [None, 500, 409])
def test_what_was_kept_is_forgotten_where_the_move_before_it_did_not_take(player: Player, status: int | None) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch", REFUSED.format(status))
    held: list[Route] = []
    if status == 409:
        other = player.visitor.player()
        other.open(player.path)
        other.act("Kc")

    def hold(route: Route) -> None:
        held.append(route)

    player.page.route("**/g/*", hold)
    player.press("6c+7d")
    player.stock.click()
    wait_until(player.page, lambda: held)
    if status is None:
        held.pop().abort()
    elif status == 500:
        held.pop().fulfill(status=500, content_type="text/html", body="<h1>No</h1>")
    else:
        held.pop().continue_()
    player.page.locator("#toast:not([hidden]), .notice.stale").wait_for()
    player.page.unroute("**/g/*")
    settled(player)
    assert len(player.visitor.posts) == (2 if status == 409 else 1)
    assert game_of(player)["version"] == (2 if status == 409 else 1)
    assert player.page.locator(".sent").count() == 0
    if status == 409:
        return
    # The pair is as it was before the press that failed, and is what is tried again.
    assert player.every("#table [aria-pressed=true]", "value") == ["6c"]
    player.page.locator("#retry").click()
    player.reaches(2)
    settled(player)
    assert game_of(player)["version"] == 2
    assert {"6c", "7d"}.isdisjoint(player.cards())


def test_nothing_follows_a_pause_or_what_can_no_longer_be_pressed(player: Player) -> None:
    slow = Slow(player)
    player.stock.click()
    player.page.keyboard.press("p")
    player.page.keyboard.press("u")
    slow.go_on()
    player.page.locator("#resume").wait_for()
    settled(player)
    assert game_of(player)["version"] == 2
    player.page.locator("#resume").click()
    player.page.locator("#table [name=card]").first.wait_for()
    player.act("undo")
    slow = Slow(player)
    player.page.keyboard.press("u")
    player.page.keyboard.press("u")
    player.stock.click()
    slow.go_on()
    player.reaches(4)
    settled(player)
    # There was nothing left to undo, and what was pressed after it was meant for another table.
    assert game_of(player)["version"] == 4


@pytest.mark.parametrize("key", ["Control", "Meta"])
def test_the_keys_that_undo_elsewhere_undo_here(player: Player, key: str) -> None:
    player.page.keyboard.press(f"{key}+z")
    player.reaches(2)
    player.page.keyboard.press(f"{key}+Shift+Z")
    player.reaches(3)
    player.page.keyboard.press("Control+z")
    player.reaches(4)
    player.page.keyboard.press("Control+y")
    player.reaches(5)
    actions = [post.post_data_json["action"] for post in player.visitor.posts]
    assert actions == ["undo", "redo", "undo", "redo"]


def test_a_hint_that_did_not_come_is_what_is_tried_again(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.act("draw")
    player.page.route("**/g/*", lambda route: route.abort())
    player.page.keyboard.press("h")
    player.page.locator("#toast").wait_for()
    player.page.unroute("**/g/*")
    player.page.locator("#retry").click()
    player.page.locator(".notice.hint").wait_for()
    assert game_of(player)["version"] == 2
    expect(player.page.locator("#toast")).to_be_hidden()


def test_what_failed_is_put_away_by_its_key(player: Player) -> None:
    player.visitor.expects("net::ERR_FAILED", "Failed to fetch")
    player.page.route("**/g/*", lambda route: route.abort())
    player.stock.click()
    close = player.page.get_by_role("alert").get_by_role("button", name="Close")
    close.focus()
    player.page.keyboard.press("Enter")
    expect(player.page.locator("#toast")).to_be_hidden()
    assert player.focused() == "stock"


def test_a_stale_tab_is_told_so_and_shows_the_table_as_it_stands(player: Player) -> None:
    player.visitor.expects(REFUSED.format(409))
    stale = player.visitor.player()
    stale.open(player.path)
    player.act("Kc", "6c+7d")
    with stale.page.expect_response("**/g/*") as answered:
        stale.press("2s+Jh")
    assert answered.value.status == 409
    stale.reaches(3)
    expect(stale.page.locator(".notice")).to_have_text("The table has changed since; this is how it stands now.")
    assert stale.says("The table has changed since")
    assert stale.shown() == player.shown()
    # And there the game goes on.
    stale.act("2s+Jh")
    expect(stale.page.locator(".notice")).to_have_count(0)


def test_what_the_rules_refuse_is_shown_and_said(player: Player) -> None:
    player.visitor.expects(REFUSED.format(422))
    before = player.shown()
    player.stock.evaluate("(button) => { button.value = 'redeal'; }")
    player.stock.click()
    expect(player.page.locator(".notice")).to_have_text("The waste goes back only when the stock is empty.")
    assert player.says("The waste goes back only when the stock is empty.")
    assert player.shown() == before
    player.act("draw")


def test_a_broken_server_leaves_the_table_and_the_move_can_be_tried_again(player: Player) -> None:
    player.visitor.expects(REFUSED.format(500))
    before = player.shown()
    player.page.route("**/g/*", lambda route: route.fulfill(status=500, content_type="text/html", body="<h1>No</h1>"))
    player.press("6c+7d")
    toast = player.page.get_by_role("alert")
    expect(toast).to_contain_text("Could not reach the server; nothing is lost.")
    assert player.shown() == before
    player.page.unroute("**/g/*")
    toast.get_by_role("button", name="Try again").click()
    player.reaches(2)
    expect(toast).to_have_count(0)
    assert {"6c", "7d"}.isdisjoint(player.cards())


def test_while_the_server_is_down_nothing_is_lost_and_try_again_goes_on(visit: Visit, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = Server(tmp_path / "data", options=("--port", str(port), "--data", str(tmp_path / "data")))
    with own:
        player = visit(own.url).player()
        player.visitor.expects("net::ERR_", "Failed to fetch")
        player.open("/d/endless/a")
        player.act("Kc")
        before = player.shown()
        own.kill()
        player.press("2s+Jh")
        toast = player.page.get_by_role("alert")
        expect(toast).to_contain_text("Could not reach the server; nothing is lost.")
        toast.get_by_role("button", name="Try again").click()
        expect(toast).to_contain_text("Could not reach the server; nothing is lost.")
        assert player.shown() == before
        own.start()
        toast.get_by_role("button", name="Try again").click()
        player.reaches(2)
        expect(toast).to_have_count(0)
        assert {"2s", "Jh"}.isdisjoint(player.cards())
        player.page.reload()
        assert player.version == 2
        player.visitor.context.close()


def test_back_from_another_page_shows_the_table_as_it_stands(player: Player) -> None:
    player.act("Kc")
    player.page.get_by_role("link", name="Rules").click()
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Rules")
    # Meanwhile the game goes on in another tab.
    other = player.visitor.player()
    other.open(f"/g/{player.visitor.posts[0].url.rpartition('/')[2]}")
    other.act("2s+Jh")
    player.page.go_back()
    player.reaches(3)
    expect(player.page.get_by_role("heading", level=1)).to_contain_text("Endless")
    assert player.shown() == other.shown()
    player.act("6c+7d")


def test_back_leaves_the_game_and_undoes_nothing(player: Player) -> None:
    player.open("/")
    player.open("/d/endless/a")
    player.act("draw", "draw", "Kc")
    player.page.go_back()
    expect(player.page).to_have_url(f"{player.visitor.url}/")
    player.page.go_forward()
    player.reaches(3)
    assert re.fullmatch(r"/g/[A-Za-z0-9_-]+", player.path)


def test_a_page_that_is_opened_again_is_whole_and_current(player: Player) -> None:
    player.act("Kc", "draw")
    before, path = player.shown(), player.path
    player.page.close()
    again = player.visitor.player()
    again.open(path)
    assert again.shown() == before
    expect(again.page.get_by_role("link", name="Pyramid 13")).to_be_visible()
    again.act("6c+7d")


def test_the_policy_refuses_foreign_script_and_the_watch_of_these_tests_notices_it(player: Player) -> None:
    player.visitor.expects("policy", "Content Security Policy", "another host: https://pyramid.invalid")
    player.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'foreign'";
        document.body.append(script);
        const picture = new Image();
        picture.src = "https://pyramid.invalid/picture.png";
    }""")
    player.page.wait_for_timeout(50)
    assert player.page.title() != "foreign"
    assert any("script-src" in heard for heard in player.visitor.heard)
    assert any("img-src" in heard for heard in player.visitor.heard)
