"""The solver's word beside the table: whether it can be won, the way back, hints."""

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.web.test_coach import LOSABLE, RULES, TO_LOSS, unwinnable

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


def test_a_solution_is_stepped_through_on_a_table(player: Player) -> None:
    player.open(f"/s/{RULES}/{LOSABLE}")
    before = player.page.locator(".notice").inner_text()
    player.page.get_by_role("link", name="Next").click()
    expect(player.page.locator(".score")).to_contain_text("Move 1 of")
    player.page.get_by_role("link", name="Back").click()
    expect(player.page.locator(".notice")).to_have_text(before)
