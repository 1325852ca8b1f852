"""Where WAL cannot be used, as on a network's file system, SQLite goes on without, and nothing is lost.

SQLite's own "unix-dotfile" way to files has no memory that processes share, as such file systems have none.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from app.commands import serve
from app.config import Settings
from app.store.database.engine import FILE_NAME, open_engine
from app.store.database.journal import journal_mode, set_journal

pytestmark = pytest.mark.sqlite


def connected(path: Path, way: str = "unix-dotfile") -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?vfs={way}", uri=True, isolation_level=None, timeout=1)


def pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.fixture
def from_elsewhere(tmp_path: Path) -> Path:
    """A database that a killed server left in WAL mode, a row of it in the log only."""
    original, copy = tmp_path / "original", tmp_path / "copy"
    with closing(connected(original, "unix")) as connection:
        set_journal(connection, "NORMAL")
        assert (pragma(connection, "journal_mode"), pragma(connection, "synchronous")) == ("wal", 1)
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1)")
        for end in ("", "-wal"):
            shutil.copy(f"{original}{end}", f"{copy}{end}")
    return copy


def test_without_shared_memory_a_new_database_is_in_truncate_mode_and_waits_for_the_disk(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(connected(tmp_path / "new")) as connection:
            set_journal(connection, "NORMAL")
            assert (pragma(connection, "journal_mode"), pragma(connection, "synchronous")) == ("truncate", 2)
            connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
            connection.execute("INSERT INTO t VALUES (1)")
    with closing(connected(tmp_path / "new", "unix")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(2,)]


def test_a_wal_database_brought_there_keeps_what_stands_in_its_log(from_elsewhere: Path) -> None:
    with closing(connected(from_elsewhere)) as connection:
        set_journal(connection, "FULL")
        assert pragma(connection, "journal_mode") == "truncate"
        connection.execute("INSERT INTO t VALUES (2)")
        # The lock is not kept: another may read meanwhile.
        with closing(connected(from_elsewhere)) as other:
            set_journal(other, "FULL")
            assert other.execute("SELECT a FROM t").fetchall() == [(1,), (2,)]
    with closing(connected(from_elsewhere, "unix")) as connection:
        set_journal(connection, "FULL")
        assert pragma(connection, "journal_mode") == "wal"
        assert pragma(connection, "integrity_check") == "ok"


def test_another_fault_is_raised_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"this is no database" * 100)
    with closing(connected(tmp_path / "text", "unix")) as connection, pytest.raises(sqlite3.DatabaseError):
        set_journal(connection, "FULL")


def test_the_mode_is_told_and_only_what_is_not_wal_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(tmp_path)
    assert journal_mode(engine) == "wal"
    plain = create_engine(f"sqlite:///{tmp_path / 'plain'}")
    assert journal_mode(plain) == "delete"
    settings = Settings(data=tmp_path)
    serve._warn_of_folder(settings, "wal")  # noqa: SLF001 - no file system without WAL can be mounted here.
    assert not caplog.records
    serve._warn_of_folder(settings, "truncate")  # noqa: SLF001
    assert "WAL cannot be used" in caplog.text
    assert "network" not in caplog.text
    monkeypatch.setattr(serve, "network_file_system", lambda _path: "nfs4")
    serve._warn_of_folder(settings, "wal")  # noqa: SLF001
    assert f"{tmp_path} is on a network's file system (nfs4)" in caplog.text
    assert {record.levelname for record in caplog.records} == {"WARNING"}
    assert (tmp_path / FILE_NAME).exists()
    plain.dispose()
    engine.dispose()
