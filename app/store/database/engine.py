"""The database: a SQLite file in the data folder, or a PostgreSQL that several servers share.

Either way a transaction is alone: whoever begins one waits until no other is under way, in whatever process. So a use
case need not think of others at the same time.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from app.store.database.address import masked
from app.store.database.journal import Synchronous, set_journal

FILE_NAME = "pyramid.sqlite3"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""The modes of what is made: it holds the secret of the daily deals, and what players wrote."""

BUSY_SECONDS = 5
"""How long a transaction waits for another program to release the database."""

_PATIENCE = "pyramid_patience"
"""The execution option by which a transaction waits for others so many seconds instead, on PostgreSQL."""

_LOOKING = "pyramid_looking"
"""That by which it only reads, and waits for nobody's turn."""

_TURN = 0x70797261_6D6964
"""The advisory lock that a transaction on PostgreSQL holds: "pyramid" in ASCII."""

_STALLED_SECONDS = 10
"""How long a server that stands still may keep the others waiting, before PostgreSQL ends its transaction."""

_CONNECT_SECONDS = 5
_SYNCHRONOUS_COMMIT = {"FULL": "on", "NORMAL": "off"}
_WRITES = "pyramid_writes"


def open_engine(folder: Path, *, synchronous: Synchronous = "FULL", address: str = "") -> Engine:
    """An engine on the database at an ``address`` (``postgresql://…``), else on the one in ``folder``.

    The folder is made if it is missing. Raises OSError where it cannot be made, or where the address cannot be read.
    """
    engine = _postgresql(address, synchronous) if address else _sqlite(folder, synchronous)

    @event.listens_for(engine, "after_cursor_execute")
    def count(
        connection: Connection, _cursor: object, statement: str, _values: object, _context: object, _many: object
    ) -> None:
        if not statement.startswith("SELECT"):
            note_write(connection)

    return engine


def patient(engine: Engine, seconds: int) -> Connection:
    """A connection whose transactions wait so many seconds for others, on PostgreSQL."""
    return engine.connect().execution_options(**{_PATIENCE: seconds})


def looking(engine: Engine) -> Connection:
    """A connection whose transactions only read and wait for nobody's turn, on PostgreSQL."""
    return engine.connect().execution_options(**{_LOOKING: True})


def writes(connection: Connection) -> int:
    """How many statements that may have changed something have run on a connection."""
    return int(connection.info.get(_WRITES, 0))


def note_write(connection: Connection) -> None:
    """Count a statement that did not run through SQLAlchemy."""
    connection.info[_WRITES] = writes(connection) + 1


def check(folder: Path, address: str = "") -> None:
    """Open the database for once; raises OSError with a plain sentence where that fails."""
    try:
        with open_engine(folder, address=address).connect() as connection:
            # SQLite's file is first read here; a PostgreSQL has answered, and a transaction would wait for its turn.
            if not address:
                connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
    except DBAPIError as error:
        raise failed(error, folder, address) from error


def failed(error: DBAPIError, folder: Path, address: str = "") -> OSError:
    """What a database complains of as a plain sentence that names it, without a password or the rows it shows."""
    place = masked(address) if address else str(folder / FILE_NAME)
    return OSError(f"{place}: {reason(error)}")


def reason(error: DBAPIError) -> str:
    """What a database complains of, in one line, without the rows that PostgreSQL shows."""
    return " ".join(str(error.orig).partition("DETAIL:")[0].split())


def _sqlite(folder: Path, synchronous: Synchronous) -> Engine:
    """SQLite in WAL mode, where it can be, with foreign keys on.

    Every transaction is ``BEGIN IMMEDIATE``, since a deferred one fails at once when it turns from reading to writing
    while another writes.
    """
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    file = folder / FILE_NAME
    # Where it cannot be made, that is told when it is opened.
    with suppress(OSError):
        file.touch(PRIVATE_FILE, exist_ok=False)
    # Not as a text, in which a ? or a % of the folder's name would have a meaning.
    url = URL.create("sqlite", database=str(file))
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        # The transaction is begun by the listener below, not by the driver.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "foreign_keys=ON",
            "trusted_schema=OFF",
            "temp_store=MEMORY",
            "cache_size=-16000",
        ):
            connection.execute(f"PRAGMA {pragma}")
        set_journal(connection, synchronous)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _postgresql(address: str, synchronous: Synchronous) -> Engine:
    """PostgreSQL by psycopg 3. Transactions take turns by an advisory lock, which ends with the transaction."""
    options = (
        f"lock_timeout={BUSY_SECONDS}s",
        f"idle_in_transaction_session_timeout={_STALLED_SECONDS}s",
        # The same where PostgreSQL is not idle, but waits for that server to take an answer.
        f"tcp_user_timeout={_STALLED_SECONDS}s",
        f"synchronous_commit={_SYNCHRONOUS_COMMIT[synchronous]}",
    )
    values: dict[str, Any] = {
        "connect_timeout": _CONNECT_SECONDS,
        # A machine that vanished is noticed within a minute, not after the hours that systems wait.
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "application_name": "pyramid13",
        "options": " ".join(f"-c {option}" for option in options),
    }
    try:
        url = make_url(address).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError) as error:
        # A ValueError is of a port that is no number.
        raise OSError("the address of the database cannot be read") from error
    engine = create_engine(url, poolclass=NullPool, connect_args=values, hide_parameters=True)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get(_LOOKING):
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            return
        seconds = options.get(_PATIENCE)
        if seconds is not None:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{int(seconds)}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")

    return engine
