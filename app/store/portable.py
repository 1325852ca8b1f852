"""Queries that carry games in and out of an installation, a piece at a time."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, insert, select, tuple_

from app.store.games import StoredGame
from app.store.tables import games, solutions

Place = tuple[int | None, str]
"""Where a piece of a player's games ends: when its last game was begun (None: not yet), and that game's id."""

_BYTES_MOST = 500_000
"""Roughly the most that one piece reads: whoever waits behind it should not notice."""

_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_TAKEN = select(games.c.id).where(games.c.id.in_(_IDS))
_OWN = _TAKEN.where(games.c.player == bindparam("player"))

_SEEN = select(solutions.c.rules, solutions.c.deal).where(
    solutions.c.player == bindparam("player"),
    solutions.c.rules.in_(bindparam("rules", expanding=True)),
    solutions.c.deal.in_(bindparam("deals", expanding=True)),
)


def page(connection: Connection, player: int, after: Place | None, most: int) -> list[StoredGame]:
    """The next of a player's games, those begun by time and id, then the others by id; none once all were given."""
    rows: list[StoredGame] = []
    if after is None or after[0] is not None:
        rows = _some(connection, _begun(player, after), most)
    return rows or _some(connection, _unbegun(player, after), most)


def solutions_page(
    connection: Connection, player: int, after: tuple[str, str] | None, most: int
) -> list[tuple[str, str, int]]:
    """The next of the solutions that a player has seen, by rules and deal: rules, deal, and when."""
    query = select(solutions.c.rules, solutions.c.deal, solutions.c.seen_at).where(solutions.c.player == player)
    if after is not None:
        query = query.where(tuple_(solutions.c.rules, solutions.c.deal) > after)
    query = query.order_by(solutions.c.rules, solutions.c.deal).limit(most)
    return [(rules, deal, seen_at) for rules, deal, seen_at in connection.execute(query)]


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


def add_solutions(connection: Connection, player: int, rows: list[tuple[str, str, int]]) -> None:
    """Keep which solutions a player has seen, and when; what was kept before stays."""
    asked = {"player": player, "rules": list({row[0] for row in rows}), "deals": [row[1] for row in rows]}
    known = {(rules, deal) for rules, deal in connection.execute(_SEEN, asked)}
    new = {(rules, deal): seen_at for rules, deal, seen_at in reversed(rows) if (rules, deal) not in known}
    if new:
        names = ("player", "rules", "deal", "seen_at")
        connection.execute(
            insert(solutions), [dict(zip(names, (player, *key, at), strict=True)) for key, at in new.items()]
        )


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
