"""``python -m app serve``: migrate the database and serve until stopped."""

import argparse
import logging
import sqlite3
from pathlib import Path

from app.commands.arguments import Commands
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of, own_database
from app.config import Settings
from app.store.folder import network_file_system
from app.store.journal import has_wal_reset_bug, journal_mode
from app.store.schema import Migrated, bring_up
from app.watch.log import set_up

log = logging.getLogger("pyramid")


def add(commands: Commands) -> None:
    """The command's arguments."""
    served = commands.add_parser("serve", help="migrate the database and serve (the default)")
    served.add_argument("--host", help="the address to listen on")
    served.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    served.add_argument("--data", type=Path, help="the folder of the database, made if missing")
    served.set_defaults(command=serve)


def serve(asked: argparse.Namespace) -> int:
    """Migrate the database and serve until stopped."""
    settings = settings_of(asked, "host", "port", "data")
    set_up(settings.log_format, settings.log_level)
    warn_of_unknown(log.warning)
    with own_database(settings) as engine:
        _warn_of_folder(settings, journal_mode(engine))
        _tell(bring_up(engine, keep=settings.backups))
        _run(settings)
    return 0


def _run(settings: Settings) -> None:
    # A second server on a folder, or one that may not write it, is told so before all this is loaded.
    from app.commands.backend import warn_if_plain  # noqa: PLC0415 - as just said.
    from app.main import create_app  # noqa: PLC0415 - likewise.
    from app.server import run  # noqa: PLC0415 - likewise.

    warn_if_plain(log.warning)
    app = create_app(settings)
    with app.state.metrics:
        _warn_of_sqlite(settings)
        run(app, settings)


def _tell(migrated: Migrated) -> None:
    if migrated.before != migrated.after:
        log.info(
            "migrated from revision %s to %s%s",
            migrated.before or "none",
            migrated.after,
            f"; the backup made before is {migrated.backup}" if migrated.backup else "",
        )


def _warn_of_sqlite(settings: Settings) -> None:
    if not address_of(settings) and has_wal_reset_bug(sqlite3.sqlite_version_info):
        log.warning(
            "SQLite %s has the WAL-reset bug, which cannot touch the server: it writes through one connection; "
            "let no other program write its database",
            sqlite3.sqlite_version,
        )


def _warn_of_folder(settings: Settings, mode: str) -> None:
    """Say where the folder is no good place for a database, SQLite's."""
    if address_of(settings):
        return
    if kind := network_file_system(settings.data):
        log.warning("%s is on a network's file system (%s): its locks may fail; use a local disk", settings.data, kind)
    if mode != "wal":
        log.warning("%s: WAL cannot be used here; journal_mode=%s, slower, takes its place", settings.data, mode)
