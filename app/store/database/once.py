"""Rows that are kept once, of the first who comes or of the last."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

_INSERTS = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def keep_first(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Keep rows, unless there is one of the same key already."""
    insert: Any = _INSERTS[connection.dialect.name](table)
    connection.execute(insert.on_conflict_do_nothing(), rows)


def keep_last(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Keep rows, each whole, in place of those of the same key."""
    insert: Any = _INSERTS[connection.dialect.name](table)
    key = list(table.primary_key.columns)
    others = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=others), rows)
