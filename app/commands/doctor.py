"""``python -m app doctor``: whether this machine is fit to serve."""

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from app import __version__
from app.solver.solve import BACKEND, MOST_NODES_PLAIN

PLAIN = (
    "the solver is NOT COMPILED: its twin in plain Python serves, a thousand times slower, and gives up after "
    f"{MOST_NODES_PLAIN:,} nodes. Install a C compiler (Debian: apt install gcc python3-dev), then run "
    "“pip install --force-reinstall --no-deps -e .” in the project's folder"
)
"""What is said, loudly, where the compiled search is missing."""

ENOUGH_DISK = 100_000_000
"""How many bytes must be free in the data folder: years of games, and room for the database's log."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and how it stands: WRONG where it has to be mended."""

    subject: str
    said: str
    mark: Literal["ok", "WARNING", "WRONG"] = "ok"

    def __str__(self) -> str:
        return f"{self.mark:<8} {self.subject:<8} {self.said}"


def findings(data: Path, *, require_compiled: bool) -> Iterator[Finding]:
    """What was found; the folder ``data`` is not made and the database in it not opened."""
    yield Finding("pyramid", __version__)
    yield Finding("python", f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}")
    yield Finding("sqlite", _sqlite(sqlite3.sqlite_version_info))
    if BACKEND == "compiled":
        yield Finding("solver", "compiled")
    else:
        yield Finding("solver", PLAIN, "WRONG" if require_compiled else "WARNING")
    yield _folder(data)
    yield _disk(data)


def has_wal_reset_bug(version: tuple[int, int, int]) -> bool:
    """Whether an SQLite can corrupt a WAL database that two connections write at once (sqlite.org/wal.html)."""
    mended = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51, 0) or (3, 44, 6) <= version < (3, 45, 0)
    return version >= (3, 7, 0) and not mended


def _sqlite(version: tuple[int, int, int]) -> str:
    written = ".".join(map(str, version))
    if not has_wal_reset_bug(version):
        return written
    return (
        f"{written}, which has the WAL-reset bug (mended in 3.51.3, 3.50.7, 3.44.6); the server is not touched by it, "
        "since it writes through one connection: do not write its database with another program while it runs"
    )


def _folder(data: Path) -> Finding:
    there = _existing(data)
    if not there.is_dir():
        return Finding("data", f"{there} is no folder", "WRONG")
    try:
        # Permissions do not tell all; a read-only disk, for one, shows only when something is written.
        TemporaryDirectory(dir=there, prefix=".pyramid-").cleanup()
    except OSError as error:
        return Finding("data", f"{there} cannot be written: {error.strerror}", "WRONG")
    return Finding("data", f"{data.resolve()}{'' if there == data else ', made at the first start'}")


def _disk(data: Path) -> Finding:
    free = shutil.disk_usage(_existing(data)).free
    return Finding("disk", f"{free / 1e9:,.1f} GB free", "ok" if free >= ENOUGH_DISK else "WRONG")


def _existing(path: Path) -> Path:
    """The path, or what there is of it."""
    while not path.exists() and path != path.parent:
        path = path.absolute().parent
    return path
