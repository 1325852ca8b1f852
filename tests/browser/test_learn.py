"""The first lesson in a browser, with and without script, by mouse and by keyboard; and the backs of the cards."""

import re

import pytest
from playwright.sync_api import Locator, expect

from app.web.language import CODES
from app.web.learn import STEPS
from tests.browser.conftest import Visit
from tests.browser.player import JsonObject, Player

pytestmark = pytest.mark.browser


PLACES = "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"


def lies(player: Player, code: str) -> Locator:
    """A card of the lesson's table."""
    return player.page.locator(f".lesson [value='{code}']")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_newcomer_learns_the_game_and_plays(visit: Visit, script: bool) -> None:  # noqa: FBT001 - it runs both ways.
    visitor = visit(java_script_enabled=script, viewport={"width": 360, "height": 640})
    player = visitor.player()
    player.open("/")
    player.page.get_by_role("link", name="Learn it in a minute").click()
    # On the first step there is nothing to go back to.
    player.page.get_by_text("Back", exact=True).click(force=True)
    for card in ("Kd", "9c", "4h"):
        lies(player, card).click()
    player.page.locator("#stock").click()
    for card in ("7s", "6c", "Qh", "Ac"):
        lies(player, card).click()
    expect(player.page.locator("main")).to_contain_text("you have won")
    assert visitor.posts == []
    assert visitor.context.cookies() == []
    player.page.get_by_role("link", name="Play", exact=True).last.click()
    expect(player.page).to_have_url(re.compile(r".*/d/endless/[0-9]+$"))


def test_another_press_is_answered_and_the_table_stays_where_it_was(player: Player) -> None:
    player.page.set_viewport_size({"width": 360, "height": 640})
    player.open("/learn")
    before = lies(player, "Kd").bounding_box()
    lies(player, "9c").click()
    expect(player.page.locator(".told")).to_have_text("The 9 of clubs has no partner yet. Press the king.")
    assert lies(player, "Kd").bounding_box() == before
    lies(player, "Kd").focus()
    player.page.keyboard.press("Enter")
    expect(player.page).to_have_url(re.compile(r".*/learn\?step=2$"))


@pytest.mark.parametrize("code", CODES)
def test_every_table_is_seen_whole_on_a_small_phone_and_back_is_never_where_on_was(visit: Visit, code: str) -> None:
    player = visit(locale=code, viewport={"width": 360, "height": 640}).player()
    places = []
    # In the other languages, the steps with the longest texts.
    steps = range(1, STEPS) if code == CODES[0] else (1, 2, STEPS - 1)
    for step in steps:
        player.open(f"/learn?step={step}")
        expect(player.page.locator(".lesson")).to_be_in_viewport(ratio=1)
        found: list[JsonObject] = player.page.locator(".steps > *").evaluate_all(PLACES)
        count, back, on, skip = found
        places.append((back["left"], on["right"]))
        # One row, in which what leads back comes first, and what ends the lesson below it.
        assert back["top"] == pytest.approx(on["top"], abs=2)
        assert back["right"] < count["left"] < count["right"] < on["left"]
        assert skip["top"] > max(back["bottom"], on["bottom"]) - 0.5
    assert places == [places[0]] * len(steps)
    player.open(f"/learn?step={STEPS}")
    assert player.page.locator(".steps > a").evaluate_all(PLACES)[0]["left"] == places[0][0]


@pytest.mark.parametrize("back", ["peaks", "lattice", "waves"])
def test_the_chosen_back_is_that_of_the_stock(player: Player, back: str) -> None:
    player.open("/settings?from=/d/endless/a")
    lines = "(one) => getComputedStyle(one).backgroundImage"
    pictures = player.page.locator(".backs .back").evaluate_all(f"(all) => all.map({lines})")
    assert len(set(pictures)) == 3
    player.page.get_by_role("radio", name=back).check()
    player.page.get_by_role("button", name="Save").click()
    expect(player.page.get_by_text("Saved.")).to_be_visible()
    # The pictures to choose from stay what they are, whatever is chosen.
    assert player.page.locator(".backs .back").evaluate_all(f"(all) => all.map({lines})") == pictures
    expect(player.page.get_by_role("radio", name=back)).to_be_checked()
    player.open("/d/endless/a")
    assert player.page.locator("#stock").evaluate(lines) == pictures[("peaks", "lattice", "waves").index(back)]
