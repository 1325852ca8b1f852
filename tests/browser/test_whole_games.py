"""Whole games, from a link to the win: by mouse, by keyboard alone, and without script."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import Win, wins

pytestmark = pytest.mark.browser

WINS = {win.rules: win for win in wins()}
ENDLESS = WINS["endless"]


def link(win: Win) -> str:
    return f"/d/{win.rules}/{win.deal}"


def is_won(player: Player, win: Win) -> None:
    """The page says plainly that the game is won, and in how many moves."""
    notice = player.page.locator(".notice.won")
    expect(notice).to_contain_text(f"You won, in {len(win.actions)} moves")
    expect(notice.get_by_role("link", name="New deal")).to_be_visible()
    assert not [card for card in player.every("#table [name=card]", "id") if card.startswith("r")]


@pytest.mark.parametrize("rules", ["endless", "three-piles", "open", "tuts-tomb"])
def test_a_game_is_won_by_mouse(visit: Visit, rules: str) -> None:
    win = WINS[rules]
    # In one of the games the cards fly, and must not be in the way of a hasty player's next click.
    player = visit(reduced_motion="no-preference" if rules == "open" else "reduce").player()
    player.open(link(win))
    player.act(*win.actions)
    is_won(player, win)
    # Nothing was posted but the actions: every king went in one click, every pair in two.
    assert len(player.visitor.posts) == len(win.actions)


def test_a_game_is_won_by_keyboard_alone(player: Player) -> None:
    player.open(link(ENDLESS))
    for action in ENDLESS.actions:
        player.key_in(action)
        assert player.page.evaluate("() => document.activeElement.closest('#table') !== null"), action
    is_won(player, ENDLESS)


def test_a_game_is_won_without_script(visit: Visit) -> None:
    player = visit(java_script_enabled=False).player()
    player.open(link(ENDLESS))
    for version, action in enumerate(ENDLESS.actions):
        assert player.version == version
        player.act_plainly(action)
    is_won(player, ENDLESS)


def test_a_won_game_can_be_undone_and_is_won_again_by_redo(visit: Visit) -> None:
    visitor = visit()
    win = WINS["three-piles"]
    game = visitor.begun(win.rules, win.deal, *win.actions[:-1])
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    player.act(win.actions[-1], "undo")
    expect(player.page.locator(".notice")).to_have_count(0)
    assert player.card(win.actions[-1][:2]).is_visible()
    player.act("redo")
    is_won(player, win)
