"""``python -m app restore``: a backup put in the place of the database."""

import argparse

from app.commands.arguments import Commands, named, take_data
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of, own_folder
from app.store.database.backup import restore as put_back
from app.store.database.engine import FILE_NAME
from app.store.errors import NoBackup

_RESTORE = """Puts a copy of a backup in the place of the SQLite database, which is kept in the folder of backups. The
server must be stopped. A backup of an earlier version is migrated by the next start."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    restored = commands.add_parser("restore", help="put a backup in the database's place", description=_RESTORE)
    restored.add_argument("source", type=named, metavar="SRC", help="a backup")
    take_data(restored)
    restored.set_defaults(command=restore)


def restore(asked: argparse.Namespace) -> int:
    """Restore a backup, and print what it holds."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    if address_of(settings):
        raise NoBackup("the database is PostgreSQL's; restore it with psql or pg_restore")
    with own_folder(settings):
        contents, kept = put_back(asked.source, settings.data / FILE_NAME)
    print(f"restored: {contents}" + (f"; what was there before is kept as {kept}" if kept else ""))
    return 0
