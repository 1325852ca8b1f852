"""``python -m app backup``: a copy of the database, made while it is served."""

import argparse
import os
from pathlib import Path

from app.commands.arguments import Commands, number, take_data
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of
from app.store.database.backup import back_up, back_up_into, keep_newest
from app.store.database.engine import FILE_NAME
from app.store.database.folder import BACKUPS
from app.store.errors import NoBackup

_MOST_KEPT = 10_000

_BACKUP = """Copies the SQLite database, served or not, to a new file: what was answered before is in the copy. DEST is
a folder, made if it is missing, in which the file is named by the time; or a file that does not exist yet, with a
suffix such as .sqlite3. Without DEST it is the folder “backups” in the data folder."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    backed = commands.add_parser("backup", help="copy the database, while it is served", description=_BACKUP)
    backed.add_argument("target", nargs="?", metavar="DEST", help="a folder, or a file yet to be made")
    backed.add_argument(
        "--keep", type=number(1, _MOST_KEPT), metavar="N", help="of the copies in the folder, keep the N newest (all)"
    )
    take_data(backed)
    backed.set_defaults(command=backup)


def backup(asked: argparse.Namespace) -> int:
    """Make a backup, and print what it holds."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    if address_of(settings):
        raise NoBackup("the database is PostgreSQL's; back it up with pg_dump")
    database = settings.data / FILE_NAME
    if asked.target == "":
        raise NoBackup("DEST is empty")
    target = settings.data / BACKUPS if asked.target is None else Path(asked.target)
    if asked.target is None or _is_folder(asked.target, target):
        target, contents = back_up_into(target, database)
    elif asked.keep:
        raise NoBackup(f"--keep is for a folder, and {target} would be a file")
    else:
        contents = back_up(database, target)
    print(f"{target}: {contents}")
    if asked.keep:
        keep_newest(target, asked.keep)
    return 0


def _is_folder(written: str, target: Path) -> bool:
    """Whether a folder is meant: one that is there, or a name with a slash behind it, or one without a suffix."""
    return target.is_dir() or written.endswith(("/", os.sep)) or not target.suffix
