"""Bringing a database to the schema of this version."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


def _upgrade(config: Config) -> None:
    command.upgrade(config, "head")


def migrate(engine: Engine, step: Callable[[Config], None] = _upgrade) -> None:
    """Run the migrations that the database has not seen (or another ``step`` of Alembic's), in one transaction.

    Foreign keys are not watched meanwhile: to change a table SQLite copies and drops it, and what refers to it would
    be dropped along. They are checked at the end. Raises ValueError where one is broken.
    """
    sqlite = engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        if sqlite:
            # It has no effect within a transaction, so the driver is told before one begins.
            connection.connection.execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            step(_config(connection))
            if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                raise ValueError("the migrated database refers to rows that do not exist")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
