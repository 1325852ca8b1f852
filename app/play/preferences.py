"""What a player can choose about how he plays; it works before there is a player, and belongs to him from then on."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from app.rules.cards import Unreadable

CHOICES: dict[str, tuple[str, ...]] = {
    "language": ("", "en", "ceb", "hu", "it", "ms"),
    "theme": ("", "light", "dark"),
    "suits": ("two", "four"),
    "layout": ("right", "left"),
    "back": ("peaks", "lattice", "waves"),
    "tell": ("lost", "stuck", "never"),
    "timer": ("on", "off"),
    "hints": ("on", "off"),
    "winnable": ("off", "on"),
    "sound": ("off", "on"),
}
"""What can be chosen, the usual choice first: it is the default of the field of that name."""

_FIELDS_MOST = 16
_TEXT_MOST = 512


@dataclass(frozen=True, slots=True)
class Preferences:
    """A choice for each name of CHOICES.

    ``language`` empty follows the browser, ``theme`` empty the system. ``layout`` is the hand that the controls are
    for, ``back`` what the cards show from behind. ``tell``: when to be told that a game is lost for good, at once,
    without a move left, or never. ``timer`` whether the clock is shown, ``hints`` whether one can be asked for,
    ``winnable`` whether new deals must be winnable, ``sound`` whether the table is heard.
    """

    language: str = CHOICES["language"][0]
    theme: str = CHOICES["theme"][0]
    suits: str = CHOICES["suits"][0]
    layout: str = CHOICES["layout"][0]
    back: str = CHOICES["back"][0]
    tell: str = CHOICES["tell"][0]
    timer: str = CHOICES["timer"][0]
    hints: str = CHOICES["hints"][0]
    winnable: str = CHOICES["winnable"][0]
    sound: str = CHOICES["sound"][0]

    @property
    def timed(self) -> bool:
        """Whether the clock is shown, and with it all other times."""
        return self.timer == "on"

    @property
    def hinted(self) -> bool:
        """Whether hints can be asked for."""
        return self.hints == "on"

    @property
    def text(self) -> str:
        """What differs from the usual, as ``name=value&name=value``; read_preferences reads it back."""
        return urlencode({name: value for name, value in asdict(self).items() if value != CHOICES[name][0]})


USUAL = Preferences()


def chosen(fields: dict[str, str], otherwise: Preferences = USUAL) -> Preferences:
    """The preferences with the given ones in place of others. Raises Unreadable for what is no choice."""
    for name, value in fields.items():
        if value not in CHOICES.get(name, ()):
            raise Unreadable("the settings cannot be read")
    return Preferences(**{**asdict(otherwise), **fields})


def read_preferences(text: str) -> Preferences:
    """The preferences in a text; what cannot be read in it is as usual."""
    return _read(text) if len(text) <= _TEXT_MOST else USUAL


@lru_cache(maxsize=1_024)
def _read(text: str) -> Preferences:
    try:
        fields = dict(parse_qsl(text, max_num_fields=_FIELDS_MOST))
    except ValueError:
        return USUAL
    return chosen({name: value for name, value in fields.items() if value in CHOICES.get(name, ())})
