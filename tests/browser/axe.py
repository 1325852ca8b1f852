"""What axe objects to on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
RUN = "(rules) => axe.run({resultTypes: ['violations'], rules}).then((found) => found.violations)"
COLOURS = "color-contrast"
"""The rule that takes axe most of its time; what it finds depends on the page and the light, and on no language."""


def found(page: Page, *, colours: bool = True) -> list[tuple[str, list[str]]]:
    """What axe objects to: the rule, and the elements."""
    # The script is half a megabyte: a page takes it in once, however often it is looked at.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    faults: list[Any] = page.evaluate(RUN, {} if colours else {COLOURS: {"enabled": False}})
    return [(fault["id"], [node["html"][:120] for node in fault["nodes"]]) for fault in faults]
