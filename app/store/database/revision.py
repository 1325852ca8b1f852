"""The revisions of the schema that this version knows, and the one that a database is at."""

from pathlib import Path

from sqlalchemy import Connection

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"

REVISIONS = tuple(sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")))
"""Oldest first: their files are numbered."""

HEAD = REVISIONS[-1]


def revision(connection: Connection) -> str | None:
    """The last migration that a database of ours has seen."""
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
