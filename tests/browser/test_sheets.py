"""The pages of text: nothing runs off the screen, every target is large enough, and the focus is always seen."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.faults import ENLARGED, TARGETS
from tests.browser.player import JsonObject, Player, Visitor
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (1280, 720)]
SHEET = 672
"""From this width on the paper is a sheet that lies on the ground; below, it is as wide as the screen."""
RING = 3.0
"""The least contrast of what shows the focus to what is behind it (WCAG 2.2, 1.4.11)."""
WIN = next(win for win in wins() if win.rules == "endless")
UNNAMED = "d3p3r0va"
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")


# The ring lies outside of what has the focus, and so on the ground of what holds it.
RINGS = """(least) => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => parts(colour).slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
    const ground = (one) => {
        const colour = getComputedStyle(one).backgroundColor;
        return parts(colour)[3] === 0 && one.parentElement ? ground(one.parentElement) : colour;
    };
    const all = "a[href], button:enabled, summary, select, input:not([type=hidden]), textarea, [tabindex='0']";
    return [...document.querySelectorAll(all)].filter((one) => one.checkVisibility()).flatMap((one) => {
        one.focus();
        const {outlineColor, outlineStyle, outlineWidth} = getComputedStyle(one);
        const [dark, bright] = [light(outlineColor), light(ground(one.parentElement))].sort((a, b) => a - b);
        return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 && bright / dark >= least ? []
            : [`${one.textContent.trim() || one.name}: ${outlineColor}, ${(bright / dark).toFixed(2)}`];
    });
}"""

TEXT_LEFT = """(one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().left;
}"""

PAPER_ENDS = "document.querySelector('main').getBoundingClientRect().bottom + scrollY"

HIDDEN = """() => {
    const [one, bar] = [document.activeElement, document.querySelector(":is(.deal, .settings) .go")];
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
        "/offline",
        *(f"/b/{UNNAMED}/42", f"/g/{game}/result", f"/g/{running}/leave", "/new?deck=6c", challenge),
    ]


def test_every_page_of_text_fits_every_screen_and_every_finger(visit: Visit) -> None:
    visitor = visit()
    visitor.expects("status of 4")
    player = visitor.player()
    for path in pages(visitor):
        player.open(path)
        for width, height in (ENLARGED, *SCREENS):
            player.page.set_viewport_size({"width": width, "height": height})
            where = (path, width)
            assert player.page.evaluate("document.documentElement.scrollWidth") <= width, where
            targets: list[list[Any]] = player.page.evaluate(TARGETS)
            assert [name for name, wide, high in targets if high < 43.9 or wide < 24] == [], where
            # On a phone no ground is left below the paper.
            assert width >= SHEET or player.page.evaluate(PAPER_ENDS) >= height - 0.5, where
        for scheme in SCHEMES:
            player.page.emulate_media(color_scheme=scheme)
            assert player.page.evaluate(RINGS, RING) == [], (path, scheme)


def boxes(page: Page) -> list[JsonObject]:
    """Where everything on the paper is."""
    found: list[JsonObject] = page.locator("main > *, main [data-copy], main [data-copy] ~ a").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return found


@pytest.mark.parametrize("width", [180, 360])
def test_a_key_says_what_it_has_copied_and_nothing_moves(visit: Visit, width: int) -> None:
    visitor = visit(alone=True, permissions=["clipboard-write"], viewport={"width": width, "height": 640})
    player = visitor.player()
    player.page.clock.install()
    player.open(f"/g/{visitor.begun('endless', WIN.deal, *WIN.actions)['id']}/result")
    key = player.page.locator("[data-copy=result]")
    told = player.page.locator("[role=status]")
    before = boxes(player.page)
    for said in ("Copied.", "It could not be copied."):
        key.click()
        expect(key).to_have_text(said)
        expect(told).to_have_text(said)
        assert key.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert told.bounding_box() == {**(told.bounding_box() or {}), "width": 1, "height": 1}
        assert boxes(player.page) == before
        player.page.clock.run_for(2_000)
        expect(key).to_have_text("Copy with the link")
        expect(told).to_have_text("")
        assert boxes(player.page) == before
        player.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")


def test_a_name_is_as_long_as_it_may_be_in_any_script_and_no_longer(player: Player) -> None:
    player.visitor.begun("endless", "a", "draw")
    player.open("/you")
    field = player.page.locator("input[name=name]")
    for letter in ("x", "𞤀"):
        field.fill("")
        for _ in range(5):
            # As from a keyboard; a letter of the second script counts twice in a browser.
            player.page.keyboard.type(letter * 6)
        assert field.input_value() == letter * 24
        field.fill("")
        # As from the clipboard, all at once.
        field.fill(letter * 30)
        assert field.input_value() == letter * 24


def test_a_refused_name_is_seen_with_the_focus_in_it_and_a_kept_one_with_its_word(visit: Visit) -> None:
    player = visit(viewport={"width": 360, "height": 640}).player()
    player.visitor.expects("status of 422")
    player.visitor.begun("endless", "a", "draw")
    player.open("/you")
    field = player.page.locator("input[name=name]")
    field.fill("\u200c")
    field.press("Enter")
    expect(player.page.get_by_role("alert")).to_be_in_viewport()
    expect(field).to_be_focused()
    field.fill("Ada")
    field.press("Enter")
    expect(player.page.get_by_role("status")).to_have_text("Saved.")
    expect(player.page.get_by_role("status")).to_be_in_viewport()
    expect(field).to_be_in_viewport()


def test_what_takes_something_away_stands_in_line_and_for_good_is_red(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    game, running = (visitor.begun("endless", WIN.deal, *actions)["id"] for actions in (WIN.actions, ["draw"]))
    visitor.context.request.post(f"/g/{game}/challenge", headers={"Sec-Fetch-Site": "same-origin"})
    player = visitor.player()
    player.open(f"/g/{game}/result")
    lefts = [player.page.locator(place).evaluate(TEXT_LEFT) for place in ("h1", ".key.quiet")]
    assert lefts[0] == pytest.approx(lefts[1], abs=0.1)
    grounds = set()
    for path in ("/you/delete", f"/g/{running}/leave"):
        player.open(path)
        grounds.add(player.page.locator(".key.main").evaluate("(one) => getComputedStyle(one).backgroundColor"))
    assert grounds == {"rgb(163, 39, 31)"}


@pytest.mark.parametrize("fault", ["seed", "deck"])
def test_a_fault_is_in_sight_with_its_field(visit: Visit, fault: str) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    visitor.expects("status of 422")
    player = visitor.player()
    player.open(f"/new?{fault}=%C3%A4")
    expect(player.page.locator(f"#{fault}")).to_be_focused()
    expect(player.page.get_by_role("alert")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_focus_is_never_behind_the_key_that_deals_or_saves(visit: Visit, width: int, height: int) -> None:
    visitor = visit(viewport={"width": width, "height": height})
    for seed in "abcdef":
        visitor.begun("endless", seed, "draw")
    player: Player = visitor.player()
    for path in ("/", "/settings"):
        player.open(path)
        for details in player.page.locator("details summary").all():
            details.click()
        for key in ("Tab", "Shift+Tab"):
            for _ in range(40):
                player.page.keyboard.press(key)
                assert player.page.evaluate(HIDDEN) == ""
        player.page.get_by_role("radio").first.focus()
        for _ in range(8):
            player.page.keyboard.press("ArrowDown")
            assert player.page.evaluate(HIDDEN) == ""


def test_the_key_that_saves_is_in_sight_from_the_first_setting_on(visit: Visit) -> None:
    for width, height in ((360, 640), (1280, 720)):
        player = visit(viewport={"width": width, "height": height}).player()
        player.open("/settings")
        expect(player.page.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_the_key_that_deals_says_by_which_rules(visit: Visit, script: bool) -> None:  # noqa: FBT001 - it runs both ways.
    player = visit(java_script_enabled=script).player()
    player.visitor.expects("status of 422")
    player.open(f"/new?rules={UNNAMED}&deck=6c")
    for name in (radio.get_attribute("value") for radio in player.page.locator("[name=rules]").all()):
        label = player.page.locator(f"label:has([value={name}])")
        label.click()
        rules = label.locator("b").text_content() or "-"
        assert player.page.get_by_role("button", name=f"Deal {rules}", exact=True).count() == 1
