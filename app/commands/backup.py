"""``python -m app backup``: a copy of the database, made while it is served."""

import argparse
from pathlib import Path

from app.commands.arguments import Commands
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of
from app.store.backup import back_up, stamp
from app.store.engine import FILE_NAME
from app.store.errors import NoBackup

_BACKUP = """Copies the SQLite database, served or not, to a new file: what was answered before is in the copy."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    backed = commands.add_parser("backup", help="copy the database, while it is served", description=_BACKUP)
    backed.add_argument("target", type=Path, metavar="DEST", help="a file that does not exist yet, or a folder")
    backed.add_argument("--data", type=Path, help="the folder of the database")
    backed.set_defaults(command=backup)


def backup(asked: argparse.Namespace) -> int:
    """Make a backup, and print what it holds."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    if address_of(settings):
        raise NoBackup("the database is PostgreSQL's; back it up with pg_dump")
    target = asked.target / f"pyramid-{stamp()}.sqlite3" if asked.target.is_dir() else asked.target
    contents = back_up(settings.data / FILE_NAME, target)
    print(f"{target}: {contents}")
    return 0
