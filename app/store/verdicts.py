"""Queries about what the solver found out."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select

from app.store.tables import verdicts

MOST = 100_000
"""How many positions are known at the most: some 80 MB."""

_AT_ONCE = 10
"""How many of the oldest go where there are more, as in a database from before there was a most."""


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A row of the table of verdicts, as tables.py describes its columns; but for its number."""

    position: str
    winnable: bool
    line: str | None
    fewest: bool


def find(connection: Connection, position: str) -> StoredVerdict | None:
    """What is known of a position, or None."""
    columns = (verdicts.c[name] for name in StoredVerdict.__slots__)
    row = connection.execute(select(*columns).where(verdicts.c.position == position)).first()
    return StoredVerdict(*row) if row else None


def keep(connection: Connection, verdict: StoredVerdict, most: int = MOST) -> None:
    """Keep what was found out, in place of what was known before; of more than ``most`` positions the oldest go."""
    number = (connection.scalar(select(func.max(verdicts.c.number))) or 0) + 1
    old = select(verdicts.c.position).where(verdicts.c.number <= number - most)
    connection.execute(delete(verdicts).where(verdicts.c.position == verdict.position))
    connection.execute(delete(verdicts).where(verdicts.c.position.in_(old.order_by(verdicts.c.number).limit(_AT_ONCE))))
    connection.execute(insert(verdicts), {**asdict(verdict), "number": number})
