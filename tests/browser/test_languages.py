"""Every page in every language: whole tables on small screens, no word cut off, nothing that axe objects to."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from app.web import language
from app.web.language import CODES
from tests.browser.addresses import gave_up, moved, pages
from tests.browser.axe import found
from tests.browser.conftest import Before, Visit
from tests.browser.faults import ENLARGED, TARGETS, faults
from tests.browser.player import Player, Visitor
from tests.web.losing import LOSABLE, RULES, TO_LOSS

pytestmark = pytest.mark.browser

TRANSLATED = CODES[1:]
NARROW, LOW, NARROWEST = (360, 640), (640, 360), (320, 568)

SPILT = """() => [...document.querySelectorAll("a, button, summary, label, th, td, h1, h2, legend, p, li, dd, dt")]
    .filter((one) => one.checkVisibility() && !one.closest(".wide, .unseen, details:not([open]) > :not(summary)"))
    .filter((one) => {
        const {left, right} = one.getBoundingClientRect();
        return left < -0.5 || right > innerWidth + 0.5 || one.scrollWidth > one.clientWidth + 1 && one.clientWidth;
    })
    .map((one) => one.textContent.trim().slice(0, 40))"""


WATCHED = """() => {
    window.flown = 0;
    new MutationObserver(() => { window.flown += document.querySelectorAll(".ghosts > *").length; })
        .observe(document.documentElement, {childList: true, subtree: true});
}"""


def speaker(visit: Visit, code: str) -> Player:
    """A player whose browser asks for a language."""
    player = visit(locale=code, viewport={"width": NARROW[0], "height": NARROW[1]}).player()
    player.visitor.expects("status of 404")
    return player


def tables(visitor: Visitor) -> list[str]:
    """Addresses of tables in all states, whoever plays having won by each of their rules before."""
    paths = []
    # The two with the most on the table; what is said there is said by the others, too.
    for rules in ("open", "three-piles"):
        paths += [moved(visitor, rules), f"/d/{rules}/{'W' * 9}", moved(visitor, rules, 16)]
        paths += [gave_up(visitor, moved(visitor, rules, 1))]
    paths += [f"/g/{visitor.begun('classic', 'stuck-6', *['draw'] * 24)['id']}"]
    return [*paths, f"/g/{visitor.begun(RULES, LOSABLE, *TO_LOSS)['id']}"]


def wrong(player: Player) -> list[str]:
    """What stands wrong on the two small screens."""
    found = []
    for width, height in (NARROW, LOW):
        player.page.set_viewport_size({"width": width, "height": height})
        found += [f"{player.path} {width}: {fault}" for fault in faults(player, width, height)]
        found += [f"{player.path} {width}: spills {text}" for text in player.page.evaluate(SPILT)]
    return found


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_table_stands_on_one_small_screen_in_every_state(visit: Visit, before: Before, code: str) -> None:
    player = speaker(visit, code)
    everything = []
    for path in player.visitor.has_been(before(tables)):
        player.open(path)
        expect(player.page.locator("html")).to_have_attribute("lang", code)
        expect(player.page.locator(".verdict.thinking")).to_have_count(0)
        everything += wrong(player)
        if player.page.locator("#hint").count():
            player.page.locator("#hint").click()
            player.page.locator(".notice.hint").wait_for()
            everything += wrong(player)
    assert everything == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_menu_and_the_list_of_keys_open_in_sight(visit: Visit, code: str) -> None:
    player = speaker(visit, code)
    player.open(moved(player.visitor, "endless", 3))
    for width, height in (NARROW, LOW):
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.locator(".menu summary").click()
        box = player.page.locator(".menu > div").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width + 0.5
        assert player.page.evaluate(SPILT) == []
        player.page.keyboard.press("Escape")
        player.page.keyboard.press("?")
        assert player.page.evaluate(SPILT) == []
        player.page.keyboard.press("Escape")


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_page_fits_the_narrowest_screen_and_axe_finds_nothing(visit: Visit, before: Before, code: str) -> None:
    player = speaker(visit, code)
    everything: list[object] = []
    for number, path in enumerate(player.visitor.has_been(before(pages))):
        player.page.emulate_media(color_scheme="dark" if number % 2 else "light")
        player.page.set_viewport_size({"width": NARROWEST[0], "height": NARROWEST[1]})
        player.open(path)
        assert player.page.evaluate("document.documentElement.scrollWidth") <= NARROWEST[0], path
        everything += [(path, text) for text in player.page.evaluate(SPILT)]
        if "board" not in (player.page.locator("body").get_attribute("class") or ""):
            targets = player.page.evaluate(TARGETS)
            everything += [(path, name) for name, wide, high in targets if high < 43.9 or wide < 24]
            player.page.set_viewport_size({"width": ENLARGED[0], "height": ENLARGED[1]})
            everything += [(path, "enlarged", text) for text in player.page.evaluate(SPILT)]
        # The languages take turns: what axe objects to but spills and colours, it objects to in any of them.
        if TRANSLATED[number % len(TRANSLATED)] == code:
            everything += [(path, *objection) for objection in found(player.page, colours=False)]
    assert everything == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_the_browser_says_by_itself_is_said_in_the_language(visit: Visit, code: str) -> None:
    player = speaker(visit, code)
    player.open("/d/endless/win-14")
    with spoken(code):
        chosen = language.gettext("{1} chosen. It goes with {2}.")
    player.card("5h").click()
    said = player.live.text_content() or ""
    name = (player.card("5h").get_attribute("aria-label") or "").split(",")[0]
    partners = [
        (card.get_attribute("aria-label") or "").split(",")[0] for card in player.page.locator("#table .goes").all()
    ]
    assert said.lower() == chosen.replace("{1}", name).replace("{2}", partners[0]).lower()
    # A card that is covered is explained by what lies on it, as its name tells.
    covered = player.page.locator("#r1c1")
    covered.click(force=True)
    label = (covered.get_attribute("aria-label") or "").split(", ")
    assert (player.live.text_content() or "").lower() == f"{label[0]}: {', '.join(label[3:])}.".lower()


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_draw_from_an_open_stock_is_seen_to_move(visit: Visit, code: str) -> None:
    visitor = visit(locale=code, reduced_motion="no-preference")
    player = visitor.player()
    player.open("/d/open/win-2")
    player.page.evaluate(WATCHED)
    player.act("draw")
    assert player.page.evaluate("window.flown") > 0


@contextmanager
def spoken(code: str) -> Iterator[None]:
    language.speak(code)
    try:
        yield
    finally:
        language.speak(CODES[0])
