"""The SQLite engine: one file in the data folder, opened so that nothing that was answered is ever lost."""

import sqlite3
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

Synchronous = Literal["FULL", "NORMAL"]

FILE_NAME = "pyramid.sqlite3"
BUSY_SECONDS = 5
"""How long a transaction waits for another program to release the database."""


def open_engine(folder: Path, *, synchronous: Synchronous = "FULL") -> Engine:
    """An engine on the database in ``folder``, which is made if it is missing.

    Every connection is in WAL mode with foreign keys on; every transaction is ``BEGIN IMMEDIATE``, since a
    deferred one fails at once when it turns from reading to writing while another writes. Raises OSError
    where the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{folder / FILE_NAME}", poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        # The transaction is begun by the listener below, not by the driver.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            "trusted_schema=OFF",
            "temp_store=MEMORY",
            "cache_size=-16000",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def check(folder: Path) -> None:
    """Open the database in ``folder`` for once; raises OSError with a plain sentence where that fails."""
    try:
        with open_engine(folder).connect() as connection, connection.begin():
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
    except DBAPIError as error:
        raise OSError(f"{folder / FILE_NAME}: {error.orig}") from error
