"""Pictures of the key pages, to be looked at: set PYRAMID_TEST_SHOTS to the folder that is to hold them."""

import os
from pathlib import Path

import pytest

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import wins

FOLDER = os.environ.get("PYRAMID_TEST_SHOTS", "")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not FOLDER, reason="PYRAMID_TEST_SHOTS names no folder for pictures"),
]

SCREENS = [(360, 640), (640, 360), (768, 1024), (1280, 720)]
WINS = {win.rules: win for win in wins()}


def shoot(player: Player, name: str) -> None:
    """A picture of the page on every screen; in the dark, too, if the player likes it dark."""
    scheme = player.page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        path = Path(FOLDER) / f"{name}-{width}x{height}-{scheme}.png"
        player.page.screenshot(path=path)


def opened(player: Player, rules: str, actions: int) -> None:
    """The table of a golden win after some actions."""
    win = WINS[rules]
    game = player.visitor.begun(rules, win.deal, *win.actions[:actions])
    player.open(f"/g/{game['id']}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_key_pages_are_pictured(visit: Visit, scheme: str) -> None:
    player = visit(color_scheme=scheme, viewport={"width": 1280, "height": 720}).player()
    player.visitor.expects("status of 422", "net::ERR", "Failed to fetch")
    player.open("/")
    shoot(player, "home-first")
    player.open("/rules")
    shoot(player, "rules")
    player.open("/d/endless/win-14")
    shoot(player, "opening")
    player.card("5h").click()
    player.page.mouse.move(0, 0)
    player.page.wait_for_timeout(150)
    shoot(player, "chosen")
    player.page.keyboard.press("ArrowRight")
    shoot(player, "focus")
    opened(player, "endless", 20)
    shoot(player, "middle")
    opened(player, "three-piles", 14)
    shoot(player, "three-piles")
    opened(player, "open", 9)
    shoot(player, "open-stock")
    player.page.locator(".menu summary").click()
    shoot(player, "menu")
    player.open(f"/d/open/{WINS['open'].deal}")
    shoot(player, "way-back")
    opened(player, "endless", len(WINS["endless"].actions))
    shoot(player, "won")
    opened(player, "endless", 51)
    shoot(player, "last-draws")
    player.open(f"/g/{player.visitor.begun('classic', 'stuck-6', *['draw'] * 24)['id']}")
    shoot(player, "stuck")
    player.visitor.context.set_offline(offline=True)
    player.press("undo")
    player.page.get_by_role("alert").wait_for()
    shoot(player, "unreachable")
    player.visitor.context.set_offline(offline=False)
    player.page.locator("#retry").click()
    player.page.locator("#toast").wait_for(state="hidden")
    player.page.locator(".menu summary").click()
    player.page.get_by_role("link", name="Give up").click()
    shoot(player, "leave")
    player.page.get_by_role("button", name="Give it up").click()
    shoot(player, "given-up")
    player.page.keyboard.press("?")
    shoot(player, "keys")
    player.open("/new?rules=endless&deck=9c+9c+3x")
    shoot(player, "fault")
    player.open("/")
    shoot(player, "home")
