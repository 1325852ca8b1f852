"""Databases of earlier schemas, as tests/golden/databases keeps them."""

import shutil
import sqlite3
from pathlib import Path

from app.store.database.engine import FILE_NAME
from tests.web.server import ROOT

DATABASES = ROOT / "tests" / "golden" / "databases"
KEPT = sorted(path.stem for path in DATABASES.glob("*.sqlite3"))
NOT_OURS = {"alembic_version", "sqlite_sequence"}


def counts(database: Path) -> dict[str, int]:
    """How many rows each table of ours has; the file must be whole, and each row that is referred to there."""
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - a table's name.
            for name in names - NOT_OURS
        }
    finally:
        connection.close()


def laid(revision: str, folder: Path) -> Path:
    """The database of a revision, put into a folder."""
    folder.mkdir(exist_ok=True)
    return Path(shutil.copy(DATABASES / f"{revision}.sqlite3", folder / FILE_NAME))
