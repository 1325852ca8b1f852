"""A screen that is turned in the middle of a game: the same position, all of it in sight, and nobody is asked."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.faults import faults
from tests.browser.player import Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

WINS = {win.rules: win for win in wins()}
SCREENS = [(360, 640), (768, 1024)]
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
STATE = (
    """() => [location.href, history.length, document.activeElement.id, document.querySelector("#table").outerHTML]"""
)


def turned_faults(player: Player, width: int, height: int) -> list[str]:
    """What stands wrong after the screen was turned, and after it was turned back."""
    # The menu comes by a request of its own, a little after its table.
    player.page.evaluate(FRAMES)
    expect(player.page.locator(".menu[hx-get], .htmx-request")).to_have_count(0)
    asked = player.visitor.asked
    asked.clear()
    before = player.page.evaluate(STATE)
    wrong = []
    for wide, high in ((height, width), (width, height)):
        player.page.set_viewport_size({"width": wide, "height": high})
        player.page.evaluate(FRAMES)
        wrong += [f"{wide}x{high}: {fault}" for fault in faults(player, wide, high)]
        if player.page.evaluate(STATE) != before:
            wrong.append(f"{wide}x{high}: another table")
    return wrong + asked


def held(visit: Visit, size: tuple[int, int]) -> Player:
    """Someone with a phone or a tablet, whose clock stands still."""
    options = {"is_mobile": True, "has_touch": True, "viewport": {"width": size[0], "height": size[1]}}
    player = visit(alone=True, **options).player()
    player.page.clock.set_fixed_time(datetime.now(UTC))
    return player


def opens(player: Player, rules: str, actions: int | None) -> None:
    """The table of a golden win after some actions."""
    win = WINS[rules]
    player.open(f"/g/{player.visitor.begun(rules, win.deal, *win.actions[:actions])['id']}")
    player.page.wait_for_load_state()


@pytest.mark.parametrize("size", SCREENS)
def test_a_chosen_card_stays_chosen_when_the_screen_is_turned(visit: Visit, size: tuple[int, int]) -> None:
    player = held(visit, size)
    for rules in ("endless", "open", "three-piles"):
        opens(player, rules, 16)
        # No king: it would go.
        card = player.page.locator("#table [name=card]:not([aria-disabled], [value^=K])").first
        code = card.get_attribute("value")
        card.tap()
        assert player.attribute("version") == "16"
        assert turned_faults(player, *size) == []
        assert player.page.locator("#table [aria-pressed=true]").get_attribute("value") == code
        assert player.page.locator("#table [name=chosen]").input_value() == code


@pytest.mark.parametrize("size", SCREENS)
def test_a_hint_a_pause_and_a_win_stay_when_the_screen_is_turned(visit: Visit, size: tuple[int, int]) -> None:
    player = held(visit, size)
    opens(player, "endless", 9)
    player.page.locator("#hint").tap()
    player.page.locator(".notice.hint").wait_for()
    assert turned_faults(player, *size) == []
    player.page.keyboard.press("p")
    player.page.locator(".notice.paused").wait_for()
    assert turned_faults(player, *size) == []
    opens(player, "endless", None)
    player.page.locator(".notice.won .verdict.fewest").wait_for()
    assert turned_faults(player, *size) == []


def test_the_next_move_is_made_after_turning_as_before(visit: Visit) -> None:
    player = held(visit, (360, 640))
    opens(player, "three-piles", 4)
    player.page.set_viewport_size({"width": 640, "height": 360})
    for number, action in enumerate(WINS["three-piles"].actions[4:10], 5):
        for button in player.buttons(action):
            button.tap()
        player.reaches(number)
        width, height = ((360, 640), (640, 360))[number % 2]
        player.page.set_viewport_size({"width": width, "height": height})
