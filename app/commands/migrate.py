"""``python -m app migrate``: the database brought to the schema of this version, without serving it."""

import argparse

from app.commands.arguments import DATA, Commands, take_data
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import own_database
from app.store.database.schema import Migrated, bring_up


def add(commands: Commands) -> None:
    """The command's arguments."""
    brought = commands.add_parser("migrate", help="bring the database to the schema of this version")
    take_data(brought, f"{DATA}, made if missing")
    brought.set_defaults(command=migrate)


def migrate(asked: argparse.Namespace) -> int:
    """Migrate, and print from what to what."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    with own_database(settings) as engine:
        print(migrated_text(bring_up(engine, keep=settings.backups)))
    return 0


def migrated_text(migrated: Migrated) -> str:
    """What was done."""
    if migrated.before == migrated.after:
        return f"the database is at revision {migrated.after}; there was nothing to do"
    if migrated.before is None:
        return f"the database was empty; it is now at revision {migrated.after}"
    backup = f"; as it was before it is kept as {migrated.backup}" if migrated.backup else ""
    return f"the database was at revision {migrated.before}; it is now at {migrated.after}{backup}"
