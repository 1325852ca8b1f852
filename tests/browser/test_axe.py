"""axe finds nothing to object to on every kind of page, narrow and wide, in the light and in the dark."""

import pytest

from tests.browser.addresses import pages
from tests.browser.axe import found
from tests.browser.conftest import Before, Visit

pytestmark = pytest.mark.browser

LOOKS = [((360, 640), ("light", "dark")), ((1280, 720), ("dark", "light"))]
"""The screens, and how each is lit: pages take turns."""


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
