"""Which database a test plays on: SQLite in a folder, or with PYRAMID_TEST_POSTGRESQL a PostgreSQL that goes by it."""

import atexit
import os
import shutil
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from sqlalchemy import Engine

from app.store.database.engine import FILE_NAME, Synchronous, open_engine
from app.store.database.schema import migrate
from app.store.tables import metadata
from tests.postgres import Postgres

POSTGRESQL = bool(os.environ.get("PYRAMID_TEST_POSTGRESQL"))
LARGEST = 1_000_000
"""Bytes of the tables of a PostgreSQL's database beyond which it is thrown away and not emptied."""

_TEMPLATE = "migrated"
_HANG_UP = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_RELATIONS = "SELECT relname, relnatts FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname"
_VERSION = "SELECT version_num, 0 FROM alembic_version"
_SIZE = "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
_EMPTY = "; ".join(
    [
        *(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)),  # noqa: S608 - our own tables.
        "SELECT setval('players_id_seq', 1, false)",
    ]
)

Connection = psycopg.Connection[Any]

_numbers = count()
_spare: list[str] = []
_ours: dict[str, Connection] = {}
"""A connection of the tests' own to each database: to connect takes longer than to empty it."""


@dataclass(frozen=True)
class Given:
    """The database that goes by a folder; ``there`` is whether there was a folder."""

    name: str
    there: bool


_given: dict[Path, Given] = {}


def fill(folder: Path) -> None:
    """Lay a database of the newest schema without a row into a folder; PostgreSQL's is made when it is asked for."""
    if not POSTGRESQL:
        shutil.copy(_file(), folder / FILE_NAME)


def address(folder: Path) -> str:
    """The address of the database that goes by a folder, migrated at its first use; empty for SQLite."""
    if not POSTGRESQL:
        return ""
    folder = folder.resolve()
    if folder not in _given:
        # Of a folder that is gone nobody asks any more.
        take_back([path for path, given in _given.items() if given.there and not path.exists()])
        _given[folder] = Given(_spare.pop() if _spare else _fresh(), folder.exists())
    return cluster().address(_given[folder].name)


def opened(folder: Path, synchronous: Synchronous = "FULL") -> Engine:
    """An engine on the database that goes by a folder."""
    return open_engine(folder, synchronous=synchronous, address=address(folder))


def rows(folder: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What another program reads from it; ``?`` in the query stands for a value."""
    if POSTGRESQL:
        return _connection(folder).execute(query.replace("?", "%s").encode(), values).fetchall()
    file = sqlite3.connect(folder / FILE_NAME, timeout=10)
    try:
        return file.execute(query, values).fetchall()
    finally:
        file.close()


def change(folder: Path, statement: str, *values: object) -> None:
    """What another program changes in it."""
    if POSTGRESQL:
        _connection(folder).execute(statement.replace("?", "%s").encode(), values)
        return
    file = sqlite3.connect(folder / FILE_NAME, timeout=10)
    with file:
        file.execute(statement, values)
    file.close()


def given() -> frozenset[Path]:
    """The folders that a database goes by at this moment."""
    return frozenset(_given)


def take_back(folders: Iterable[Path]) -> None:
    """Empty the databases that go by some folders, for others; who is connected to one of them is hung up on."""
    for folder in folders:
        name = _given.pop(folder).name
        if _emptied(_ours[name]):
            _spare.append(name)
        else:
            _ours.pop(name).close()
            with psycopg.connect(cluster().address(), autocommit=True) as connection:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def _connection(folder: Path) -> Connection:
    """The tests' own connection to the database that goes by a folder."""
    address(folder)
    return _ours[_given[folder.resolve()].name]


def _fresh() -> str:
    name = f"house{next(_numbers)}"
    _ours[name] = psycopg.connect(cluster().create(name, _TEMPLATE), autocommit=True, prepare_threshold=None)
    return name


def _emptied(ours: Connection) -> bool:
    """Make a database as it was made, unless it has become another or large."""
    ours.execute(_HANG_UP)
    if _shape(ours) != _made() or ours.execute(_SIZE).fetchall()[0][0] > LARGEST:
        return False
    ours.execute(_EMPTY.encode())
    return True


def _shape(ours: Connection) -> list[tuple[Any, ...]]:
    """What relations there are, and the schema's version."""
    relations = ours.execute(_RELATIONS).fetchall()
    return relations + (ours.execute(_VERSION).fetchall() if ("alembic_version", 1) in relations else [])


@cache
def _made() -> list[tuple[Any, ...]]:
    """The shape of the template."""
    with psycopg.connect(cluster().address(_TEMPLATE)) as connection:
        return _shape(connection)


def _hang_up() -> None:
    for ours in _ours.values():
        ours.close()


@cache
def cluster() -> Postgres:
    """This process's PostgreSQL, thrown away at its end."""
    server = Postgres()
    server.start()
    atexit.register(server.__exit__, None, None, None)
    atexit.register(_hang_up)
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
