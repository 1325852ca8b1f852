"""Queries about players and about the installation's secrets."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from app.store.tables import players, secrets, tokens


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """A row of the table of players, as tables.py describes its columns."""

    id: int
    created_at: int
    name: str | None
    recovery_hash: str | None
    preferences: str
    merged_into: int | None


def find(connection: Connection, token_hash: str) -> int | None:
    """The id of the player with a token, or None."""
    return connection.scalar(select(tokens.c.player).where(tokens.c.hash == token_hash))


def read(connection: Connection, player: int) -> StoredPlayer:
    """A player who exists."""
    return StoredPlayer(*connection.execute(select(players).where(players.c.id == player)).one())


def last(connection: Connection) -> int:
    """The highest id of a player, 0 where there is none."""
    return connection.scalar(select(func.max(players.c.id))) or 0


def find_by_recovery(connection: Connection, recovery_hash: str) -> int | None:
    """The id of the player with a recovery code, or None."""
    return connection.scalar(select(players.c.id).where(players.c.recovery_hash == recovery_hash))


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


def disown(connection: Connection, player: int) -> None:
    """A player has no token, no recovery code and no name any more."""
    connection.execute(delete(tokens).where(tokens.c.player == player))
    change(connection, player, recovery_hash=None, name=None)


def merge(connection: Connection, player: int, into: int) -> None:
    """Whoever has a token of a player is another one from now on, whose the games of the first become bit by bit."""
    connection.execute(update(tokens).where(tokens.c.player == player).values(player=into))
    values = {"recovery_hash": None, "name": None, "merged_into": into}
    connection.execute(update(players).where(players.c.id == player).values(values))


def unreachable(connection: Connection, first: int, last: int) -> list[int]:
    """Those of the players ``first`` to ``last`` whom no token and no recovery code leads to."""
    reached = select(tokens.c.player).where(tokens.c.player == players.c.id).exists()
    query = select(players.c.id).where(players.c.id.between(first, last), players.c.recovery_hash.is_(None), ~reached)
    return list(connection.scalars(query))


def delete_player(connection: Connection, player: int) -> None:
    """Forget a player, with games, tokens and all."""
    connection.execute(delete(players).where(players.c.id == player))


def secret(connection: Connection, name: str, fresh: str) -> str:
    """The secret of a name; ``fresh`` becomes it where there is none yet."""
    kept = connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
    if kept is None:
        connection.execute(insert(secrets).values(name=name, value=fresh))
    return kept or fresh
