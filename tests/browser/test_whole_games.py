"""Whole games, from a link to the win: by mouse, by keyboard alone, and without script; and nothing in them jumps."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import SHIFTS, Player
from tests.playthroughs import Win, wins

pytestmark = pytest.mark.browser

WINS = {win.rules: win for win in wins()}
SHORT = WINS["tuts-tomb"]
"""Of the games with a redeal the one with the fewest presses."""


def link(win: Win) -> str:
    return f"/d/{win.rules}/{win.deal}"


def is_won(player: Player, win: Win, more: int = 0) -> None:
    """The page says plainly that the game is won, and in how many moves: those of the line, and some more."""
    notice = player.page.locator(".notice.won")
    expect(notice).to_contain_text(f"You won, in {len(win.actions) + more} moves")
    expect(notice.get_by_role("link", name="New deal")).to_be_visible()
    expect(player.page.get_by_role("link", name="New deal")).to_have_count(1)
    assert not [card for card in player.every("#table [name=card]", "id") if card.startswith("r")]


def jumps(player: Player) -> list[Any]:
    """What has moved by itself, and how much of the screen."""
    found: list[Any] = player.page.evaluate("() => window.shifts")
    # To the hundredth, as layout shifts are commonly told: a count that grows by a digit in the middle of its line is
    # less. A tap before it excuses none.
    return found if round(sum(value for value, _ in found), 2) else []


def rests(player: Player) -> None:
    """Wait until all that follows from the last action has been seen."""
    expect(player.page.locator(".ghosts > *, .verdict.thinking")).to_have_count(0)
    # The browser tells of a jump a little later.
    player.page.wait_for_timeout(300)


def test_a_game_is_won_by_mouse(player: Player) -> None:
    win = SHORT
    player.open(link(win))
    player.act(*win.actions)
    is_won(player, win)
    assert len(player.visitor.posts) == len(win.actions)


# The cards fly, and must not be in the way of a hasty player's next click.
@pytest.mark.parametrize(
    ("rules", "width", "height"),
    [("endless", 360, 640), ("three-piles", 360, 640), ("open", 1280, 720)],
)
def test_a_game_with_a_hint_is_won_and_nothing_on_the_table_jumps(
    visit: Visit, rules: str, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    player = visit(first=SHIFTS, viewport=size, reduced_motion="no-preference").player()
    win = WINS[rules]
    half = len(win.actions) // 2
    player.open(link(win))
    player.act(*win.actions[:half])
    # Nothing was posted but the actions: every king went in one click, every pair in two.
    assert len(player.visitor.posts) == half
    player.page.locator("#hint").click()
    player.page.locator(".notice.hint").wait_for()
    player.act("undo", "redo", *win.actions[half:-1])
    # The win itself is another picture: said where the pyramid stood.
    player.page.locator(".verdict").wait_for()
    rests(player)
    assert jumps(player) == []
    player.act(win.actions[-1])
    is_won(player, win, more=2)
    assert len(player.visitor.posts) == len(win.actions) + 3
    rests(player)
    assert jumps(player) == []


def test_a_game_is_won_by_keyboard_alone(player: Player) -> None:
    # It begins with a pair: before anything is walked to, a key that draws leaves the focus to the page.
    win = WINS["open"]
    player.open(link(win))
    for action in win.actions:
        player.key_in(action)
        assert player.page.evaluate("() => document.activeElement.closest('#table') !== null"), action
    is_won(player, win)
    expect(player.page.locator(".notice.won a").first).to_be_focused()


def test_a_game_is_won_without_script(visit: Visit) -> None:
    player = visit(java_script_enabled=False).player()
    player.open(link(SHORT))
    for version, action in enumerate(SHORT.actions):
        assert player.version == version
        player.act_plainly(action)
    is_won(player, SHORT)


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
