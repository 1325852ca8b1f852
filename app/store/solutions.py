"""Queries about solutions: who has seen how which deal goes, and when first."""

from sqlalchemy import Connection, delete, select, tuple_, update

from app.store.database.once import keep_first
from app.store.tables import solutions

Seen = tuple[str, str, int]
"""Rules, deal, and when its solution was first seen, in milliseconds since 1970, UTC."""


def keep(connection: Connection, player: int, seen: list[Seen]) -> None:
    """Keep what a player has seen; of each deal the first that is kept stays."""
    if seen:
        rows = [{"player": player, "rules": rules, "deal": deal, "seen_at": at} for rules, deal, at in seen]
        keep_first(connection, solutions, rows)


def page(connection: Connection, player: int, after: tuple[str, str] | None, most: int) -> list[Seen]:
    """The next of the solutions that a player has seen, by rules and deal."""
    query = select(solutions.c.rules, solutions.c.deal, solutions.c.seen_at).where(solutions.c.player == player)
    if after is not None:
        query = query.where(tuple_(solutions.c.rules, solutions.c.deal) > after)
    query = query.order_by(solutions.c.rules, solutions.c.deal).limit(most)
    return [(rules, deal, seen_at) for rules, deal, seen_at in connection.execute(query)]


def move(connection: Connection, player: int, to: int) -> None:
    """What a player has seen counts as seen by another one; of a deal that both have seen, the earlier time."""
    his, own = solutions.alias("his"), solutions
    earlier = (
        select(his.c.seen_at)
        .where(his.c.player == player, his.c.rules == own.c.rules, his.c.deal == own.c.deal)
        .where(his.c.seen_at < own.c.seen_at)
    )
    sooner = update(own).where(own.c.player == to, earlier.exists()).values(seen_at=earlier.scalar_subquery())
    connection.execute(sooner)
    known = select(own.c.rules, own.c.deal).where(own.c.player == to)
    new = tuple_(own.c.rules, own.c.deal).not_in(known)
    connection.execute(update(own).where(own.c.player == player, new).values(player=to))
    connection.execute(delete(own).where(own.c.player == player))
