"""Queries about results: how finished games ended, without what happened in them."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select

from app.store.tables import games


@dataclass(frozen=True, slots=True)
class StoredResult:
    """Some columns of the table of games, as tables.py describes them."""

    id: str
    player: int
    rules: str
    deal: str
    moves: int
    won_at: int | None
    won_in: int | None
    hints: int


_RESULTS = select(*(games.c[name] for name in StoredResult.__slots__))


def of_game(connection: Connection, game_id: str) -> StoredResult | None:
    """How a game stands, whoever it belongs to, or None."""
    row = connection.execute(_RESULTS.where(games.c.id == game_id)).first()
    return StoredResult(*row) if row else None


def best(connection: Connection, player: int, rules: str, deal: str) -> StoredResult | None:
    """The best of a player's games of a deal, from its start, that were won or given up; None without any.

    That is a win, of fewest moves, then soonest; else the one of fewest moves that was given up.
    """
    query = (
        _RESULTS.where(games.c.rules == rules, games.c.deal == deal, games.c.player == player)
        .where(games.c.source == "played", or_(games.c.won_at.is_not(None), games.c.left_at.is_not(None)))
        .order_by(games.c.won_at.is_(None), games.c.moves, func.coalesce(games.c.won_in, 0), games.c.id)
        .limit(1)
    )
    row = connection.execute(query).first()
    return StoredResult(*row) if row else None
