"""The language that an answer is written in: its catalogue of words, its dates and its numbers.

It is chosen once for each request (``listen``) and holds until that is answered. Source texts are English; the
catalogues of the other languages are gettext's, app/web/catalogues/<code>.po.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, lru_cache, wraps
from io import BytesIO
from pathlib import Path
from typing import ParamSpec, TypeVar

from babel import Locale
from babel.dates import format_date, format_datetime, format_skeleton, get_day_names
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.support import NullTranslations, Translations

from app.play.preferences import CHOICES
from app.rules.told import Told

P = ParamSpec("P")
T = TypeVar("T")

CATALOGUES = Path(__file__).parent / "catalogues"

SOURCE = "en"
"""The language of the sources, and of whoever asks for none of ours."""

CODES = (SOURCE, *(code for code in CHOICES["language"] if code not in {"", SOURCE}))
"""The languages that can be chosen, the source's first."""

NAMES = {"en": "English", "ceb": "Sinugboanon", "hu": "Magyar", "it": "Italiano", "ms": "Bahasa Melayu"}
"""What the languages call themselves."""

# English dates and numbers are the British ones: 30 November 2026.
_LOCALES = {"en": "en_GB"}


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language: its code, as in ``lang``, its words, and its way with dates, numbers and lists."""

    code: str
    locale: Locale
    words: NullTranslations


@cache
def language(code: str) -> Language:
    """The language of a code; its catalogue is read when it is first asked for. Raises KeyError."""
    if code not in CODES:
        raise KeyError(code)
    return Language(code, Locale.parse(_LOCALES.get(code, code)), _words(code))


def _words(code: str) -> NullTranslations:
    if code == SOURCE:
        return NullTranslations()
    compiled = BytesIO()
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return Translations(compiled)


_current: ContextVar[Language] = ContextVar("language", default=language(SOURCE))  # noqa: B039 - it is frozen.


def spoken() -> str:
    """The code of the language that is being answered in."""
    return _current.get().code


def catalogue() -> NullTranslations:
    """The words of the language that is being answered in."""
    return _current.get().words


def speak(code: str) -> None:
    """Answer in a language from now on. Raises KeyError."""
    _current.set(language(code))


def listen(tags: Iterable[str], chosen: str) -> None:
    """Answer in the ``chosen`` language; where none is, in the first that is ours, of whatever region, of some tags."""
    _current.set(language(chosen or _first(tags)))


def _first(tags: Iterable[str]) -> str:
    codes = (tag.partition("-")[0] for tag in tags)
    return next((code for code in codes if code in CODES), SOURCE)


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Like lru_cache, for what is said in the language that is being answered in."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def made(_language: Language, *args: P.args, **kwargs: P.kwargs) -> T:
            return make(*args, **kwargs)

        @wraps(make)
        def get(*args: P.args, **kwargs: P.kwargs) -> T:
            return made(_current.get(), *args, **kwargs)  # type: ignore[arg-type]  # who calls sees to their hashes.

        return get

    return decorate


# ---- Words ----


def gettext(message: str, /, **values: object) -> str:
    """A message in the language that is being answered in, with its ``%(name)s`` filled in where there are values."""
    # To the empty message gettext answers with the head of the catalogue.
    text: str = _current.get().words.gettext(message) if message else ""
    return text % values if values else text


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """A message about ``count`` things, which it names as ``%(count)s``."""
    text: str = _current.get().words.ngettext(one, many, count)
    return text % {"count": number(count), **values}


def pgettext(context: str, message: str, /, **values: object) -> str:
    """A message whose English has several meanings, of which ``context`` names one."""
    text = str(_current.get().words.pgettext(context, message))
    return text % values if values else text


def error_text(error: Told) -> str:
    """What an error says, in the language that is being answered in."""
    values = {name: _value_text(value) for name, value in error.values.items()}
    return gettext(error.message, **values)


def _value_text(value: str | int | Told) -> str:
    match value:
        case Told():
            return error_text(value)
        case int():
            return number(value)
        case _:
            return value


def noted(message: str) -> str:
    """A message as it is, for the catalogues: it is translated where it is used."""
    return message


# ---- Dates, numbers and lists ----


@kept(4_096)
def number(value: float, digits: int = 0) -> str:
    """A number with so many digits after its point."""
    return str(format_decimal(value, f"#,##0.{'0' * digits}" if digits else "#,##0", _current.get().locale))


def percent(share: float) -> str:
    """A share, 0..1, as a whole percentage."""
    return str(format_percent(share, locale=_current.get().locale))


def day_text(day: date) -> str:
    """A day in words: ``30 November 2026``."""
    return str(format_date(day, "long", _current.get().locale))


def month_text(day: date) -> str:
    """A day's month in words: ``November 2026``."""
    return str(format_skeleton("yMMMM", day, locale=_current.get().locale))


def minute_text(at: datetime) -> str:
    """A day and its time, to the minute, in UTC: ``30 Nov 2026, 08:05``."""
    locale = _current.get().locale
    day, time = format_date(at, "medium", locale), format_datetime(at, "HH:mm", UTC, locale)
    return f"{day}, {time}"


def weekdays() -> tuple[str, ...]:
    """The days of the week from Monday on, in short: ``Mon``."""
    names = get_day_names("abbreviated", "stand-alone", _current.get().locale)
    return tuple(names[day] for day in range(7))


def listed(things: Iterable[str]) -> str:
    """Things in a row: ``a, b and c``."""
    named = tuple(things)
    return named[0] if len(named) == 1 else _listed(named)


# As many as there are pairs of cards, in both orders.
@kept(4_096)
def _listed(things: tuple[str, ...]) -> str:
    return str(format_list(things, locale=_current.get().locale))
