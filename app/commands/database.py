"""The database that the settings name, for commands that work on it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.config import Settings
from app.store.database.door import Unavailable
from app.store.database.engine import check, failed, open_engine
from app.store.database.folder import make_ready
from app.store.database.lock import owned


def address_of(settings: Settings) -> str:
    """The address of the PostgreSQL database; empty for SQLite."""
    return settings.database.get_secret_value()


@contextmanager
def own_database(settings: Settings) -> Iterator[Engine]:
    """The database; with SQLite this process's own within the block, in a folder that is made if it is missing.

    Raises StoreError where the folder is in use or cannot be written, OSError where the database cannot be opened.
    """
    with own_folder(settings), opened(settings) as engine:
        yield engine


@contextmanager
def opened(settings: Settings) -> Iterator[Engine]:
    """The database, for who has the folder. Raises OSError where it cannot be opened, or fails within the block."""
    check(settings.data, address_of(settings))
    engine = open_engine(settings.data, synchronous=settings.synchronous, address=address_of(settings))
    try:
        yield engine
    except (DBAPIError, Unavailable) as error:
        found = error if isinstance(error, DBAPIError) else error.__cause__
        # Of two databases that are open at once each tells of its own faults.
        if not isinstance(found, DBAPIError) or isinstance(found.orig, sqlite3.Error) is bool(address_of(settings)):
            raise
        raise failed(found, settings.data, address_of(settings)) from error
    finally:
        engine.dispose()


@contextmanager
def own_folder(settings: Settings) -> Iterator[None]:
    """With SQLite, the data folder is this process's own within the block. PostgreSQL can be shared."""
    if address_of(settings):
        yield
        return
    make_ready(settings.data)
    with owned(settings.data):
        yield
