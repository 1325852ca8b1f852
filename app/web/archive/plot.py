"""A picture of the last games: wins as bars of their moves, losses as marks."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from app.play.archive.statistics import Finished
from app.web import words
from app.web.language import gettext as _
from app.web.language import ngettext, number, pgettext

# The picture's measures, in its own units; templates/records.html knows its width and height.
_WIDTH, _LEFT, _TOP, _BASE = 340, 28, 12, 132
_SLOTS_LEAST = 12
_LINES = 4
_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Bar:
    """A finished game in the picture, ``x`` in the middle of its place; a loss has no height."""

    won: bool
    x: float
    top: float
    height: float
    name: str


@dataclass(frozen=True, slots=True)
class Level:
    """A line across the picture, and the moves that it stands for."""

    y: float
    moves: int


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of the last finished games, oldest at the left; ``wide`` is the width of a bar."""

    title: str
    text: str
    wide: float
    bars: tuple[Bar, ...]
    levels: tuple[Level, ...]


def plot(games: tuple[Finished, ...]) -> Plot:
    """The picture of some finished games, one at least."""
    moves = [game.moves or 0 for game in games if game.won]
    most = max(moves, default=1)
    step = next(step for step in _steps() if most <= step * _LINES)
    levels = -(-most // step)
    slot = (_WIDTH - _LEFT) / max(len(games), _SLOTS_LEAST)
    scale = (_BASE - _TOP) / (step * levels)
    bars = tuple(
        Bar(
            won=game.won,
            x=round(_LEFT + slot * (place + 0.5), 1),
            top=round(_BASE - (game.moves or 0) * scale, 1),
            height=max(_LEAST, round((game.moves or 0) * scale, 1)) if game.won else 0,
            name=f"{words.rules_name(game.rules)}, {_ended(game)}",
        )
        for place, game in enumerate(games)
    )
    lines = tuple(Level(round(_BASE - level * step * scale, 1), level * step) for level in range(levels + 1))
    return Plot(_title(len(games)), _text(moves, len(games)), round(slot * 0.66, 1), bars, lines)


def _steps() -> Iterator[int]:
    return (digits * 10**zeros for zeros in count() for digits in (10, 20, 25, 50))


def _ended(game: Finished) -> str:
    if not game.won:
        return pgettext("game", "lost")
    return ngettext("won in %(count)s move", "won in %(count)s moves", game.moves or 0)


def _title(games: int) -> str:
    if games == 1:
        return _("The last finished game")
    return ngettext("The last %(count)s finished game", "The last %(count)s finished games", games)


def _text(moves: list[int], games: int) -> str:
    """What the picture shows, in words."""
    lost = ngettext("%(count)s lost", "%(count)s lost", games - len(moves))
    if not moves:
        return words.sentence(lost)
    won = ngettext("%(count)s won", "%(count)s won", len(moves))
    span = _span(min(moves), max(moves))
    return _("From left to right, oldest first: %(won)s, %(span)s; %(lost)s.", won=won, span=span, lost=lost)


def _span(least: int, most: int) -> str:
    if least == most:
        return ngettext("in %(count)s move", "in %(count)s moves", most)
    return ngettext("in %(least)s to %(count)s move", "in %(least)s to %(count)s moves", most, least=number(least))
