"""Statistics: the figures of a player's games.

A game counts as played from its first action on, and as lost once its player has begun another one and has not
touched it for 24 hours; a return makes it open again. One given up is lost at once. An open game is neither won nor
lost. What was played on from a position of another game counts nowhere.
"""

from dataclasses import dataclass
from itertools import islice

from app.rules.ruleset import NAMED, RuleSet, read_rules
from app.store.records import Row

FORSAKEN_MS = 24 * 3_600_000
"""How long a game is left alone, while its player plays others, before it counts as lost."""

RECENT = 40
"""How many finished games are told one by one."""

_ORDER = {slug: number for number, slug in enumerate(NAMED)}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of some games; what there is none of is None. Times are milliseconds.

    ``streak`` and ``longest_streak`` count wins in a row among finished games, in the order of their beginning;
    ``streak`` is the one that still lasts. Of ``known`` wins the fewest possible moves are known, and ``perfect``
    ones took no more.
    """

    played: int = 0
    won: int = 0
    lost: int = 0
    streak: int = 0
    longest_streak: int = 0
    fewest_moves: int | None = None
    best_time: int | None = None
    average_moves: float | None = None
    average_time: float | None = None
    perfect: int = 0
    known: int = 0
    hints: int = 0

    @property
    def share(self) -> float | None:
        """The part of finished games that was won, 0..1."""
        finished = self.won + self.lost
        return self.won / finished if finished else None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game; ``moves`` and ``won_in`` (milliseconds) are told of a win only."""

    rules: RuleSet
    begun_at: int
    won: bool
    moves: int | None
    won_in: int | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's figures over all and by rule set, the named ones first, and his last finished games, oldest first."""

    total: Figures = Figures()
    by_rules: tuple[tuple[RuleSet, Figures], ...] = ()
    recent: tuple[Finished, ...] = ()


def is_forsaken(begun_at: int, touched_at: int, now: int, last_begun: int) -> bool:
    """Whether a game that is neither won nor given up counts as lost."""
    return touched_at <= now - FORSAKEN_MS and begun_at < last_begun


class Fold:
    """Statistics in the making: games are added in the order of their beginning, in as many pieces as one likes."""

    def __init__(self, now: int, last_begun: int) -> None:
        self._stale = now - FORSAKEN_MS
        self._last_begun = last_begun
        self._tallies: dict[str, _Tally] = {}
        self._streak = _Streak()
        self._recent: list[tuple[Row, str]] = []

    def add(self, rows: list[Row]) -> None:
        """Count some more games."""
        stale, last_begun, tallies = self._stale, self._last_begun, self._tallies
        ends: list[str] = []
        for row in rows:
            rules, begun_at, touched_at, won_at, left_at, _moves, _won_in, hints, _fewest = row
            tally = tallies.get(rules)
            if tally is None:
                tally = tallies[rules] = _Tally()
            if won_at is not None:
                end = "W"
                tally.wins.append(row)
            # is_forsaken, written out: a call would cost a game as much again as all the rest.
            elif left_at is not None or (touched_at <= stale and begun_at < last_begun):
                end = "L"
            else:
                end = "O"
            ends.append(end)
            tally.ends.append(end)
            if hints:
                tally.hints += hints
        for tally in tallies.values():
            tally.count()
        self._streak.add(ends)
        finished = (pair for pair in zip(reversed(rows), reversed(ends), strict=True) if pair[1] != "O")
        self._recent = (self._recent + [*islice(finished, RECENT)][::-1])[-RECENT:]

    def statistics(self) -> Statistics:
        """What was counted so far."""
        tallies = sorted(self._tallies.items(), key=lambda item: (_ORDER.get(item[0], len(_ORDER)), item[0]))
        return Statistics(
            _figures([tally for _, tally in tallies], self._streak),
            tuple((read_rules(rules), _figures([tally], tally.streak)) for rules, tally in tallies),
            tuple(_finished(row, won=end == "W") for row, end in self._recent),
        )


class _Streak:
    """Wins in a row: those that still last, and the longest."""

    def __init__(self) -> None:
        self.lasting = 0
        self.longest = 0

    def add(self, ends: list[str]) -> None:
        """Some more games, ``W`` won, ``L`` lost, ``O`` open."""
        first, *others = map(len, "".join(ends).replace("O", "").split("L"))
        first += self.lasting
        self.longest = max(self.longest, first, *others)
        self.lasting = others[-1] if others else first


class _Tally:
    """What is counted of the games by one rule set; ``wins`` and ``ends`` are still to be counted."""

    def __init__(self) -> None:
        self.wins: list[Row] = []
        self.ends: list[str] = []
        self.streak = _Streak()
        self.played = self.won = self.lost = self.hints = self.perfect = self.known = 0
        self.moves = self.time = self.timed = 0
        self.fewest_moves: int | None = None
        self.best_time: int | None = None

    def count(self) -> None:
        """Count what is still to be."""
        if not self.ends:
            return
        self.played += len(self.ends)
        self.lost += self.ends.count("L")
        self.streak.add(self.ends)
        moves = [row[5] or 0 for row in self.wins]
        times = [row[6] for row in self.wins if row[6] is not None]
        known = [row for row in self.wins if row[8] is not None]
        self.won += len(moves)
        self.moves += sum(moves)
        self.time += sum(times)
        self.timed += len(times)
        self.known += len(known)
        self.perfect += sum(row[5] == row[8] for row in known)
        self.fewest_moves = _least(self.fewest_moves, *moves)
        self.best_time = _least(self.best_time, *times)
        self.wins, self.ends = [], []


def _figures(tallies: list[_Tally], streak: _Streak) -> Figures:
    won, timed = sum(tally.won for tally in tallies), sum(tally.timed for tally in tallies)
    return Figures(
        played=sum(tally.played for tally in tallies),
        won=won,
        lost=sum(tally.lost for tally in tallies),
        streak=streak.lasting,
        longest_streak=streak.longest,
        fewest_moves=_least(*(tally.fewest_moves for tally in tallies)),
        best_time=_least(*(tally.best_time for tally in tallies)),
        average_moves=sum(tally.moves for tally in tallies) / won if won else None,
        average_time=sum(tally.time for tally in tallies) / timed if timed else None,
        perfect=sum(tally.perfect for tally in tallies),
        known=sum(tally.known for tally in tallies),
        hints=sum(tally.hints for tally in tallies),
    )


def _least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _finished(row: Row, *, won: bool) -> Finished:
    return Finished(read_rules(row[0]), row[1], won, row[5], row[6])
