"""A replay with script and without: steps, the slider, playing, looking back, sharing, playing on."""

import re
from functools import cache

import pytest
from playwright.sync_api import Page, Route, expect

from app.rules.deal import read_deal
from app.rules.moves import action_text
from app.rules.ruleset import NAMED
from app.rules.state import apply, legal_moves, start
from app.solver.solve import Lost, Won, solve
from app.web.language import CODES
from tests.browser.conftest import Before, Visit
from tests.browser.faults import faults
from tests.browser.player import JsonObject, Player, Visitor
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

PLAYED = ("draw", "Kc", "undo", "redo", "6c+7d", "draw")
GAME = re.compile(r".*/g/[A-Za-z0-9_-]{12,}$")


def finished(visitor: Visitor, rules: str = "endless", seed: str = "a", actions: tuple[str, ...] = PLAYED) -> str:
    """The address of a replay of a game that was given up."""
    game: JsonObject = visitor.begun(rules, seed, *actions)
    visitor.context.request.post(f"/api/v1/games/{game['id']}/leave")
    return f"/g/{game['id']}/replay"


@cache
def losing() -> tuple[str, ...]:
    """Moves of a deal, the last of which loses it."""
    state, actions = start(NAMED["open"], read_deal("2").deck), list[str]()
    while True:
        for move in legal_moves(state):
            if isinstance(solve(apply(state, move), fewest=False), Lost):
                return (*actions, action_text(move))
        answer = solve(state, fewest=False)
        assert isinstance(answer, Won)
        actions.append(action_text(answer.line[0]))
        state = apply(state, answer.line[0])


def is_at(page: Page, number: int) -> None:
    """Wait until a position is shown, and everything with it."""
    expect(page.locator("#position")).to_have_attribute("data-at", str(number))
    expect(page.locator("#at")).to_have_value(str(number))
    expect(page).to_have_url(re.compile(rf"/replay(\?at={number}(&looked=1)?)?$" if number else r"/replay(\?at=0)?$"))


@pytest.fixture
def replay(player: Player) -> Player:
    player.open(finished(player.visitor))
    return player


def test_the_arrows_step_and_home_and_end_leap_without_reloading(replay: Player) -> None:
    page = replay.page
    page.evaluate("() => { window.same = true; }")
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 6), ("Home", 0)):
        page.keyboard.press(key)
        is_at(page, number)
    page.keyboard.press("ArrowLeft")
    is_at(page, 0)
    assert page.evaluate("() => window.same")
    # The address is that of the position.
    page.keyboard.press("ArrowRight")
    is_at(page, 1)
    page.reload()
    is_at(page, 1)


def test_hasty_keys_arrive_where_they_lead(replay: Player) -> None:
    for _ in range(4):
        replay.page.keyboard.press("ArrowRight")
    is_at(replay.page, 4)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_the_links_step(visit: Visit, script: bool) -> None:  # noqa: FBT001
    player = visit(java_script_enabled=script).player()
    player.open(finished(player.visitor))
    for name, number in (("Next", 1), ("Next", 2), ("Back", 1), ("End", 6), ("Start", 0)):
        player.page.get_by_role("link", name=name, exact=True).click()
        is_at(player.page, number)
    shown = player.cards()
    player.page.get_by_role("link", name="Next", exact=True).click()
    is_at(player.page, 1)
    assert player.cards()[:-1] == shown


def test_a_link_keeps_the_focus_from_step_to_step(replay: Player) -> None:
    replay.page.locator("#next").focus()
    replay.page.keyboard.press("Enter")
    is_at(replay.page, 1)
    assert replay.focused() == "next"
    replay.page.keyboard.press("Enter")
    is_at(replay.page, 2)


def test_the_slider_shows_the_position_it_is_moved_to(replay: Player) -> None:
    replay.page.locator("#at").fill("4")
    is_at(replay.page, 4)
    replay.page.locator("#at").press("ArrowRight")
    is_at(replay.page, 5)
    replay.page.locator("#at").press("Home")
    is_at(replay.page, 0)
    expect(replay.page.locator("#go")).to_be_hidden()


def test_the_slider_works_with_a_button_without_script(visit: Visit) -> None:
    player = visit(java_script_enabled=False).player()
    player.open(finished(player.visitor))
    expect(player.page.locator("#play")).to_be_hidden()
    player.page.locator("#at").press("ArrowRight")
    player.page.locator("#at").press("ArrowRight")
    player.page.get_by_role("button", name="Show").click()
    is_at(player.page, 2)


def test_space_plays_and_pauses_and_it_stops_at_the_end(replay: Player) -> None:
    page = replay.page
    page.keyboard.press("Space")
    button = page.locator("#play")
    expect(button).to_have_text("Pause")
    is_at(page, 2)
    page.keyboard.press("Space")
    expect(button).to_have_text("Play")
    at = page.locator("#position").get_attribute("data-at")
    page.wait_for_timeout(1_200)
    assert page.locator("#position").get_attribute("data-at") == at
    page.locator("#at").fill("5")
    is_at(page, 5)
    button.click()
    is_at(page, 6)
    expect(button).to_have_text("Play")
    # From the end it plays from the start.
    button.click()
    is_at(page, 0)
    expect(button).to_have_text("Pause")
    is_at(page, 1)
    page.keyboard.press("End")
    expect(button).to_have_text("Play")


def test_what_each_action_did_is_said(replay: Player) -> None:
    replay.page.keyboard.press("ArrowRight")
    is_at(replay.page, 1)
    expect(replay.live).to_have_text(re.compile("^Turned "))
    expect(replay.page.locator(".notice")).to_have_text(re.compile("^Turned "))


def test_the_look_back_arrives_by_itself_and_leads_to_the_move_that_lost(player: Player) -> None:
    actions = losing()
    player.open(finished(player.visitor, "open", "2", actions))
    marks = player.page.locator(".strip .mark")
    expect(marks).to_have_count(len(actions) + 1)
    expect(player.page.locator("[aria-current]")).to_have_attribute("data-go", "0")
    player.page.locator(".decisive a").click()
    is_at(player.page, len(actions) - 1)
    expect(player.page.locator(".strip [aria-current]")).to_have_attribute("data-go", str(len(actions) - 1))
    lost = player.page.get_by_role("link", name=f"After move {len(actions)}: lost, by this move")
    lost.click()
    is_at(player.page, len(actions))
    expect(lost).to_have_attribute("aria-current", "true")


def test_the_look_back_is_asked_for_again_until_it_is_done_and_keeps_its_place(replay: Player) -> None:
    page, asked = replay.page, list[str]()

    def not_yet(route: Route) -> None:
        asked.append(route.request.url)
        answer = route.fetch()
        if len(asked) == 3:
            route.fulfill(response=answer)
            return
        more = f'hx-get="{asked[0]}" hx-trigger="load delay:300ms" hx-swap="outerHTML"'
        route.fulfill(response=answer, body=f'<div id="lookback" {more}><p class="progress">1 of 7</p></div>')

    page.route("**/lookback*", not_yet)
    page.reload()
    expect(page.locator(".progress")).to_have_text("1 of 7")
    page.keyboard.press("ArrowRight")
    is_at(page, 1)
    expect(page.locator(".strip .mark")).to_have_count(7)
    assert len(asked) == 3
    expect(page.locator(".strip [aria-current]")).to_have_attribute("data-go", "1")


def test_the_look_back_is_a_link_away_without_script(visit: Visit) -> None:
    player = visit(java_script_enabled=False).player()
    player.open(finished(player.visitor, "open", "2", losing()))
    player.page.get_by_role("link", name="Look back on the whole game").click()
    expect(player.page.locator(".strip .mark")).to_have_count(len(losing()) + 1)
    expect(player.page.locator(".decisive")).to_contain_text("lost the game")


def test_the_link_is_made_copied_shown_to_somebody_else_and_withdrawn(visit: Visit) -> None:
    player = visit(permissions=["clipboard-read", "clipboard-write"]).player()
    page = player.page
    page.clock.install()
    player.open(finished(player.visitor))
    page.keyboard.press("ArrowRight")
    is_at(page, 1)
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied.")).to_be_visible()
    expect(page.locator("#share [role=status]")).to_have_text("Copied.")
    page.clock.run_for(2_000)
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
    # The page came back to the position that it was sent from.
    expect(page.locator("#position")).to_have_attribute("data-at", "1")
    link = page.evaluate("() => navigator.clipboard.readText()")
    stranger = visit().player()
    stranger.open(link)
    stranger.page.keyboard.press("ArrowRight")
    expect(stranger.page.locator("#position")).to_have_attribute("data-at", "1")
    expect(stranger.page.locator(".strip .mark")).to_have_count(7)
    assert stranger.visitor.context.cookies() == []
    expect(stranger.page.locator("#share")).to_have_count(0)
    page.get_by_role("button", name="Withdraw the link").click()
    expect(page.get_by_role("button", name="Make a link")).to_be_visible()
    stranger.visitor.expects("status of 404")
    stranger.page.reload()
    expect(stranger.page.locator("main")).to_contain_text("There is nothing here")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_one_plays_on_from_a_position(visit: Visit, script: bool) -> None:  # noqa: FBT001
    player = visit(java_script_enabled=script).player()
    path = finished(player.visitor)
    player.open(f"{path}?at=4")
    player.page.get_by_role("link", name="Next", exact=True).click()
    is_at(player.page, 5)
    shown = player.cards()
    player.page.get_by_role("button", name="Play on from here").click()
    expect(player.page).to_have_url(GAME)
    assert player.version == 0
    assert player.cards() == shown
    player.act("draw")


@pytest.mark.parametrize(("screen", "rules"), [((360, 640), "endless"), ((640, 360), "three-piles")])
def test_at_the_win_the_buttons_stay_where_they_were(visit: Visit, screen: tuple[int, int], rules: str) -> None:
    player = visit(viewport={"width": screen[0], "height": screen[1]}).player()
    (win,) = [win for win in wins() if win.rules == rules]
    game = player.visitor.begun(rules, win.deal, *win.actions)
    player.open(f"/g/{game['id']}/replay?at={len(win.actions) - 1}")
    before = player.page.locator("#back").bounding_box()
    player.page.keyboard.press("ArrowRight")
    is_at(player.page, len(win.actions))
    after = player.page.locator("#back").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 2


def test_the_win_is_said_at_the_end_and_nobody_plays_on_from_there(player: Player) -> None:
    (win,) = [win for win in wins() if win.rules == "open"]
    game = player.visitor.begun("open", win.deal, *win.actions)
    player.open(f"/g/{game['id']}/replay")
    player.page.keyboard.press("End")
    is_at(player.page, len(win.actions))
    expect(player.page.locator(".notice")).to_contain_text(f"Won, after {len(win.actions)} moves.")
    expect(player.page.get_by_role("button", name="Play on from here")).to_have_count(0)
    expect(player.page.locator(".summary")).to_contain_text(f"Won in {len(win.actions)} moves.")


def test_nothing_sticks_out_and_buttons_can_be_hit(player: Player) -> None:
    player.open(finished(player.visitor, "open", "2", losing()))
    expect(player.page.locator(".strip .mark")).to_have_count(len(losing()) + 1)
    for width, height in ((360, 640), (640, 360), (1280, 720)):
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.emulate_media(color_scheme="light")
        hold_apart(player, height)
        player.page.emulate_media(color_scheme="dark")
        hold_apart(player, height)


def hold_apart(player: Player, height: int) -> None:
    """The parts of a replay lie beside each other on a screen, and its buttons are large enough."""
    assert player.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    least = 36 if height < 416 else 44
    for button in player.page.locator(".key:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= least, button.text_content()
    boxes = [player.page.locator(part).bounding_box() for part in (".controls", ".seek", ".on", ".below", ".piles")]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert one is not None
            assert other is not None
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or above


# What is wider than its key, or stands away from the line beside it.
LOOSE = """() => {
    const spilt = [...document.querySelectorAll(".controls .key")].filter((one) => one.scrollWidth > one.clientWidth);
    const word = document.querySelector(".notice > p");
    const range = document.createRange();
    range.selectNodeContents(word);
    const gap = range.getBoundingClientRect().left - word.getBoundingClientRect().left;
    return [...spilt.map((one) => one.textContent), ...(gap > 12 ? [`${gap} px from its line`] : [])];
}"""


def stepped(visitor: Visitor) -> list[str]:
    """Addresses of a replay and of a solution, where much is said of the steps."""
    (win,) = [win for win in wins() if win.rules == "three-piles"]
    game = visitor.begun(win.rules, win.deal, *win.actions)
    return [f"/g/{game['id']}/replay?at=10", "/s/endless/win-14?at=18"]


@pytest.mark.parametrize("code", CODES)
def test_what_is_said_of_a_step_lies_on_nothing_and_no_key_or_name_is_cut(
    visit: Visit, before: Before, code: str
) -> None:
    player = visit(locale=code).player()
    for path in player.visitor.has_been(before(stepped)):
        player.open(path)
        for width, height in ((320, 568), (568, 320), (640, 360), (560, 420), (1024, 768)):
            player.page.set_viewport_size({"width": width, "height": height})
            found = [fault for fault in faults(player, width, height) if "touches" in fault or "cut off" in fault]
            assert found + player.page.evaluate(LOOSE) == [], (path, width)


def test_a_step_that_leads_nowhere_is_framed_as_what_cannot_be_pressed(replay: Player) -> None:
    style = "(one) => getComputedStyle(one).borderTopStyle"
    styles = [replay.page.locator(f"#{name}").evaluate(style) for name in ("first", "back", "next", "last")]
    assert styles == ["dashed", "dashed", "solid", "solid"]


def test_a_solution_is_stepped_through_in_the_manner_of_a_replay(player: Player) -> None:
    page = player.page
    player.open("/rules")
    player.open("/s/open/2")
    page.evaluate("() => { window.same = true; }")
    of = int(page.locator("#position").get_attribute("data-of") or "")

    def is_seen(number: int) -> None:
        expect(page.locator("#position")).to_have_attribute("data-at", str(number))
        expect(page).to_have_url(re.compile(rf"/s/open/2\?at={number}$" if number else "/s/open/2$"))
        expect(player.live).to_have_text(page.locator("#said").text_content() or "-")

    page.locator("#next").focus()
    for key, number in (("Enter", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        is_seen(number)
        assert player.focused() == "next"
    # At an end the focus goes to what leads back.
    for key, number, focus in (("End", of, "back"), ("Home", 0, "next")):
        page.keyboard.press(key)
        is_seen(number)
        assert player.focused() == focus
    expect(player.live).to_have_text(page.locator("#said").text_content() or "-")
    page.keyboard.press("Space")
    page.locator("#last").click()
    is_seen(of)
    assert player.says("Won.")
    assert page.evaluate("() => window.same")
    page.reload()
    expect(page.locator("#position")).to_have_attribute("data-at", str(of))
    # One step back leads to where one came from, however many were looked at.
    page.go_back()
    expect(page).to_have_url(f"{player.visitor.url}/rules")


def test_a_solution_whose_seed_stands_in_the_query_keeps_it(player: Player) -> None:
    player.open("/s/open?seed=.")
    player.page.keyboard.press("ArrowRight")
    expect(player.page).to_have_url(f"{player.visitor.url}/s/open?seed=.&at=1")
    expect(player.page.locator("#position")).to_have_attribute("data-at", "1")


def test_a_replay_keeps_the_focus_at_its_end(replay: Player) -> None:
    replay.page.locator("#next").focus()
    replay.page.keyboard.press("End")
    is_at(replay.page, 6)
    assert replay.focused() == "back"
