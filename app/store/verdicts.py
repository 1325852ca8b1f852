"""Queries about what the solver found out."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, select

from app.store.tables import verdicts


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A row of the table of verdicts, as tables.py describes its columns."""

    position: str
    winnable: bool
    line: str | None
    fewest: bool


def find(connection: Connection, position: str) -> StoredVerdict | None:
    """What is known of a position, or None."""
    row = connection.execute(select(verdicts).where(verdicts.c.position == position)).first()
    return StoredVerdict(*row) if row else None


def keep(connection: Connection, verdict: StoredVerdict) -> None:
    """Keep what was found out, in place of what was known before."""
    connection.execute(delete(verdicts).where(verdicts.c.position == verdict.position))
    connection.execute(insert(verdicts), asdict(verdict))
