"""``python -m app serve``: migrate the database and serve until stopped."""

import argparse
import logging
import sqlite3

from app.commands.arguments import DATA, Commands, take_address, take_data
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of, opened, own_folder
from app.commands.port import try_to_listen
from app.config import Settings
from app.store.database.folder import network_file_system
from app.store.database.journal import has_wal_reset_bug, journal_mode
from app.store.database.schema import Migrated, bring_up
from app.watch.log import set_up

log = logging.getLogger("pyramid")


def add(commands: Commands) -> None:
    """The command's arguments."""
    served = commands.add_parser("serve", help="migrate the database and serve (the default)")
    take_address(served, "the port to listen on; 0 takes a free one")
    take_data(served, f"{DATA}, made if missing")
    served.set_defaults(command=serve)


def serve(asked: argparse.Namespace) -> int:
    """Migrate the database and serve until stopped."""
    settings = settings_of(asked, "host", "port", "data")
    set_up(settings.log_format, settings.log_level)
    warn_of_unknown(log.warning)
    with own_folder(settings):
        # Nobody's database is migrated by a server that then cannot start.
        try_to_listen(settings.host, settings.port)
        if settings.metrics_port:
            try_to_listen(settings.metrics_host, settings.metrics_port, "metrics cannot be offered at")
        with opened(settings) as engine:
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
        _tell_of_sqlite(settings)
        run(app, settings)


def _tell(migrated: Migrated) -> None:
    if migrated.before != migrated.after:
        log.info(
            "migrated from revision %s to %s%s",
            migrated.before or "none",
            migrated.after,
            f"; the backup made before is {migrated.backup}" if migrated.backup else "",
        )


def _tell_of_sqlite(settings: Settings) -> None:
    if not address_of(settings) and has_wal_reset_bug(sqlite3.sqlite_version_info):
        log.info(
            "SQLite %s has the WAL-reset bug, which cannot harm the server: it writes through one connection; "
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
