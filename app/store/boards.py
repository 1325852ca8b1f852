"""Queries about boards: the wins of a deal, best first."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, exists, or_, select, tuple_

from app.store.tables import games, players, solutions


@dataclass(frozen=True, slots=True)
class StoredWin:
    """A win of a deal; ``name`` is its player's, None for one without.

    ``repeat`` where the player had begun the deal before, or its deck; ``helped`` where he asked for a hint in the
    game, or had been shown how the deal or its deck goes before he won it.
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
_order = (games.c.moves, games.c.won_in, games.c.won_at, games.c.id)


def wins(  # noqa: PLR0913, PLR0917 - which deal, and which of its wins.
    connection: Connection, rules: str, deal: str, deck: str, after: StoredWin | None, most: int
) -> list[StoredWin]:
    """So many wins of a deal, by moves, then time, then when; those after a win, or from the first.

    ``deck`` is the deal's name by its cards: who met them under that one had begun the deal, or seen its solution.
    Whoever has no name is among them, and so are games that were not played here: a visit reads so many rows.
    """
    query = _wins(rules, deal, deck).limit(most)
    if after is not None:
        query = query.where(tuple_(*_order) > tuple_(after.moves, after.won_in, after.won_at, after.id))
    return [StoredWin(*row) for row in connection.execute(query)]


def wins_of(  # noqa: PLR0913, PLR0917 - likewise.
    connection: Connection, rules: str, deal: str, deck: str, player: int, most: int
) -> list[StoredWin]:
    """A player's wins of a deal, in the same order."""
    query = _wins(rules, deal, deck).where(games.c.player == player).limit(most)
    return [StoredWin(*row) for row in connection.execute(query)]


def _wins(rules: str, deal: str, deck: str) -> Select[Any]:
    """The wins of a deal, best first, as StoredWin has them."""
    begun_before = exists().where(
        _other.c.rules == games.c.rules,
        _other.c.deal.in_((deal, deck)),
        _other.c.player == games.c.player,
        or_(
            _other.c.begun_at < games.c.begun_at,
            and_(_other.c.begun_at == games.c.begun_at, _other.c.id < games.c.id),
        ),
    )
    seen = exists().where(
        solutions.c.player == games.c.player,
        solutions.c.rules == games.c.rules,
        solutions.c.deal.in_((deal, deck)),
        solutions.c.seen_at < games.c.won_at,
    )
    return (
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
            begun_before,
            or_(games.c.hints > 0, seen),
        )
        .join(players, players.c.id == games.c.player)
        .where(games.c.rules == rules, games.c.deal == deal)
        .where(games.c.won_at.is_not(None), games.c.won_in.is_not(None), games.c.begun_at.is_not(None))
        .order_by(*_order)
    )
