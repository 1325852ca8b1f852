"""Which database a test plays on: SQLite in a folder, or with PYRAMID_TEST_POSTGRESQL a PostgreSQL that goes by it."""

import atexit
import hashlib
import os
import shutil
import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from sqlalchemy import Engine

from app.store.engine import FILE_NAME, Synchronous, open_engine
from app.store.schema import migrate
from tests.postgres import Postgres

POSTGRESQL = bool(os.environ.get("PYRAMID_TEST_POSTGRESQL"))
_TEMPLATE = "migrated"
_made: set[str] = set()


def fill(folder: Path) -> None:
    """Lay a database of the newest schema without a row into a folder; PostgreSQL's is made when it is asked for."""
    if not POSTGRESQL:
        shutil.copy(_file(), folder / FILE_NAME)


def address(folder: Path) -> str:
    """The address of the database that goes by a folder, migrated at its first use; empty for SQLite."""
    if not POSTGRESQL:
        return ""
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:20]
    if name not in _made:
        _made.add(name)
        cluster().create(name, _TEMPLATE)
    return cluster().address(name)


def opened(folder: Path, synchronous: Synchronous = "FULL") -> Engine:
    """An engine on the database that goes by a folder."""
    return open_engine(folder, synchronous=synchronous, address=address(folder))


def rows(folder: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What another program reads from it; ``?`` in the query stands for a value."""
    if POSTGRESQL:
        with psycopg.connect(address(folder)) as connection:
            return connection.execute(query.replace("?", "%s").encode(), values).fetchall()
    file = sqlite3.connect(folder / FILE_NAME, timeout=10)
    try:
        return file.execute(query, values).fetchall()
    finally:
        file.close()


def change(folder: Path, statement: str, *values: object) -> None:
    """What another program changes in it."""
    if POSTGRESQL:
        with psycopg.connect(address(folder)) as connection:
            connection.execute(statement.replace("?", "%s").encode(), values)
        return
    file = sqlite3.connect(folder / FILE_NAME, timeout=10)
    with file:
        file.execute(statement, values)
    file.close()


def throw_away() -> None:
    """Drop all databases made so far: each takes its megabytes."""
    if _made:
        with psycopg.connect(cluster().address(), autocommit=True) as connection:
            for name in _made:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
        _made.clear()


@cache
def cluster() -> Postgres:
    """This process's PostgreSQL, thrown away at its end."""
    server = Postgres()
    server.start()
    atexit.register(server.__exit__, None, None, None)
    engine = open_engine(Path(), address=server.create(_TEMPLATE))
    migrate(engine)
    engine.dispose()
    return server


@cache
def _file() -> Path:
    """A database without a row, of the newest schema, to be copied."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    engine = open_engine(Path(folder.name))
    migrate(engine)
    engine.dispose()
    return Path(folder.name) / FILE_NAME
