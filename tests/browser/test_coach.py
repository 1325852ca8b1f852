"""The solver's word beside the table: whether it can be won, the way back, hints."""

import pytest
from playwright.sync_api import Route, expect

from app.play.advice.coach import AT_ONCE_NODES
from app.rules.deal import read_deal
from app.rules.moves import DRAW
from app.rules.ruleset import NAMED
from app.rules.state import apply, start
from app.solver.solve import Unknown, solve
from tests.browser.player import Player
from tests.web.losing import LOSABLE, RULES, TO_LOSS, unwinnable

pytestmark = pytest.mark.browser


def test_the_table_says_that_it_can_still_be_won(player: Player) -> None:
    player.open("/d/endless/win-14")
    player.act("draw")
    expect(player.page.locator(".verdict")).to_have_text("Can still be won")


def test_the_move_that_loses_is_told_and_one_press_leads_back(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act(*TO_LOSS)
    expect(player.page.locator(".verdict")).to_contain_text("This game can no longer be won.")
    assert player.says("This game can no longer be won.")
    player.page.get_by_role("button", name="Undo 1 move to where it can").click()
    player.reaches(len(TO_LOSS) + 1)
    expect(player.page.locator(".verdict")).to_have_text("Can still be won")


def test_a_deal_that_cannot_be_won_is_called_so(player: Player) -> None:
    player.open(f"/d/classic/{unwinnable('classic')}")
    player.act("draw")
    expect(player.page.locator(".verdict")).to_have_text("This deal cannot be won, whatever one does.")


def test_a_hint_names_first_the_kind_of_move_then_the_cards(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act("draw", "undo")
    player.page.keyboard.press("h")
    expect(player.page.locator(".notice.hint")).to_contain_text("can go")
    expect(player.page.locator(".hinted")).to_have_count(0)
    player.page.get_by_role("button", name="Which?").click()
    expect(player.page.locator(".hinted").first).to_be_visible()
    player.reaches(2)


def test_the_cards_of_a_hint_get_the_focus_where_the_key_that_named_them_had_it(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act("draw", "undo")
    open_cards = player.page.locator("#table [name=card]:not([aria-disabled], [value^=K])")
    chosen = open_cards.first.get_attribute("value")
    open_cards.first.click()
    player.page.keyboard.press("h")
    which = player.page.get_by_role("button", name="Which?")
    which.focus()
    player.page.keyboard.press("Enter")
    expect(player.page.locator(".hinted").first).to_be_focused()
    # Nor does the hint take what was chosen.
    assert player.every("#table [aria-pressed=true]", "value") == [chosen]


def test_a_hint_asked_for_before_any_move_leaves_the_focus_where_it_is(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act("draw")
    player.page.reload()
    card = player.page.locator("#table [name=card]:not([aria-disabled])").first
    card.focus()
    player.page.keyboard.press("h")
    expect(player.page.locator(".notice.hint")).to_be_visible()
    expect(card).to_be_focused()


def test_h_pressed_again_names_the_cards(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act("draw", "undo")
    player.page.keyboard.press("h")
    player.page.locator("#which").wait_for()
    player.page.keyboard.press("h")
    expect(player.page.locator(".hinted").first).to_be_visible()
    player.page.keyboard.press("?")
    expect(player.page.get_by_role("dialog")).to_contain_text("hint; again: which cards")


def test_a_solution_is_stepped_through_on_a_table(player: Player) -> None:
    player.open(f"/s/{RULES}/{LOSABLE}")
    before = player.page.locator(".notice").inner_text()
    player.page.get_by_role("link", name="Next").click()
    expect(player.page.locator(".score")).to_contain_text("Move 1 of")
    player.page.get_by_role("link", name="Back").click()
    expect(player.page.locator(".notice")).to_have_text(before)


def test_a_move_does_not_wait_for_a_hint(player: Player) -> None:
    player.open(f"/d/{RULES}/{LOSABLE}")
    player.act("draw")
    held: list[Route] = []

    def hold_hints(route: Route) -> None:
        if "hint" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    player.page.route("**/g/*", hold_hints)
    # The move's answer has to be over before the next press counts.
    player.page.wait_for_timeout(200)
    with player.page.expect_request(lambda request: "hint" in (request.post_data or "")):
        player.page.keyboard.press("h")
    player.page.wait_for_timeout(300)
    assert len(held) == 1
    player.act("draw")
    player.reaches(2)


def test_each_position_is_asked_about_anew(player: Player) -> None:
    asked: list[str] = []

    def hold(route: Route) -> None:
        asked.append(route.request.url.rpartition("=")[2])
        if len(asked) > 1:
            route.continue_()

    player.page.route("**/verdict?*", hold)
    player.open(f"/d/king-tut/{hard_to_tell()}")
    player.act("draw", "draw")
    expect(player.page.locator(".verdict.thinking")).to_have_count(0)
    assert asked == ["1", "2"]


def hard_to_tell() -> str:
    """A deal whose first two draws lead to positions that take longer than what stands beside a move."""
    for seed in map(str, range(1, 200)):
        state = start(NAMED["king-tut"], read_deal(seed).deck)
        after = [apply(state, DRAW), apply(apply(state, DRAW), DRAW)]
        if all(isinstance(solve(one, fewest=False, nodes=10 * AT_ONCE_NODES), Unknown) for one in after):
            return seed
    pytest.fail("every deal is told at once")
