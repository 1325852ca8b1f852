"""Queries about players and about the installation's secrets."""

from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from app.store.tables import games, players, secrets, tokens


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """A row of the table of players, as tables.py describes its columns."""

    id: int
    created_at: int
    name: str | None
    recovery_hash: str | None
    preferences: str
    merged_into: int | None


_HAS_GAMES = select(games.c.id).where(games.c.player == players.c.id).exists()


def find(connection: Connection, token_hash: str) -> int | None:
    """The id of the player with a token, or None."""
    return connection.scalar(select(tokens.c.player).where(tokens.c.hash == token_hash))


def read(connection: Connection, player: int) -> StoredPlayer:
    """A player who exists."""
    return StoredPlayer(*connection.execute(select(players).where(players.c.id == player)).one())


def merged_into(connection: Connection, player: int) -> int | None:
    """Whose the games of a player become; None also of one who is gone."""
    return connection.scalar(select(players.c.merged_into).where(players.c.id == player))


def last(connection: Connection) -> int:
    """The highest id of a player, 0 where there is none."""
    return connection.scalar(select(func.max(players.c.id))) or 0


def find_by_recovery(connection: Connection, recovery_hash: str) -> int | None:
    """The id of the player to whom a recovery code leads: whose it is, or whom that one was merged into; or None."""
    found = select(func.coalesce(players.c.merged_into, players.c.id)).where(players.c.recovery_hash == recovery_hash)
    player: int | None = connection.scalar(found)
    return player


def add(connection: Connection, token_hash: str, now: int, preferences: str = "") -> int:
    """The id of a new player. Raises IntegrityError where the token exists."""
    values = {"created_at": now, "preferences": preferences}
    made = connection.execute(insert(players).values(values).returning(players.c.id))
    player = int(made.scalar_one())
    add_token(connection, player, token_hash, now)
    return player


def add_token(connection: Connection, player: int, token_hash: str, now: int) -> None:
    """One more token of a player. Raises IntegrityError where it exists."""
    connection.execute(insert(tokens).values(hash=token_hash, player=player, created_at=now))


def drop_token(connection: Connection, token_hash: str) -> None:
    """A token leads to nobody any more."""
    connection.execute(delete(tokens).where(tokens.c.hash == token_hash))


def change(connection: Connection, player: int, **values: str | None) -> None:
    """New values for some of ``name``, ``recovery_hash`` and ``preferences``."""
    connection.execute(update(players).where(players.c.id == player).values(values))


def change_code(connection: Connection, player: int, recovery_hash: str | None) -> None:
    """Another recovery code of a player, or none; older ones lead to him no more, those of the merged included."""
    connection.execute(update(players).where(players.c.merged_into == player).values(recovery_hash=None))
    change(connection, player, recovery_hash=recovery_hash)


def disown(connection: Connection, player: int) -> None:
    """A player has no token, no recovery code and no name any more."""
    connection.execute(delete(tokens).where(tokens.c.player == player))
    change_code(connection, player, None)
    change(connection, player, name=None)


def merge(connection: Connection, player: int, into: int) -> None:
    """Whoever has a token or the code of a player is another one from now on, whose the games of the first become."""
    connection.execute(update(tokens).where(tokens.c.player == player).values(player=into))
    connection.execute(update(players).where(players.c.merged_into == player).values(merged_into=into))
    connection.execute(update(players).where(players.c.id == player).values(name=None, merged_into=into))


def unreachable(connection: Connection, first: int, last: int) -> list[int]:
    """Those of the players ``first`` to ``last`` of whom something is to be cleared away.

    To them no token and no recovery code leads, or they were merged into another and still have games.
    """
    reached = select(tokens.c.player).where(tokens.c.player == players.c.id).exists()
    moving = and_(players.c.merged_into.is_not(None), _HAS_GAMES)
    query = select(players.c.id).where(players.c.id.between(first, last), ~reached)
    return list(connection.scalars(query.where(or_(players.c.recovery_hash.is_(None), moving))))


def delete_player(connection: Connection, player: int) -> None:
    """Forget a player, with games, tokens and all; of one whose recovery code leads to another that stays."""
    left = (players.c.recovery_hash.is_(None), ~_HAS_GAMES)
    connection.execute(delete(players).where(players.c.merged_into == player, *left))
    gone = or_(players.c.merged_into.is_(None), players.c.recovery_hash.is_(None))
    connection.execute(delete(players).where(players.c.id == player, gone))


def secret(connection: Connection, name: str, fresh: str) -> str:
    """The secret of a name; ``fresh`` becomes it where there is none yet."""
    kept = connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
    if kept is None:
        connection.execute(insert(secrets).values(name=name, value=fresh))
    return kept or fresh
