"""Views into HTML: pages, and the fragments that htmx swaps in."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.play.preferences import USUAL, Preferences
from app.web import language, urls
from app.web.replay.replay_views import LookBackView, PositionView
from app.web.table.page_views import Page
from app.web.table.views import MenuView, TableView, VerdictView

_KEPT = {
    "card": 16_384,
    "row": 4_096,
    "pyramid": 1_024,
    "stock": 2_048,
    "pile": 8_192,
    "gone": 256,
    "moves": 2_048,
    "clock": 8_192,
    "controls": 1_024,
    "menu": 1_024,
}
"""The parts of a table whose HTML is kept, and how many of each."""


class Renderer:
    """The templates of a folder; ``asset`` gives the address of a static file, ``compiled`` keeps their code."""

    def __init__(self, folder: Path, asset: Callable[[str], str], compiled: BytecodeCache | None = None) -> None:
        """Load the templates; each is compiled when first used."""
        self._jinja = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
            bytecode_cache=compiled,
        )
        self._jinja.globals["asset"] = asset
        self._speak()
        # A row looks the same from move to move, a pyramid from draw to draw: their HTML is made once and kept. They
        # are filters, since Jinja calls a macro by a far longer way.
        for name, most in _KEPT.items():
            self._jinja.filters[name] = language.kept(most)(_in_one_line(self._macro(f"macros/{name}.html", name)))
        self._verdict = self._macro("_verdict.html", "verdict")
        self._table = self._macro("_table.html", "table")
        self._live = self._macro("macros/live.html", "live")
        self._position = self._macro("_position.html", "position")
        self._lookback = self._macro("_lookback.html", "lookback")

    def _speak(self) -> None:
        """Give the templates their words, in the language that is being answered in."""
        self._jinja.install_gettext_callables(  # type: ignore[attr-defined]  # the extension's.
            lambda message: language.catalogue().gettext(message),
            lambda one, many, count: language.catalogue().ngettext(one, many, count),
            newstyle=True,
            pgettext=lambda context, message: language.catalogue().pgettext(context, message),
        )
        # The extension's way with a plain message costs more than the rest of a table; this one keeps what it said.
        self._jinja.globals["_"] = _word
        self._jinja.globals |= {"spoken": language.spoken, "number": language.number, "languages": language.NAMES}
        self._jinja.globals["manifest"] = lambda: urls.manifest(language.spoken())

    def page(self, view: Page, preferences: Preferences = USUAL) -> str:
        """The whole page of a view, as its player prefers it."""
        return self._jinja.get_template(view.template).render(view=view, preferences=preferences)

    def table(self, view: TableView, said: str) -> str:
        """The fragment after an action: the table, and the word for the live region."""
        return f"{self._table(view)}{self._live(said)}".replace("\n", "")

    def menu(self, view: MenuView) -> str:
        """The fragment with the menu of a game."""
        html: Markup = self._jinja.filters["menu"](view, True)  # noqa: FBT003 - as the template calls it.
        return html

    def verdict(self, view: VerdictView, news: str) -> str:
        """The fragment that tells whether a game can still be won, with what of it is to be heard."""
        return f"{self._verdict(view)}{self._live(news) if news else ''}"

    def position(self, view: PositionView) -> str:
        """The fragment with a position of a replay."""
        return self._position(view)

    def lookback(self, view: LookBackView) -> str:
        """The fragment with a look back, as far as it is known."""
        return self._lookback(view)

    def live(self, said: str) -> str:
        """The live region, which tells what happened."""
        return self._live(said)

    def _macro(self, template: str, name: str) -> Callable[..., Markup]:
        """A macro of a template; what is asked for often is a macro, which needs no context."""
        macro: Callable[..., Markup] = getattr(self._jinja.get_template(template).module, name)
        return macro


def _in_one_line(macro: Callable[..., Markup]) -> Callable[..., Markup]:
    """A macro without the line breaks that would be sent with every move."""
    return lambda *args: Markup(macro(*args).replace("\n", ""))  # noqa: S704 - escaped before.


def _word(message: str, **values: object) -> Markup:
    """A message as HTML; what it is filled in with is escaped."""
    text = _kept_word(message)
    return text % values if values else text


@language.kept(2_048)
def _kept_word(message: str) -> Markup:
    text = Markup(language.catalogue().gettext(message))  # noqa: S704 - the catalogues are ours.
    # As the extension has it: a message is a format, with or without values.
    return text if "%(" in message else text % {}
