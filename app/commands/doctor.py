"""``python -m app doctor``: whether this machine is fit to serve."""

import argparse
import os
import platform
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app import __version__
from app.commands.arguments import WRONG, Commands, take_data
from app.commands.backend import PLAIN
from app.commands.config import settings_of
from app.commands.database import address_of, opened
from app.config import Settings, unknown
from app.solver.solve import BACKEND
from app.store.database.backup import look_into
from app.store.database.engine import FILE_NAME
from app.store.database.folder import is_there, network_file_system, unwritable
from app.store.database.journal import has_wal_reset_bug
from app.store.database.revision import HEAD, REVISIONS
from app.store.database.schema import revision_seen
from app.store.errors import StoreError

ENOUGH_DISK = 100_000_000
"""How many bytes must be free in the data folder: years of games, and room for the database's log."""

_2026 = 1_767_225_600
"""The first second of the year in which this was written; no right clock is behind it."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    looked = commands.add_parser("doctor", help="say whether this machine is fit to serve")
    take_data(looked)
    looked.add_argument("--require-compiled", action="store_true", help="a solver that is not compiled counts as wrong")
    looked.set_defaults(command=doctor)


def doctor(asked: argparse.Namespace) -> int:
    """Say whether this machine is fit to serve; 1 where something has to be mended."""
    found = list(findings(settings_of(asked, "data"), require_compiled=asked.require_compiled))
    print(*found, sep="\n")
    return WRONG if any(finding.mark == "WRONG" for finding in found) else 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and how it stands: WRONG where it has to be mended."""

    subject: str
    said: str
    mark: Literal["ok", "WARNING", "WRONG"] = "ok"

    def __str__(self) -> str:
        return f"{self.mark:<8} {self.subject:<9}{self.said}"


def findings(settings: Settings, *, require_compiled: bool) -> Iterator[Finding]:
    """What was found; the data folder is not made, and a database is only read."""
    address, data = address_of(settings), settings.data
    yield Finding("pyramid", __version__)
    yield Finding("python", f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}")
    if not address:
        yield _sqlite(sqlite3.sqlite_version_info)
    if BACKEND == "compiled":
        yield Finding("solver", "compiled")
    else:
        yield Finding("solver", PLAIN, "WRONG" if require_compiled else "WARNING")
    yield _clock(time.time())
    if address:
        yield _postgresql(settings)
    else:
        for subject, look in (("data", _folder), ("disk", _disk), ("database", _file)):
            try:
                yield from look(data)
            except OSError as error:
                yield Finding(subject, f"{error.filename or data}: {error.strerror}", "WRONG")
    if names := unknown(os.environ):
        yield Finding("settings", f"{', '.join(names)}: no such setting; it has no effect", "WARNING")
    else:
        yield Finding("settings", "can be read; “python -m app config” prints them")


def _sqlite(version: tuple[int, int, int]) -> Finding:
    written = ".".join(map(str, version))
    if not has_wal_reset_bug(version):
        return Finding("sqlite", written)
    return Finding(
        "sqlite",
        f"{written}, which has the WAL-reset bug (mended in 3.51.3, 3.50.7, 3.44.6); it cannot harm the server, which "
        "writes through one connection: let no other program write its database",
    )


def _clock(now: float) -> Finding:
    said = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if now >= _2026:
        return Finding("clock", said)
    return Finding("clock", f"{said} is long past: set the clock, or daily deals and records are wrong", "WRONG")


def _folder(data: Path) -> Iterator[Finding]:
    there = _existing(data)
    if not there.is_dir():
        yield Finding("data", f"{there} is no folder", "WRONG")
        return
    try:
        fault = unwritable(there)
    except OSError as error:
        fault = f"{there} cannot be written: {error.strerror}"
    if fault:
        yield Finding("data", fault, "WRONG")
        return
    said = f"{data.resolve()}{'' if there == data else ', made at the first start'}"
    if kind := network_file_system(there):
        lost = "where locks fail, two servers can damage the database; use a local disk"
        yield Finding("data", f"{said} is on a network's file system ({kind}): {lost}", "WARNING")
    else:
        yield Finding("data", said)


def _disk(data: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(_existing(data)).free
    yield Finding("disk", f"{free / 1e9:,.1f} GB free", "ok" if free >= ENOUGH_DISK else "WRONG")


def _file(data: Path) -> Iterator[Finding]:
    database = data / FILE_NAME
    if database.exists():
        try:
            contents = look_into(database)
        except StoreError as error:
            yield Finding("database", str(error), "WRONG")
        else:
            yield _revision(contents.revision, str(contents))


def _postgresql(settings: Settings) -> Finding:
    try:
        with opened(settings) as engine:
            found = revision_seen(engine)
    except OSError as error:
        return Finding("database", str(error), "WRONG")
    return _revision(found, f"PostgreSQL answers, at revision {found or 'none'}")


def _revision(found: str | None, said: str) -> Finding:
    if found == HEAD:
        return Finding("database", said)
    if found in {*REVISIONS, None}:
        return Finding("database", f"{said}; the next start brings it to {HEAD}")
    return Finding("database", f"{said}, which this version does not know: it knows up to {HEAD}", "WRONG")


def _existing(path: Path) -> Path:
    """The path, or what there is of it."""
    while not is_there(path) and path != path.parent:
        path = path.absolute().parent
    return path
