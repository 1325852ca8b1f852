"""Queries about players and about the installation's secrets."""

from sqlalchemy import Connection, insert, select

from app.store.tables import players, secrets


def find(connection: Connection, token_hash: str) -> int | None:
    """The id of the player with a token, or None."""
    return connection.scalar(select(players.c.id).where(players.c.token_hash == token_hash))


def add(connection: Connection, token_hash: str, now: int) -> int:
    """The id of a new player. Raises IntegrityError where the token exists."""
    values = {"token_hash": token_hash, "created_at": now}
    made = connection.execute(insert(players).values(values).returning(players.c.id))
    return int(made.scalar_one())


def secret(connection: Connection, name: str, fresh: str) -> str:
    """The secret of a name; ``fresh`` becomes it where there is none yet."""
    kept = connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
    if kept is None:
        connection.execute(insert(secrets).values(name=name, value=fresh))
    return kept or fresh
