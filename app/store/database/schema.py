"""Bringing a database to the schema of this version."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect

from app.store.database.backup import copy_before
from app.store.database.engine import looking, patient
from app.store.database.revision import HEAD, MIGRATIONS, REVISIONS, revision
from app.store.errors import Newer, NotMigrated

if TYPE_CHECKING:
    from collections.abc import Callable

    from alembic.config import Config

_PATIENCE_SECONDS = 600
"""How long one server waits for another that migrates the same PostgreSQL."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """From which revision (None: from an empty database) to which, and the backup that was made before."""

    before: str | None
    after: str
    backup: Path | None


def bring_up(engine: Engine, *, keep: int) -> Migrated:
    """Bring a database to this version's schema; of SQLite's, if it holds anything, a backup is made first.

    ``keep`` is how many such backups stay. Whoever calls this has the data folder, with SQLite. Raises Newer where the
    database is of a later version, NotMigrated where a migration failed; the database is then as it was.
    """
    before = revision_of(engine)
    if before == HEAD:
        return Migrated(before, HEAD, None)
    if before not in {*REVISIONS, None}:
        raise Newer(str(before), HEAD)
    backup = None
    if before is not None and engine.dialect.name == "sqlite":
        backup = copy_before(Path(str(engine.url.database)), HEAD, keep)
    try:
        migrate(engine)
    except Exception as error:
        kept = f"; the backup made before is {backup}" if backup else ""
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise NotMigrated(
            f"the migration from revision {before or 'none'} to {HEAD} failed and changed nothing"
            f" ({type(error).__name__}: {reason}){kept}"
        ) from error
    return Migrated(before, HEAD, backup)


def revision_of(engine: Engine) -> str | None:
    """The revision that a database is at; None where it has no tables of ours."""
    with patient(engine, _PATIENCE_SECONDS) as connection, connection.begin():
        return _revision(connection)


def revision_seen(engine: Engine) -> str | None:
    """The same, without waiting for whoever is at work on a PostgreSQL: the one that was committed last."""
    with looking(engine) as connection, connection.begin():
        return _revision(connection)


def migrate(engine: Engine, step: "Callable[[Config], None] | None" = None) -> None:
    """Run the migrations that the database has not seen (or another ``step`` of Alembic's), in one transaction.

    Foreign keys are not watched meanwhile: to change a table SQLite copies and drops it, and what refers to it would
    be dropped along. They are checked at the end. Raises ValueError where one is broken.
    """
    if step is None and revision_of(engine) == HEAD:
        return
    sqlite = engine.dialect.name == "sqlite"
    with patient(engine, _PATIENCE_SECONDS) as connection:
        if sqlite:
            # It has no effect within a transaction, so the driver is told before one begins.
            connection.connection.execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            (step or _upgrade)(_config(connection))
            if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                raise ValueError("the migrated database refers to rows that do not exist")


def _revision(connection: Connection) -> str | None:
    return revision(connection) if inspect(connection).has_table("alembic_version") else None


def _upgrade(config: "Config") -> None:
    from alembic import command  # noqa: PLC0415 - as below.

    command.upgrade(config, "head")


def _config(connection: Connection) -> "Config":
    # Most starts have nothing to migrate; they need not load what would.
    from alembic.config import Config  # noqa: PLC0415 - as just said.

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
