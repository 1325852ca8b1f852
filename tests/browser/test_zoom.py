"""Enlarged: pages at 200 % and 400 %, and with letters twice as large, can be read and used in full."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.web.language import CODES
from tests.browser.addresses import daily, moved
from tests.browser.addresses import pages as pages_of_each_kind
from tests.browser.conftest import ARGUMENTS, DESK, SHELL, Before, Visit, browser_path
from tests.browser.faults import faults
from tests.browser.player import Player, Visitor
from tests.playthroughs import wins
from tests.web.losing import LOSABLE, RULES, TO_LOSS
from tests.web.server import Server

pytestmark = pytest.mark.browser

WINS = {win.rules: win for win in wins()}
ZOOMED = {200: (640, 512), 400: (320, 256)}
"""What a screen of 1280 by 1024 holds at a zoom, in px of the style."""
SCREENS = [(1280, 720), (768, 1024), (360, 640)]
LARGE = ["--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"]
MOVES = 14

# What scrolls in a frame of its own, and what sticks to an edge over the rest, is looked at elsewhere.
READ = """() => {
    const all = (one, found) => one && (found(getComputedStyle(one)) || all(one.parentElement, found));
    const afloat = (one) => all(one, ({position}) => position === "sticky" || position === "fixed");
    const framed = (one) => all(one, ({overflowX}) => overflowX === "auto");
    const unseen = (one) => all(one, ({clipPath}) => clipPath !== "none");
    const name = (one) => one.textContent.trim().slice(0, 30);
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
        const one = node.parentElement;
        if (!node.data.trim() || !one.checkVisibility() || afloat(one) || unseen(one)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const {left, top, right, bottom} of range.getClientRects()) {
            // A line is higher than its letters.
            const lead = (bottom - top) / 5;
            texts.push({one, left, right, top: top + lead, bottom: bottom - lead});
        }
    }
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const cut = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !unseen(one)
        && getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1);
    return [
        ...(document.documentElement.scrollWidth > innerWidth ? [`wide: ${document.documentElement.scrollWidth}`] : []),
        ...texts.filter((text) => (text.left < -0.5 || text.right > innerWidth + 0.5) && !framed(text.one))
            .map((text) => `off the screen: ${name(text.one)}`),
        ...texts.flatMap((text, at) => texts.slice(at + 1)
            .filter((other) => other.one !== text.one && over(text, other))
            .map((other) => `${name(text.one)} touches ${name(other.one)}`)),
        ...cut.map((one) => `cut off: ${name(one)}`),
    ];
}"""

# Of something tall, 44 px in sight are enough. The tabulator passes by what is disabled and what is covered. In a frame
# that scrolls sideways the browser is content with a part of what has the focus.
FOCUS = """() => {
    const all = "a[href], button, input, select, textarea, summary";
    const seen = [...document.querySelectorAll(all)].filter((one) =>
        one.checkVisibility() && one.type !== "hidden" && !one.matches(":disabled, [name=card][aria-disabled]"));
    return seen.flatMap((one) => {
        one.focus();
        const name = one.id || one.value || one.textContent.trim();
        if (document.activeElement !== one || one.tabIndex < 0) return [`takes no focus: ${name}`];
        const {left, top, right, bottom} = one.getClientRects()[0];
        const end = Math.min(bottom, top + 44);
        if (top < -0.5 || end > innerHeight + 0.5) return [`out of sight: ${name} ${top} ${bottom}`];
        if (one.closest(".wide")) return [];
        if (left < -0.5 || right > innerWidth + 0.5) return [`off the screen: ${name} ${left} ${right}`];
        const hit = document.elementFromPoint((left + right) / 2, (top + end) / 2);
        return one.contains(hit) || hit?.closest("label")?.contains(one) ? [] : [`covered: ${name}`];
    });
}"""

HELD = """() => {
    const {top, bottom} = document.activeElement.getBoundingClientRect();
    return top > -0.5 && bottom < innerHeight + 0.5;
}"""


def pages(visitor: Visitor) -> list[str]:
    """An address of every kind of page, as someone finds it who has played."""
    return [*pages_of_each_kind(visitor), "/learn", "/d/endless/win-14", "/d/three-piles/win-5", "/new?deck=6c"]


def faults_of(page: Page, path: str) -> list[str]:
    """What cannot be read or reached on a page."""
    return [f"{path}: {fault}" for fault in page.evaluate(READ) + page.evaluate(FOCUS)]


def table_faults(player: Player, width: int, height: int) -> list[str]:
    """What stands wrong on an enlarged table, which may be higher than the screen, and its cards narrower."""
    allowed = (f"scrolls: [{width},", "out of sight", "hidden", "narrow")
    return [fault for fault in faults(player, width, height) if not fault.startswith(allowed)]


@pytest.fixture(scope="module")
def large(browser: Browser) -> Iterator[Browser]:
    """A browser whose user wants letters twice as large as usual."""
    large = browser.browser_type.launch(executable_path=browser_path(SHELL), args=[*ARGUMENTS, *LARGE])
    yield large
    large.close()


def zoomed(visit: Visit, zoom: int) -> Player:
    width, height = ZOOMED[zoom]
    return visit(viewport={"width": width, "height": height}, device_scale_factor=zoom // 100).player()


@pytest.mark.parametrize("zoom", ZOOMED)
def test_every_page_can_be_read_and_used_when_zoomed(visit: Visit, before: Before, zoom: int) -> None:
    player = zoomed(visit, zoom)
    player.visitor.expects("status of 4")
    wrong: list[str] = []
    for path in player.visitor.has_been(before(pages)):
        player.open(path)
        wrong += faults_of(player.page, path)
    assert wrong == []


@pytest.mark.parametrize("zoom", ZOOMED)
@pytest.mark.parametrize("rules", ["endless", "open", "three-piles"])
def test_nothing_lies_on_anything_on_a_zoomed_table(visit: Visit, rules: str, zoom: int) -> None:
    player = zoomed(visit, zoom)
    win = WINS[rules]
    player.open(f"/g/{player.visitor.begun(rules, win.deal, *win.actions[:9])['id']}")
    player.page.locator("#hint").click()
    player.page.locator(".notice.hint").wait_for()
    assert table_faults(player, *ZOOMED[zoom]) == []


def test_a_zoomed_table_is_played_by_mouse(visit: Visit) -> None:
    player = zoomed(visit, 400)
    win = WINS["endless"]
    player.open(f"/d/{win.rules}/{win.deal}")
    for number, action in enumerate(win.actions[:MOVES], 1):
        # The browser scrolls to what is pressed, and sees that nothing lies on it.
        for button in player.buttons(action):
            button.click()
        player.reaches(number)


def test_a_zoomed_table_is_played_by_keyboard_and_shows_what_has_the_focus(visit: Visit) -> None:
    player = zoomed(visit, 400)
    win = WINS["endless"]
    player.open(f"/d/{win.rules}/{win.deal}")
    for action in win.actions[:MOVES]:
        player.key_in(action)
        assert not player.focused() or player.page.evaluate(HELD), (action, player.focused())


@pytest.mark.parametrize("zoom", ZOOMED)
def test_menu_and_list_of_keys_open_in_reach_when_zoomed(visit: Visit, zoom: int) -> None:
    player = zoomed(visit, zoom)
    player.open(f"/g/{player.visitor.begun('endless', 'win-14', 'draw')['id']}")
    player.page.locator(".menu summary").click()
    for key in player.page.locator(".menu > div .key:visible").all():
        key.click(trial=True)
    player.page.keyboard.press("Escape")
    player.page.locator("#help").click()
    player.page.locator("#keys .key").click()
    assert player.page.locator("#keys").is_hidden()


def tables(visitor: Visitor) -> list[str]:
    """Addresses of tables with much to say: lost with the way back, with its deal over, and a replay of one."""
    lost = visitor.begun(RULES, LOSABLE, *TO_LOSS)["id"]
    return [f"/g/{lost}", daily(40), f"{moved(visitor, 'three-piles')}/replay?at=9"]


@pytest.mark.parametrize("code", CODES)
def test_a_table_on_a_zoomed_phone_never_scrolls_sideways_and_its_keys_use_their_row(
    visit: Visit, before: Before, code: str
) -> None:
    player = visit(locale=code, viewport={"width": 180, "height": 320}).player()
    for path in player.visitor.has_been(before(tables)):
        player.open(path)
        expect(player.page.locator(".verdict.thinking")).to_have_count(0)
        assert faults_of(player.page, path) == []
        if player.page.locator("#way-back").count():
            box = player.page.locator("#way-back").bounding_box()
            assert box is not None
            assert box["width"] >= 140


def test_every_page_can_be_read_with_letters_twice_as_large(large: Browser, server: Server, before: Before) -> None:
    options: dict[str, Any] = {**DESK, "service_workers": "block"}
    visitor = Visitor(large.new_context(base_url=server.url, **options), server.url)
    page: Page = visitor.player().page
    wrong: list[str] = []
    for path in visitor.has_been(before(pages)):
        page.goto(path, wait_until="domcontentloaded")
        assert page.evaluate("getComputedStyle(document.body).fontSize") == "32px"
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            wrong += [f"{width}: {fault}" for fault in faults_of(page, path)]
    visitor.context.close()
    assert wrong == []


def test_what_is_wrong_is_found(visit: Visit) -> None:
    page = zoomed(visit, 400).page
    page.goto("/settings")
    page.evaluate("document.querySelector('h2, legend').style.cssText = 'width: 30rem; margin-bottom: -2rem'")
    page.evaluate("document.querySelector('.brand').tabIndex = -1")
    found = {fault.partition(":")[0] for fault in page.evaluate(READ) + page.evaluate(FOCUS)}
    assert {"wide", "takes no focus"} <= found
    assert any("touches" in fault for fault in found)
