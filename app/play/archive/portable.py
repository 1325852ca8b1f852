"""Carrying games: everything about a player, written; and games that come from elsewhere, taken in once."""

import asyncio
import base64
import hmac
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from app.play.archive import exported
from app.play.archive.imported import Carried, Reading, carried
from app.play.errors import NotFound, TooBusy
from app.play.players import Player, Players, token_hash
from app.play.preferences import Preferences
from app.play.run import Run
from app.rules.cards import Unreadable
from app.rules.record import game_text, read_game_text
from app.store import players as stored_players
from app.store import portable, solutions
from app.store.games import StoredGame

T = TypeVar("T")

_PAGE = 200
_ROWS = 200
_BYTES_MOST = 500_000
_ID_CHARACTERS = 16
_SENDERS_MOST = 8
_EXPORT = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*\{")


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of an import: how many games came in, how many were there before.

    ``token`` and ``preferences`` are those of a player who came into being with it, else None.
    """

    imported: int
    known: int
    token: str | None = None
    preferences: Preferences | None = None


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose games they become; ``made`` tells whether he is new."""

    player: int
    token: str
    secret: str
    made: bool


class Portable:
    """Exports and imports of an installation; ``now`` is the time in milliseconds since 1970."""

    def __init__(self, run: Run, players: Players, now: Callable[[], int]) -> None:
        self._run = run
        self._players = players
        self._now = now
        self._importing = False
        self._senders: set[str] = set()

    async def export(self, player: Player, token: str) -> AsyncIterator[str]:
        """Everything about the player with a token, as JSON, a piece at a time."""
        yield exported.head_text(player, self._now()) + ', "games": ['
        between = "\n"
        async for rows in self._pages(token):
            yield between + ",\n".join(map(exported.game_json, rows))
            between = ",\n"
        yield '\n], "solutions": ['
        between, after = "\n", None
        while seen := await self._run(partial(self._solutions, token=token, after=after)):
            yield between + ",\n".join(exported.solution_text(*row) for row in seen)
            between, after = ",\n", seen[-1][:2]
        yield "\n]}\n"

    async def table(self, token: str) -> AsyncIterator[str]:
        """The games of the player with a token as CSV, a piece at a time."""
        yield exported.csv_text([exported.CSV_NAMES])
        async for rows in self._pages(token):
            yield exported.csv_text(list(map(exported.csv_row, rows)))

    @contextmanager
    def arriving(self, sender: str) -> Iterator[None]:
        """A place for what is being sent: one for each sender, and some for all. Raises TooBusy."""
        if sender in self._senders or len(self._senders) >= _SENDERS_MOST:
            raise TooBusy("something to import is arriving already; please try again in a minute")
        self._senders.add(sender)
        try:
            yield
        finally:
            self._senders.discard(sender)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The turn to import: one at a time for all. Raises TooBusy."""
        if self._importing:
            raise TooBusy("another import is under way; please try again in a minute")
        self._importing = True
        try:
            yield
        finally:
            self._importing = False

    async def bring(self, token: str | None, preferences: Preferences, data: bytes) -> Brought:
        """Take in an export or a game text for the player with a token, or for a new one with these preferences.

        All of it is replayed before any of it is kept. What was taken in before stays as it is, so that an import
        that was cut short is mended by another. Raises Unreadable, and NotFound where the player goes meanwhile.
        """
        reading = await self._read(data)
        if reading.preferences is not None:
            preferences = reading.preferences
        owner = await self._run(partial(self._own, token=token, name=reading.name, preferences=preferences))
        imported = 0
        for games in _batches(reading.games):
            rows = await asyncio.to_thread(_rows, games, owner)
            imported += await self._run(partial(self._add, owner=owner, rows=rows, timed=reading.timed))
        for at in range(0, len(reading.solutions), _ROWS):
            seen = reading.solutions[at : at + _ROWS]
            await self._run(partial(self._add_solutions, owner=owner, rows=seen))
        made = (owner.token, preferences) if owner.made else (None, None)
        return Brought(imported, len(reading.games) - imported, *made)

    async def _pages(self, token: str) -> AsyncIterator[list[StoredGame]]:
        after: portable.Place | None = None
        while rows := await self._run(partial(self._page, token=token, after=after)):
            yield rows
            after = (rows[-1].begun_at, rows[-1].id)

    def _page(self, connection: Connection, token: str, after: portable.Place | None) -> list[StoredGame]:
        return portable.page(connection, self._players.require(connection, token), after, _PAGE)

    def _solutions(
        self, connection: Connection, token: str, after: tuple[str, str] | None
    ) -> list[tuple[str, str, int]]:
        return solutions.page(connection, self._players.require(connection, token), after, _PAGE)

    async def _read(self, data: bytes) -> "_Parcel":
        if not _EXPORT.match(data):
            return await asyncio.to_thread(_read_text, data, self._now())
        reading = Reading(data, self._now())
        while await asyncio.to_thread(reading.more):
            pass
        return _Parcel(reading.games, reading.solutions, reading.name, reading.preferences)

    def _own(self, connection: Connection, token: str | None, name: str | None, preferences: Preferences) -> _Owner:
        player, made = self._players.known_or_new(connection, token, self._players.new_token(), preferences)
        if name is not None and stored_players.read(connection, player).name is None:
            stored_players.change(connection, player, name=name)
        secret = stored_players.secret(connection, "import", self._players.new_token())
        return _Owner(player, made or token or "", secret, made is not None)

    def _add(
        self, connection: Connection, owner: _Owner, rows: list[tuple[str, dict[str, Any]]], *, timed: bool
    ) -> int:
        """Keep the games that are not there yet; tells how many."""
        self._check(connection, owner)
        own = portable.own(connection, owner.player, (old for old, _ in rows))
        taken = portable.taken(connection, (row["id"] for _, row in rows))
        left = [row for old, row in rows if old not in own and row["id"] not in taken]
        new = portable.without_doubles(connection, owner.player, left, timed=timed)
        portable.add_games(connection, new)
        return len(new)

    def _add_solutions(self, connection: Connection, owner: _Owner, rows: list[tuple[str, str, int]]) -> None:
        self._check(connection, owner)
        solutions.keep(connection, owner.player, rows)

    def _check(self, connection: Connection, owner: _Owner) -> None:
        """Raise NotFound where the player has gone, or has become another, since the import began."""
        if self._players.find(connection, owner.token) != owner.player:
            raise NotFound


@dataclass(frozen=True, slots=True)
class _Parcel:
    """What is to be taken in; ``preferences`` is None where nothing is said of them.

    ``timed`` tells whether the games' times are known.
    """

    games: list[Carried]
    solutions: list[tuple[str, str, int]]
    name: str | None = None
    preferences: Preferences | None = None
    timed: bool = True


def _read_text(data: bytes, now: int) -> _Parcel:
    try:
        record = read_game_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as why:
        raise Unreadable("this is neither an export nor a game text") from why
    # The same text is the same game, however often it comes.
    game_id = f"text {token_hash(game_text(record))}"
    return _Parcel([carried(record, now, game_id)], [], timed=False)


def _batches(games: list[Carried]) -> Iterator[list[Carried]]:
    """Games in batches that are kept in a moment: not many, and not of many actions."""
    batch, length = list[Carried](), 0
    for game in games:
        batch.append(game)
        length += len(game.actions)
        if len(batch) == _ROWS or length > _BYTES_MOST:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _rows(games: list[Carried], owner: _Owner) -> list[tuple[str, dict[str, Any]]]:
    """The rows of some games, each with the id that its game had where it came from."""
    return [(game.id, {**asdict(game), "id": _new_id(owner, game.id), "player": owner.player}) for game in games]


def _new_id(owner: _Owner, old: str) -> str:
    """The id of a game that is brought: another one for each player, the same each time."""
    digest = hmac.digest(owner.secret.encode(), f"{owner.player} {old}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:_ID_CHARACTERS].decode()
