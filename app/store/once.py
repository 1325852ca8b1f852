"""Rows that are kept once: whoever comes second changes nothing."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

_INSERTS = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def keep_first(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Keep rows, unless there is one of the same key already."""
    insert: Any = _INSERTS[connection.dialect.name](table)
    connection.execute(insert.on_conflict_do_nothing(), rows)
