"""Boards: who won a deal, in how few moves and how fast; and who had seen its solution before."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Literal

from sqlalchemy import Connection

from app.play.players import Players
from app.play.run import Run
from app.play.together.daily import day_of
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet
from app.store import boards, solutions
from app.store.boards import StoredWin

Kind = Literal["first", "helped", "repeats", "late"]
"""The lists of a board: the first attempts without help, those with help, further ones, and, of a daily deal, later."""

KINDS: tuple[Kind, ...] = ("first", "helped", "repeats", "late")

ROWS_MOST = 100
"""How many rows a list shows, besides the asker's own."""

# A board is read in so many visits of so many wins at the most, so that nobody waits long for the database.
_VISIT, _VISITS = 500, 20
_OWN_MOST = 200


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board; those with as many moves and as much time share a ``place``, 1 the first.

    ``milliseconds`` from the first action to the win, ``won_at`` milliseconds since 1970, UTC. ``own`` marks the
    asker's; ``helped`` and ``repeat`` tell what kind of attempt it was.
    """

    place: int
    name: str
    moves: int
    milliseconds: int
    won_at: int
    own: bool
    helped: bool
    repeat: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The lists of a deal's board; ``named`` tells whether the asker can stand on it.

    Each player stands at most once in each list, with his best. The asker's own row is there wherever it stands
    among the best 10,000 wins.
    """

    first: tuple[Row, ...]
    helped: tuple[Row, ...]
    repeats: tuple[Row, ...]
    late: tuple[Row, ...]
    named: bool


@dataclass(slots=True)
class _List:
    """A list while it grows, best first; ``awaited`` is the asker as long as his row is still to come."""

    asker: int | None
    awaited: bool = False
    rows: list[Row] = field(default_factory=list)
    players: set[int] = field(default_factory=set)
    place: int = 0
    last: tuple[int, int] = (0, 0)

    @property
    def done(self) -> bool:
        return len(self.rows) >= ROWS_MOST and not self.awaited

    def take(self, win: StoredWin) -> None:
        if win.player in self.players:
            return
        self.players.add(win.player)
        if (win.moves, win.won_in) != self.last:
            self.place, self.last = len(self.players), (win.moves, win.won_in)
        own = win.player == self.asker
        if own or len(self.rows) < ROWS_MOST:
            self.rows.append(_row(win, self.place, own=own))
        self.awaited = self.awaited and not own


class Boards:
    """The boards of an installation; ``run`` runs a use case on the database, ``now`` is the time in milliseconds."""

    def __init__(self, players: Players, run: Run, now: Callable[[], int]) -> None:
        self._players = players
        self._run = run
        self._now = now

    def saw(self, connection: Connection, token: str | None, rules: RuleSet, deal: Deal) -> None:
        """Remember that a player was shown the solution of a deal; nothing where nobody has the token."""
        player = self._players.find(connection, token)
        if player is not None:
            solutions.keep(connection, player, [(rules.slug, deal.code, self._now())])

    async def board(self, token: str | None, rules: RuleSet, deal: Deal, day: date | None = None) -> Board:
        """The board of a deal; with a ``day``, of its games as that day's daily deal."""
        asker, named, own = await self._run(partial(self._asker, token=token, rules=rules, deal=deal))
        awaited = {_kind(win, day) for win in own}
        lists = {kind: _List(asker, awaited=kind in awaited) for kind in KINDS}
        deck = Deal(deal.deck).code
        last: StoredWin | None = None
        for _ in range(_VISITS):
            visit = partial(boards.wins, rules=rules.slug, deal=deal.code, deck=deck, after=last, most=_VISIT)
            wins: list[StoredWin] = await self._run(visit)
            for win in wins:
                kind = _kind(win, day)
                if kind is not None:
                    lists[kind].take(win)
            if len(wins) < _VISIT or all(one.done for one in lists.values()):
                break
            last = wins[-1]
        first, helped, repeats, late = (tuple(lists[kind].rows) for kind in KINDS)
        return Board(first, helped, repeats, late, named)

    def _asker(
        self, connection: Connection, token: str | None, rules: RuleSet, deal: Deal
    ) -> tuple[int | None, bool, list[StoredWin]]:
        """Who asks, whether he has a name, and his wins of a deal."""
        player, shown = self._players.find(connection, token), self._players.show(connection, token)
        if player is None or shown is None or shown.name is None:
            return player, False, []
        return player, True, boards.wins_of(connection, rules.slug, deal.code, Deal(deal.deck).code, player, _OWN_MOST)


def _kind(win: StoredWin, day: date | None) -> Kind | None:
    """The list that a win stands in, if any."""
    if win.name is None or win.source != "played" or (day is not None and win.daily != day.isoformat()):
        return None
    if day is not None and day_of(win.begun_at) != day:
        return "late"
    return "helped" if win.helped else "repeats" if win.repeat else "first"


def _row(win: StoredWin, place: int, *, own: bool) -> Row:
    return Row(place, win.name or "", win.moves, win.won_in, win.won_at, own, win.helped, win.repeat)
