"""Bringing a database to the schema of this version."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


def migrate(connection: Connection) -> None:
    """Run the migrations that the database has not seen, within the caller's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
