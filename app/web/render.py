"""Views into HTML: pages, and the fragments that htmx swaps in."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.play.preferences import USUAL, Preferences
from app.web.replay.replay_views import LookBackView, PositionView
from app.web.table.page_views import Page
from app.web.table.views import TableView, VerdictView

_KEPT = {"card": 32_768, "pyramid": 1_024, "stock": 2_048, "pile": 8_192, "controls": 4_096}
"""The parts of a table whose HTML is kept, and how many of each."""


class Renderer:
    """The templates of a folder; ``asset`` gives the address of a static file."""

    def __init__(self, folder: Path, asset: Callable[[str], str]) -> None:
        """Load the templates; each is compiled when first used."""
        self._jinja = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._jinja.globals["asset"] = asset
        # A card looks the same from move to move, a pyramid from draw to draw: their HTML is made once and kept.
        for name, most in _KEPT.items():
            self._jinja.globals[name] = lru_cache(maxsize=most)(self._macro(f"macros/{name}.html", name))
        self._verdict = self._macro("_verdict.html", "verdict")
        self._table = self._macro("_table.html", "table")
        self._live = self._macro("_live.html", "live")
        self._position = self._macro("_position.html", "position")
        self._lookback = self._macro("_lookback.html", "lookback")

    def page(self, view: Page, preferences: Preferences = USUAL) -> str:
        """The whole page of a view, as its player prefers it."""
        return self._jinja.get_template(view.template).render(view=view, preferences=preferences)

    def table(self, view: TableView, said: str) -> str:
        """The fragment after an action: the table, and the word for the live region."""
        return self._table(view) + self._live(said)

    def verdict(self, view: VerdictView, news: str | None) -> str:
        """The fragment that tells whether a game can still be won, with a word for the live region if it is news."""
        return self._verdict(view) + (self._live(news) if news else "")

    def position(self, view: PositionView) -> str:
        """The fragment with a position of a replay."""
        return self._position(view)

    def lookback(self, view: LookBackView) -> str:
        """The fragment with a look back, as far as it is known."""
        return self._lookback(view)

    def live(self, said: str) -> str:
        """The live region, which tells what happened."""
        return self._live(said)

    def _macro(self, template: str, name: str) -> Callable[[Any], Markup]:
        """A macro of a template, for one view; what is asked for often is a macro, which needs no context."""
        macro = getattr(self._jinja.get_template(template).module, name)

        def draw(view: object) -> Markup:
            return Markup(macro(view))  # noqa: S704 - the macro has escaped what it was given.

        return draw
