"""The pages of text: nothing runs off the screen, every target is large enough, and the focus is never hidden."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Player, Visitor
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (1280, 720)]
WIN = next(win for win in wins() if win.rules == "endless")
UNNAMED = "d3p3r0va"

TARGETS = """() => [...document.querySelectorAll("main a, header a, button, summary, select, input, textarea")]
    .filter((one) => one.checkVisibility() && one.type !== "hidden")
    .map((one) => {
        const {width, height} = (one.closest("label") ?? one).getBoundingClientRect();
        return [one.textContent.trim() || one.name, width, height];
    })"""

HIDDEN = """() => {
    const [one, bar] = [document.activeElement, document.querySelector(".deal .go")];
    const [box, over] = [one.getBoundingClientRect(), bar.getBoundingClientRect()];
    // Of a tall field the line with the caret is enough; half a pixel is nothing.
    const bottom = Math.min(box.bottom, box.top + 44) - 0.5;
    const hidden = box.top < -0.5 || bottom > innerHeight || (!bar.contains(one) && bottom > over.top);
    return one === document.body || !hidden ? "" : one.value || one.textContent.trim();
}"""


def pages(visitor: Visitor) -> list[str]:
    """The addresses of all pages of text, as someone finds them who has played."""
    game = visitor.begun("endless", WIN.deal, *WIN.actions)["id"]
    running = visitor.begun(UNNAMED, "42", "draw")["id"]
    headers = {"Sec-Fetch-Site": "same-origin"}
    visitor.context.request.post("/you/name", form={"name": "Ada"}, headers=headers)
    visitor.context.request.post(f"/g/{game}/challenge", headers=headers)
    player = visitor.player()
    player.open(f"/g/{game}/result")
    challenge = player.page.locator("#dare").get_attribute("data-path") or ""
    return [
        *("/", "/rules", "/learn", "/learn?step=6", "/settings", "/settings?kept=1&from=/g/a"),
        *("/you", "/recover", "/you/delete", "/me"),
        *("/me/games", "/me/import", "/daily", "/daily/endless/calendar", f"/b/endless/{WIN.deal}", "/nothing"),
        *(f"/b/{UNNAMED}/42", f"/g/{game}/result", f"/g/{running}/leave", "/new?deck=6c", challenge),
    ]


def test_every_page_of_text_fits_every_screen_and_every_finger(visit: Visit) -> None:
    visitor = visit()
    visitor.expects("status of 4")
    player = visitor.player()
    for path in pages(visitor):
        player.open(path)
        for width, height in SCREENS:
            player.page.set_viewport_size({"width": width, "height": height})
            where = (path, width)
            assert player.page.evaluate("document.documentElement.scrollWidth") <= width, where
            targets: list[list[Any]] = player.page.evaluate(TARGETS)
            assert [name for name, wide, high in targets if high < 43.9 or wide < 24] == [], where


@pytest.mark.parametrize("fault", ["seed", "deck"])
def test_a_fault_is_in_sight_with_its_field(visit: Visit, fault: str) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    visitor.expects("status of 422")
    player = visitor.player()
    player.open(f"/new?{fault}=%C3%A4")
    expect(player.page.locator(f"#{fault}")).to_be_focused()
    expect(player.page.get_by_role("alert")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_focus_is_never_behind_the_key_that_deals(visit: Visit, width: int, height: int) -> None:
    visitor = visit(viewport={"width": width, "height": height})
    for seed in "abcdef":
        visitor.begun("endless", seed, "draw")
    player: Player = visitor.player()
    player.open("/")
    player.page.locator("details summary").click()
    for key in ("Tab", "Shift+Tab"):
        for _ in range(40):
            player.page.keyboard.press(key)
            assert player.page.evaluate(HIDDEN) == ""
    player.page.get_by_role("radio").first.focus()
    for _ in range(8):
        player.page.keyboard.press("ArrowDown")
        assert player.page.evaluate(HIDDEN) == ""
