"""Records: a player's statistics, the history of his games, and what he did best."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Literal

from sqlalchemy import Connection

from app.play.archive.statistics import Fold, Statistics, is_forsaken
from app.play.players import Players, token_hash
from app.play.run import Run
from app.rules.cards import Unreadable, shown
from app.rules.deal import Deal, Seed, read_deal
from app.rules.ruleset import RuleSet, read_rules
from app.store import records
from app.store.records import Edge, Mark, Row, StoredLine

PAGE = 50
"""How many games a page of the history has."""

# What the event loop does at one go: some 2 ms.
_SLICE = 4_000
_READING_MOST = 2
_CURSOR = re.compile(r"(-?[0-9]{1,15})\.([A-Za-z0-9_-]{1,32})")

End = Literal["won", "lost", "left", "open"]


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the history: that of a game, by when it was begun and its id."""

    begun_at: int
    id: str

    @property
    def text(self) -> str:
        """The cursor as an address carries it; read_cursor reads it back."""
        return f"{self.begun_at}.{self.id}"


@dataclass(frozen=True, slots=True)
class Line:
    """A game in the history; ``seed`` is None where the deck was given, ``won_in`` in milliseconds and of wins only.

    ``onward`` tells that it was played on from a position of another game, ``daily`` whose day's deal it was.
    """

    id: str
    rules: RuleSet
    seed: Seed | None
    end: End
    moves: int
    won_in: int | None
    hints: int
    begun_at: int
    onward: bool
    daily: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A page of the history, newest first, and where the pages next to it begin (None: there is none)."""

    lines: tuple[Line, ...] = ()
    newer: Cursor | None = None
    older: Cursor | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The fewest moves and the best time, in milliseconds, of a player's wins: by a rule set, and on a deal by it."""

    moves: int | None = None
    time: int | None = None
    deal_moves: int | None = None
    deal_time: int | None = None


def read_cursor(text: str) -> Cursor:
    """The place in the history that a text names. Raises Unreadable."""
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise Unreadable("“%(text)s” is no place in your games", text=shown(text))
    return Cursor(int(found[1]), found[2])


def best(connection: Connection, token: str | None, rules: RuleSet, deal: Deal) -> Best:
    """What a player did best by a rule set, and on a deal."""
    if token is None:
        return Best()
    found = records.best(connection, token_hash(token), rules.slug, deal.code)
    return Best(found.moves, found.won_in, found.deal_moves, found.deal_won_in)


class Records:
    """The records of an installation's players; ``run`` runs a use case on the database, ``now`` in milliseconds."""

    def __init__(self, run: Run, players: Players, now: Callable[[], int]) -> None:
        self._run = run
        self._players = players
        self._now = now
        # A hundred thousand games take some 30 MB while they are counted.
        self._reading = asyncio.Semaphore(_READING_MOST)

    async def statistics(self, token: str | None) -> Statistics:
        """The statistics of the player with a token, read and counted piece by piece, so that nobody waits for it."""
        async with self._reading:
            now = self._now()
            player, last_begun = await self._run(partial(self._known, token=token))
            if player is None or last_begun is None:
                return Statistics()
            # In this order a game that is won meanwhile is read twice rather than not at all.
            unwon = await self._read(records.unwon, player)
            rows = each_once(unwon, await self._read(records.won, player), now)
            rows.sort(key=itemgetter(1))
            fold = Fold(now, last_begun)
            for at in range(0, len(rows), _SLICE):
                fold.add(rows[at : at + _SLICE])
                await asyncio.sleep(0)
            return fold.statistics()

    def history(
        self,
        connection: Connection,
        token: str | None,
        rules: RuleSet | None = None,
        before: Cursor | None = None,
        after: Cursor | None = None,
    ) -> History:
        """A page of a player's games that have seen an action: the newest, or those right before or after a place."""
        player, last_begun = self._known(connection, token)
        if player is None or last_begun is None:
            return History()
        find = partial(records.history, connection, player, PAGE + 1, rules.slug if rules else None)
        rows = find(Edge(after.begun_at, after.id, after=True)) if after else []
        back = len(rows) > PAGE
        # Where no more than a page are newer, that is the first page.
        rows = rows[:PAGE][::-1] if back else find(Edge(before.begun_at, before.id) if before else None)
        now = self._now()
        lines = tuple(_line(row, now, last_begun) for row in rows[:PAGE])
        newer = back or before is not None
        older = back or len(rows) > PAGE
        return History(lines, _place(lines[:1]) if newer else None, _place(lines[-1:]) if older else None)

    def _known(self, connection: Connection, token: str | None) -> tuple[int | None, int | None]:
        """A player, and when he last began a game."""
        player = self._players.find(connection, token)
        return player, None if player is None else records.last_begun(connection, player)

    async def _read(self, read: Callable[..., tuple[list[Row], Mark | None]], player: int) -> list[Row]:
        rows: list[Row] = []
        mark: Mark | None = Mark()
        while mark is not None:
            chunk, mark = await self._run(partial(read, player=player, mark=mark))
            rows += chunk
        return rows


def each_once(unwon: list[Row], won: list[Row], now: int) -> list[Row]:
    """Games that were read from ``now`` on, each once and as it was read last, though some went on meanwhile."""
    rows = unwon + won
    late = {(row[0], row[1]): row for row in rows if row[2] > now}
    if not late:
        return rows
    return [row for row in rows if (row[0], row[1]) not in late] + list(late.values())


def _line(row: StoredLine, now: int, last_begun: int) -> Line:
    seed, onward = read_deal(row.deal).seed, row.source == "onward"
    end = _end(row, now, last_begun)
    rules, begun = read_rules(row.rules), row.begun_at
    return Line(row.id, rules, seed, end, row.moves, row.won_in, row.hints, begun, onward, row.daily)


def _end(row: StoredLine, now: int, last_begun: int) -> End:
    if row.won_at is not None:
        return "won"
    if row.left_at is not None:
        return "left"
    return "lost" if is_forsaken(row.begun_at, row.touched_at, now, last_begun) else "open"


def _place(lines: tuple[Line, ...]) -> Cursor | None:
    return Cursor(lines[0].begun_at, lines[0].id) if lines else None
