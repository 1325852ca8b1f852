"""Queries about boards: the wins of a deal, best first."""

from dataclasses import dataclass

from sqlalchemy import Connection, and_, exists, or_, select, tuple_

from app.store.tables import games, players, solutions


@dataclass(frozen=True, slots=True)
class StoredWin:
    """A win of a deal; ``name`` is its player's, None for one without.

    ``repeat`` where the player had begun the deal before; ``helped`` where he asked for a hint in the game, or had
    been shown how the deal goes before he won it.
    """

    id: str
    player: int
    name: str | None
    moves: int
    won_in: int
    won_at: int
    begun_at: int
    source: str
    daily: str | None
    repeat: bool
    helped: bool


_other = games.alias("other")
_same_player = and_(_other.c.rules == games.c.rules, _other.c.deal == games.c.deal, _other.c.player == games.c.player)
_begun_before = exists().where(
    _same_player,
    or_(
        _other.c.begun_at < games.c.begun_at,
        and_(_other.c.begun_at == games.c.begun_at, _other.c.id < games.c.id),
    ),
)
_seen = exists().where(
    solutions.c.player == games.c.player,
    solutions.c.rules == games.c.rules,
    solutions.c.deal == games.c.deal,
    solutions.c.seen_at < games.c.won_at,
)
_order = (games.c.moves, games.c.won_in, games.c.won_at, games.c.id)
_WINS = (
    select(
        games.c.id,
        games.c.player,
        players.c.name,
        games.c.moves,
        games.c.won_in,
        games.c.won_at,
        games.c.begun_at,
        games.c.source,
        games.c.daily,
        _begun_before,
        or_(games.c.hints > 0, _seen),
    )
    .join(players, players.c.id == games.c.player)
    .where(games.c.won_at.is_not(None), games.c.won_in.is_not(None), games.c.begun_at.is_not(None))
    .order_by(*_order)
)


def wins(connection: Connection, rules: str, deal: str, after: StoredWin | None, most: int) -> list[StoredWin]:
    """So many wins of a deal, by moves, then time, then when; those after a win, or from the first.

    Whoever has no name is among them, and so are games that were not played here: a visit reads so many rows.
    """
    query = _WINS.where(games.c.rules == rules, games.c.deal == deal).limit(most)
    if after is not None:
        query = query.where(tuple_(*_order) > tuple_(after.moves, after.won_in, after.won_at, after.id))
    return [StoredWin(*row) for row in connection.execute(query)]


def wins_of(connection: Connection, rules: str, deal: str, player: int, most: int) -> list[StoredWin]:
    """A player's wins of a deal, in the same order."""
    query = _WINS.where(games.c.rules == rules, games.c.deal == deal, games.c.player == player).limit(most)
    return [StoredWin(*row) for row in connection.execute(query)]
