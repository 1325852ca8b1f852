"""The records of a player: his statistics, and a picture of his last games."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.play.archive.records import End
from app.play.archive.statistics import RECENT, Figures, Finished, Statistics
from app.rules.ruleset import RuleSet
from app.web import language, urls, words
from app.web.archive.plot import Plot, plot
from app.web.deps import preferences, rooms, token
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import noted, number, pgettext

DEFINITION = noted(
    "A game counts as played from its first action on, and as lost once you have begun another one and have not "
    "touched it for 24 hours (a return makes it open again)."
)
_NONE = "–"
_LAST_SECOND = 253_402_300_799


@dataclass(frozen=True, slots=True)
class Moment:
    """A time: ``iso`` for programs, ``text`` for people; both are UTC."""

    iso: str
    text: str


@dataclass(frozen=True, slots=True)
class Set:
    """The head of a column of figures: a rule set's name, and its games; ``url`` leads to all games under "All".

    ``code`` is empty for a rule set that has a name.
    """

    name: str
    code: str
    url: str


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure, over all and then by rule set."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FinishedRow:
    """A finished game in the table beside the picture."""

    begun: Moment
    rules: str
    end: str
    moves: str
    time: str


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """A player's statistics; without a game there are no ``rows``, without a finished one no ``plot``."""

    template: ClassVar[str] = "records.html"

    title: str
    definition: str
    timed: bool
    sets: tuple[Set, ...]
    rows: tuple[FigureRow, ...]
    plot: Plot | None
    recent: tuple[FinishedRow, ...]


async def records(request: Request) -> Response:
    """The statistics of the player who asks."""
    statistics = await _statistics(request)
    return page_answer(request, records_page(statistics, timed=preferences(request).timed))


routes = [Route(urls.RECORDS, records)]


def records_page(statistics: Statistics, *, timed: bool) -> RecordsPage:
    """The page of a player's statistics; times are told nowhere on it unless ``timed``."""
    sets = [
        Set(pgettext("games", "All"), "", urls.history()),
        *(_set(rules) for rules, _figures in statistics.by_rules),
    ]
    columns = [statistics.total, *(figures for _rules, figures in statistics.by_rules)]
    cells = [(label, cell) for key, label, cell in _CELLS if timed or key not in _TIMES]
    rows = tuple(FigureRow(_(label), tuple(map(cell, columns))) for label, cell in cells)
    return RecordsPage(
        title=_("Records"),
        definition=_(DEFINITION),
        timed=timed,
        sets=tuple(sets),
        rows=rows if statistics.total.played else (),
        plot=plot(statistics.recent) if statistics.recent else None,
        recent=tuple(_finished_row(game) for game in reversed(statistics.recent)),
    )


def moment(milliseconds: int) -> Moment:
    """A time in milliseconds since 1970, to the minute."""
    at = datetime.fromtimestamp(min(max(milliseconds // 1000, 0), _LAST_SECOND), UTC)
    return Moment(at.strftime("%Y-%m-%dT%H:%M:%SZ"), language.minute_text(at))


def end_name(end: End) -> str:
    """What became of a game."""
    names: dict[End, str] = {
        "won": pgettext("game", "won"),
        "lost": pgettext("game", "lost"),
        "left": pgettext("game", "given up"),
        "open": pgettext("game", "open"),
    }
    return names[end]


def clock(milliseconds: float | None) -> str:
    """Milliseconds as minutes and seconds, a dash for None."""
    return _NONE if milliseconds is None else words.clock(round(milliseconds) // 1000)


async def _statistics(request: Request) -> Statistics:
    """The statistics of the player who asks; of which wins more can be known, that is looked for from now on."""
    room, asker = rooms(request), token(request)
    found = await room.records.statistics(asker)
    if asker is not None and found.total.known < found.total.won:
        room.judge.judge_wins_later(asker)
    return found


def _set(rules: RuleSet) -> Set:
    return Set(words.rules_name(rules), words.rules_code(rules), urls.history(rules.slug))


def _number(count: int | None) -> str:
    return _NONE if count is None else number(count)


def _share(figures: Figures) -> str:
    return _NONE if figures.share is None else language.percent(figures.share)


def _average(average: float | None) -> str:
    return _NONE if average is None else number(average, 1)


def _perfect(figures: Figures) -> str:
    if not figures.known:
        return _NONE
    return _("%(perfect)s of %(known)s", perfect=number(figures.perfect), known=number(figures.known))


# The rows of figures: key, label, and the cell of a column.
_TIMES = {"best_time", "average_time"}
_CELLS: tuple[tuple[str, str, Callable[[Figures], str]], ...] = (
    ("played", noted("Played"), lambda figures: _number(figures.played)),
    ("won", noted("Won"), lambda figures: _number(figures.won)),
    ("lost", noted("Lost"), lambda figures: _number(figures.lost)),
    ("share", noted("Share won"), _share),
    ("streak", noted("Wins in a row, now"), lambda figures: _number(figures.streak)),
    ("longest_streak", noted("Wins in a row, most"), lambda figures: _number(figures.longest_streak)),
    ("fewest_moves", noted("Fewest moves"), lambda figures: _number(figures.fewest_moves)),
    ("best_time", noted("Best time"), lambda figures: clock(figures.best_time)),
    ("average_moves", noted("Average moves of wins"), lambda figures: _average(figures.average_moves)),
    ("average_time", noted("Average time of wins"), lambda figures: clock(figures.average_time)),
    ("perfect", noted("Wins in the fewest possible moves"), _perfect),
    ("hints", noted("Hints used"), lambda figures: _number(figures.hints)),
)


def _finished_row(game: Finished) -> FinishedRow:
    end = end_name("won" if game.won else "lost")
    return FinishedRow(
        moment(game.begun_at), words.rules_name(game.rules), end, _number(game.moves), clock(game.won_in)
    )


_EXACT = ConfigDict(frozen=True, from_attributes=True)


class FiguresJson(BaseModel):
    """The figures of some games; null where there is nothing to tell. Times are milliseconds."""

    model_config = _EXACT

    played: int = Field(description=DEFINITION)
    won: int
    lost: int
    share: float | None = Field(description="won / (won + lost)")
    streak: int = Field(description="wins in a row up to now, among finished games in the order of their beginning")
    longest_streak: int
    fewest_moves: int | None
    best_time: int | None = Field(description="milliseconds from the first action to the win")
    average_moves: float | None = Field(description="of wins")
    average_time: float | None = Field(description="of wins, in milliseconds")
    perfect: int = Field(description="wins in the fewest possible moves")
    known: int = Field(description="wins of which the fewest possible moves are known")
    hints: int


class FinishedJson(BaseModel):
    """A finished game; moves and time are told of a win only."""

    model_config = _EXACT

    rules: str
    begun_at: int = Field(description="milliseconds since 1970, UTC")
    won: bool
    moves: int | None
    time: int | None = Field(description="milliseconds")


class RecordsJson(BaseModel):
    """A player's statistics."""

    model_config = _EXACT

    total: FiguresJson
    by_rules: dict[str, FiguresJson]
    recent: list[FinishedJson] = Field(description=f"the last finished games, oldest first, {RECENT} at the most")


async def records_json(request: Request) -> RecordsJson:
    """The statistics of the player who asks; of nobody, where nobody is known."""
    found = await _statistics(request)
    return RecordsJson(
        total=FiguresJson.model_validate(found.total),
        by_rules={rules.slug: FiguresJson.model_validate(figures) for rules, figures in found.by_rules},
        recent=[
            FinishedJson(
                rules=game.rules.slug, begun_at=game.begun_at, won=game.won, moves=game.moves, time=game.won_in
            )
            for game in found.recent
        ],
    )
