"""Queries for statistics, for the history of a player's games, and for what he did best."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, literal_column, null, select, tuple_

from app.store.database.hot import Hot
from app.store.tables import games, tokens

CHUNK = 4_000
"""How many games are read in one visit of the door; it takes that some 5 ms."""

_EVER = -(2**63)

Row: TypeAlias = tuple[str, int, int, int | None, int | None, int | None, int | None, int, int | None]
"""A game for statistics: rules, begun_at, touched_at, won_at, left_at, moves, won_in, hints, fewest.

Moves are told of won games only, and touched_at is then the time of the win.
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a reading goes on: at a time, after so many games of that very time."""

    at: int = _EVER
    skip: int = 0


START = Mark()


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a page of the history ends: before a game, by when that was begun and its id, or after it."""

    begun_at: int
    id: str
    after: bool = False


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A game for the history, as tables.py describes its columns; it has seen an action."""

    id: str
    rules: str
    deal: str
    moves: int
    begun_at: int
    touched_at: int
    won_at: int | None
    left_at: int | None
    won_in: int | None
    hints: int
    source: str
    daily: str | None


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A win of which the fewest possible moves are not known."""

    begun_at: int
    rules: str
    deal: str


@dataclass(frozen=True, slots=True)
class StoredBest:
    """The fewest moves and the least milliseconds of a player's wins: by some rules, and on a deal of theirs."""

    moves: int | None
    won_in: int | None
    deal_moves: int | None
    deal_won_in: int | None


_G = games.c
_WON, _UNWON, _BEGUN = _G.won_at.is_not(None), _G.won_at.is_(None), _G.begun_at.is_not(None)
# A literal, just as in the index: of a value that is bound only later SQLite does not know that the index will do.
_COUNTED = _G.source != literal_column("'onward'")
_MINE = _G.player == bindparam("player")
_OWNER = select(tokens.c.player).where(tokens.c.hash == bindparam("token_hash")).scalar_subquery()


def _chunk(order: ColumnElement[Any], *columns: ColumnElement[Any]) -> Select[Any]:
    """Some of a player's counted games in an order, from a mark on."""
    chosen = select(*columns).where(_MINE, _COUNTED, order >= bindparam("at")).order_by(order)
    return chosen.limit(bindparam("most")).offset(bindparam("skip"))


_NONE = null()
_WINS = Hot(
    _chunk(
        _G.begun_at, _G.rules, _G.begun_at, _G.won_at, _G.won_at, _NONE, _G.moves, _G.won_in, _G.hints, _G.fewest
    ).where(_WON)
)
_OTHERS = Hot(
    _chunk(_G.touched_at, _G.rules, _G.begun_at, _G.touched_at, _NONE, _G.left_at, _NONE, _NONE, _G.hints, _NONE).where(
        _UNWON, _BEGUN
    )
)


def _least(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The least of a column of the player's counted wins by some rules, which an index has in front."""
    wins = select(func.min(column)).where(_G.player == _OWNER, _G.rules == bindparam("rules"), _WON, _COUNTED)
    return wins.scalar_subquery()


_ON_DEAL = (
    select(func.min(_G.moves).label("moves"), func.min(_G.won_in).label("won_in"))
    .where(_G.rules == bindparam("rules"), _G.deal == bindparam("deal"), _G.player == _OWNER, _WON, _COUNTED)
    .subquery()
)
_BEST = Hot(select(_least(_G.moves), _least(_G.won_in), _ON_DEAL.c.moves, _ON_DEAL.c.won_in))
_LINE = tuple(_G[name] for name in StoredLine.__dataclass_fields__)


def last_begun(connection: Connection, player: int) -> int | None:
    """When a player last began a game, whatever game; None before his first action."""
    begun_at: int | None = connection.scalar(select(func.max(_G.begun_at)).where(_G.player == player))
    return begun_at


def unwon(connection: Connection, player: int, mark: Mark = START) -> tuple[list[Row], Mark | None]:
    """Some of a player's counted games without a win, last touched last, and where to go on (None: these were all)."""
    return _read(connection, _OTHERS, player, mark, 2)


def won(connection: Connection, player: int, mark: Mark = START) -> tuple[list[Row], Mark | None]:
    """Some of a player's counted wins, begun last last, and where to go on (None: these were all)."""
    return _read(connection, _WINS, player, mark, 1)


def _read(connection: Connection, query: Hot, player: int, mark: Mark, by: int) -> tuple[list[Row], Mark | None]:
    """A chunk in the order of one of its columns."""
    values = {"player": player, "at": mark.at, "skip": mark.skip, "most": CHUNK}
    rows: list[Row] = query.run(connection, values).fetchall()
    if len(rows) < CHUNK:
        return rows, None
    last = int(rows[-1][by] or 0)
    same = sum(row[by] == last for row in rows)
    return rows, Mark(last, same + (mark.skip if last == mark.at else 0))


def history(
    connection: Connection, player: int, most: int, rules: str | None = None, edge: Edge | None = None
) -> list[StoredLine]:
    """A player's games that have seen an action, begun last first, of one rule set if named; from an edge on if given.

    Those begun after an edge come begun first first: the nearest to it.
    """
    query = select(*_LINE).where(_G.player == player, _BEGUN).limit(most)
    if rules is not None:
        query = query.where(_G.rules == rules)
    where = tuple_(_G.begun_at, _G.id)
    if edge is not None and edge.after:
        query = query.where(where > (edge.begun_at, edge.id)).order_by(_G.begun_at, _G.id)
    else:
        query = query.order_by(_G.begun_at.desc(), _G.id.desc())
        query = query if edge is None else query.where(where < (edge.begun_at, edge.id))
    return [StoredLine(*row) for row in connection.execute(query)]


def unjudged(connection: Connection, token_hash: str, most: int, before: int | None = None) -> list[Unjudged]:
    """Counted wins of the player with a token of which the fewest moves are not known, begun last first.

    ``before`` a time, if given: those begun earlier.
    """
    columns = (_G[name] for name in Unjudged.__slots__)
    query = select(*columns).where(_G.player == _OWNER, _WON, _COUNTED, _G.fewest.is_(None))
    if before is not None:
        query = query.where(_G.begun_at < before)
    found = connection.execute(query.order_by(_G.begun_at.desc()).limit(most), {"token_hash": token_hash})
    return [Unjudged(*row) for row in found]


def best(connection: Connection, token_hash: str, rules: str, deal: str) -> StoredBest:
    """What the player with a token did best by a rule set and on a deal; nothing where there is no such player."""
    values = {"token_hash": token_hash, "rules": rules, "deal": deal}
    return StoredBest(*_BEST.run(connection, values).fetchone())
