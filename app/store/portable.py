"""Queries that carry games in and out of an installation, a piece at a time."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, insert, select, tuple_

from app.store.games import StoredGame
from app.store.tables import games

Place = tuple[int | None, str]
"""Where a piece of a player's games ends: when its last game was begun (None: not yet), and that game's id."""

_BYTES_MOST = 500_000
"""Roughly the most that one piece reads: whoever waits behind it should not notice."""

_DOUBLES_MOST = 1_000
"""How many games are looked at for doubles: more go so far at one time only in an export that was made up."""

_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_TAKEN = select(games.c.id).where(games.c.id.in_(_IDS))
_OWN = _TAKEN.where(games.c.player == bindparam("player"))


def page(connection: Connection, player: int, after: Place | None, most: int) -> list[StoredGame]:
    """The next of a player's games, those begun by time and id, then the others by id; none once all were given."""
    rows: list[StoredGame] = []
    if after is None or after[0] is not None:
        rows = _some(connection, _begun(player, after), most)
    return rows or _some(connection, _unbegun(player, after), most)


def own(connection: Connection, player: int, ids: Iterable[str]) -> set[str]:
    """Which of some ids are games of a player."""
    return set(connection.scalars(_OWN, {"player": player, "ids": list(ids)}))


def taken(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Which of some ids are games, whoever they belong to."""
    return set(connection.scalars(_TAKEN, {"ids": list(ids)}))


def add_games(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Keep new games, each with the columns of tables.py that differ from their defaults."""
    if rows:
        connection.execute(insert(games), rows)


def without_doubles(
    connection: Connection, player: int, rows: list[dict[str, Any]], *, timed: bool
) -> list[dict[str, Any]]:
    """Those of some games that a player has not got, each once.

    The same is what was begun at the same time on the same deal and went as far, but nothing that was not begun; of
    games without a time (not ``timed``) what has the very same actions.
    """
    names = ("rules", "deal", "opening", "version", "moves", "begun_at" if timed else "actions")
    values = {name: {row[name] for row in rows} for name in names}
    query = select(*(games.c[name] for name in names)).where(games.c.player == player)
    alike = (games.c[name].in_(values[name]) for name in names if name != "opening")
    known = {tuple(row) for row in connection.execute(query.where(*alike).limit(_DOUBLES_MOST))}
    new = list[dict[str, Any]]()
    for row in rows:
        same = tuple(row[name] for name in names)
        if same not in known:
            new.append(row)
        if row[names[-1]] is not None:
            known.add(same)
    return new


def _begun(player: int, after: Place | None) -> Select[Any]:
    query = select(games).where(games.c.player == player, games.c.begun_at.is_not(None))
    if after is not None:
        query = query.where(tuple_(games.c.begun_at, games.c.id) > after)
    return query.order_by(games.c.begun_at, games.c.id)


def _unbegun(player: int, after: Place | None) -> Select[Any]:
    query = select(games).where(games.c.player == player, games.c.begun_at.is_(None))
    if after is not None and after[0] is None:
        query = query.where(games.c.id > after[1])
    return query.order_by(games.c.id)


def _some(connection: Connection, query: Select[Any], most: int) -> list[StoredGame]:
    """The first rows of a query; fewer where they are long, but one at least."""
    rows, length = list[StoredGame](), 0
    with connection.execute(query.limit(most)) as found:
        for row in found:
            rows.append(StoredGame(*row))
            length += _length(row)
            if length > _BYTES_MOST:
                break
    return rows


def _length(row: Row[Any]) -> int:
    return len(row.actions) + len(row.opening)
