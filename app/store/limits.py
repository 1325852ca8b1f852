"""Queries about what was lately charged; ``at`` is in microseconds, as tables.py describes its columns."""

from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, select

from app.store.database.once import keep_last
from app.store.tables import limits


@dataclass(frozen=True, slots=True)
class StoredLimit:
    """A row of the table of limits, as tables.py describes its columns."""

    key: str
    at: int
    count: int = 0


def find(connection: Connection, keys: Collection[str]) -> dict[str, StoredLimit]:
    """What is kept under some keys, by key."""
    query = select(limits.c.key, limits.c.at, limits.c.count).where(limits.c.key.in_(keys))
    return {row.key: StoredLimit(*row) for row in connection.execute(query)}


def keep(connection: Connection, rows: Collection[StoredLimit]) -> None:
    """Keep rows, each in place of what was kept under its key."""
    if rows:
        keep_last(connection, limits, [asdict(row) for row in rows])


def forget(connection: Connection, before: int) -> None:
    """Forget what is over since before a time."""
    connection.execute(delete(limits).where(limits.c.at < before))
