"""axe finds nothing to object to on every kind of page, narrow and wide, in the light and in the dark."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Before, Visit
from tests.browser.player import Visitor
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

LOOKS = [((360, 640), ("light", "dark")), ((1280, 720), ("dark", "light"))]
"""The screens, and how each is lit: pages take turns."""
AXE = Axe().axe_script
RUN = "(rules) => axe.run({resultTypes: ['violations'], rules}).then((found) => found.violations)"
COLOURS = "color-contrast"
"""The rule that takes axe most of its time; what it finds depends on the page and the light, and on no language."""
WIN = next(win for win in wins() if win.rules == "endless")


def pages(visitor: Visitor) -> list[str]:
    """An address of every kind of page, as someone finds it who has played."""
    won = visitor.begun("endless", WIN.deal, *WIN.actions)["id"]
    running = visitor.begun("three-piles", "win-5", "draw")["id"]
    left, paused = (visitor.begun(rules, "win-2", "draw")["id"] for rules in ("open", "strict"))
    headers = {"Sec-Fetch-Site": "same-origin"}
    visitor.context.request.post("/you/name", form={"name": "Ada"}, headers=headers)
    visitor.context.request.post(f"/g/{left}/leave", headers=headers)
    visitor.context.request.post(f"/g/{paused}", form={"version": "1", "pause": "on"}, headers=headers)
    return [
        *("/", "/rules", "/settings", "/d/open/win-2", f"/g/{running}", f"/g/{won}", f"/g/{left}", f"/g/{paused}"),
        *("/daily", "/daily/endless/calendar", f"/b/endless/{WIN.deal}", "/me", "/me/games", "/you", "/recover"),
        *(f"/g/{won}/result", f"/g/{won}/replay?at=9&looked=1", f"/s/endless/{WIN.deal}", "/me/import", "/nothing"),
        *("/learn", "/learn?step=6", "/offline"),
    ]


def found(page: Page, *, colours: bool = True) -> list[tuple[str, list[str]]]:
    """What axe objects to: the rule, and the elements."""
    # The script is half a megabyte: a page takes it in once, however often it is looked at.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    faults: list[Any] = page.evaluate(RUN, {} if colours else {COLOURS: {"enabled": False}})
    return [(fault["id"], [node["html"][:120] for node in fault["nodes"]]) for fault in faults]


def test_axe_finds_nothing_on_any_page(visit: Visit, before: Before) -> None:
    visitor = visit()
    visitor.expects("status of 404")
    player = visitor.player()
    page = player.page
    faults = {}
    for number, path in enumerate(visitor.has_been(before(pages))):
        player.open(path)
        for (width, height), schemes in LOOKS:
            scheme = schemes[number % 2]
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.set_viewport_size({"width": width, "height": height})
            if objections := found(page):
                faults[path, width, scheme] = objections
    assert faults == {}


def test_axe_finds_nothing_where_a_card_is_chosen_and_the_menu_is_open(visit: Visit) -> None:
    player = visit().player()
    player.open("/d/endless/win-14")
    player.card("5h").click()
    player.page.locator(".menu summary").click()
    assert found(player.page) == []


def test_axe_does_find_what_is_wrong(visit: Visit) -> None:
    page = visit().player().page
    page.goto("/rules")
    page.evaluate("document.documentElement.lang = ''")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert sorted(rule for rule, _ in found(page)) == ["button-name", "html-has-lang"]
