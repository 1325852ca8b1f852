"""Queries about daily deals: the seeds kept, and what a player made of them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, func, select

from app.store.database.once import keep_first
from app.store.tables import dailies, games, unfinished


@dataclass(frozen=True, slots=True)
class StoredDaily:
    """What a player made of a day's deal.

    ``first_win`` is when the earliest game was begun that won it, ``moves`` the fewest moves of a win; None without
    one. Times in milliseconds since 1970, UTC.
    """

    rules: str
    day: str
    first_win: int | None
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class StoredRunning:
    """A game of a day's deal that is neither won nor left."""

    id: str
    moves: int
    touched_at: int


def find(connection: Connection, rules: str, day: str) -> str | None:
    """The seed of a day's deal, or None where it was not looked for yet."""
    return connection.scalar(select(dailies.c.seed).where(dailies.c.rules == rules, dailies.c.day == day))


def keep(connection: Connection, rules: str, day: str, seed: str) -> str:
    """The seed of a day's deal, which is the given one unless another was kept before."""
    keep_first(connection, dailies, [{"rules": rules, "day": day, "seed": seed}])
    return find(connection, rules, day) or seed


def played(connection: Connection, player: int, rules: str, first: str, last: str) -> list[StoredDaily]:
    """What a player made of the deals of some days, those that he began only, in the order of the days."""
    query = _played(player, moves=True).where(games.c.rules == rules, games.c.daily.between(first, last))
    return [StoredDaily(*row) for row in connection.execute(query)]


def won(connection: Connection, player: int) -> list[StoredDaily]:
    """The daily deals that a player won, without the moves."""
    query = _played(player, moves=False).where(games.c.won_at.is_not(None))
    return [StoredDaily(*row) for row in connection.execute(query)]


def running(connection: Connection, player: int, rules: str, day: str, most: int) -> list[StoredRunning]:
    """A player's games of a day's deal that were begun and neither won nor left, last touched first."""
    query = (
        select(games.c.id, games.c.moves, games.c.touched_at)
        .where(games.c.player == player, games.c.rules == rules, games.c.daily == day)
        .where(games.c.version > 0, unfinished)
        .order_by(games.c.touched_at.desc(), games.c.id)
        .limit(most)
    )
    return [StoredRunning(*row) for row in connection.execute(query)]


def _played(player: int, *, moves: bool) -> Any:  # noqa: ANN401 - a Select of three or four columns.
    """A player's daily deals, a row each; without the moves, the index tells all of it."""
    is_won = games.c.won_at.is_not(None)
    columns = [games.c.rules, games.c.daily, func.min(case((is_won, games.c.begun_at)))]
    columns += [func.min(case((is_won, games.c.moves)))] if moves else []
    return (
        select(*columns)
        .where(games.c.player == player, games.c.daily.is_not(None), games.c.begun_at.is_not(None))
        .where(games.c.source == "played")
        .group_by(games.c.rules, games.c.daily)
        .order_by(games.c.rules, games.c.daily)
    )
