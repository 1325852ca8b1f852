"""How SQLite writes so that nothing is lost: ahead into a log, or where that cannot be, by keeping what it replaces."""

import sqlite3
from typing import Literal

from sqlalchemy import Engine

Synchronous = Literal["FULL", "NORMAL"]

_NO_LOG = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL}
"""What is raised where the memory that a log's readers share cannot be had."""
_KIND = 0xFF
"""Of SQLite's error codes, the part that tells the kind."""


def set_journal(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    """Turn a connection to WAL mode; where the file system has no memory to share, to TRUNCATE with FULL.

    A log that a database brings along is played into it first.
    """
    if not _has_log(connection):
        # Alone with the database, SQLite needs no shared memory to read the log.
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("PRAGMA journal_mode=TRUNCATE").fetchall()
        connection.execute("PRAGMA locking_mode=NORMAL")
        # The lock is let go when the database is next read.
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        synchronous = "FULL"
    connection.execute(f"PRAGMA synchronous={synchronous}")


def journal_mode(engine: Engine) -> str:
    """The mode in which a database is written: wal, or truncate; empty for one that is not SQLite's."""
    if engine.dialect.name != "sqlite":
        return ""
    with engine.connect() as connection:
        return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())


def has_wal_reset_bug(version: tuple[int, int, int]) -> bool:
    """Whether an SQLite can corrupt a WAL database that two connections write at once (sqlite.org/wal.html)."""
    mended = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51, 0) or (3, 44, 6) <= version < (3, 45, 0)
    return version >= (3, 7, 0) and not mended


def kind_of(error: Exception) -> int:
    """The kind of an error of SQLite's: its code without what it says more closely; 0 of any other error."""
    return getattr(error, "sqlite_errorcode", 0) & _KIND


def _has_log(connection: sqlite3.Connection) -> bool:
    try:
        ((mode,),) = connection.execute("PRAGMA journal_mode=WAL").fetchall()
    except sqlite3.OperationalError as error:
        if kind_of(error) not in _NO_LOG:
            raise
        return False
    return bool(mode == "wal")
