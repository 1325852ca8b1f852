"""Copies of a SQLite database: made while it is served, checked, and put in its place."""

import os
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from app.store.database.engine import PRIVATE_FILE, PRIVATE_FOLDER
from app.store.database.folder import BACKUPS, is_there
from app.store.database.journal import kind_of
from app.store.database.revision import HEAD, REVISIONS
from app.store.errors import Newer, NoBackup, counted

_WAIT_SECONDS = 10
_NO_ROOM = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
}
"""The codes that only what is written can give, and a source is only read."""

_LEFT_SECONDS = 3_600
"""An unfinished copy that nothing was written to for so long is of a process that was killed.

On a folder that containers or machines share, neither the number of a process nor a lock would tell that.
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds."""

    revision: str
    players: int
    games: int

    def __str__(self) -> str:
        return f"{counted(self.players, 'player')}, {counted(self.games, 'game')}, at revision {self.revision}"


def back_up(database: Path, target: Path) -> Contents:
    """Copy a database, which may be in use, to a new file; what was committed before is in the copy.

    The copy is whole, checked and on disk before it gets its name. Raises NoBackup where the target exists or cannot be
    made, or where the database is missing or damaged.
    """
    if not database.exists():
        raise NoBackup(_missing(database))
    if os.path.lexists(target):
        raise NoBackup(f"{target} exists already; nothing is overwritten")
    _check_folder(target.parent)
    with _part(target) as part:
        contents = _copy(database, part, used=True)
        try:
            # Unlike a renaming, a link never takes another file's place.
            os.link(part, target)
        except FileExistsError:
            raise NoBackup(f"{target} exists already; nothing is overwritten") from None
        except OSError:
            # FAT and many a network's file system know no links.
            part.rename(target)
    _sync(target.parent)
    return contents


def back_up_into(folder: Path, database: Path) -> tuple[Path, Contents]:
    """Copy a database, as ``back_up`` does, to a new file in a folder, which is made if it is missing.

    It is named by the time. Raises NoBackup likewise.
    """
    if not database.exists():
        raise NoBackup(_missing(database))
    ours = folder.absolute().parent == database.absolute().parent
    _make(folder, database if ours else folder)
    target = _named(folder, "pyramid")
    contents = back_up(database, target)
    _give(target, database if ours else target)
    return target, contents


def keep_newest(made: Path, most: int, name: str = "pyramid") -> None:
    """Of the copies beside one just made, those that such a name and a time name, remove the oldest."""
    named = re.compile(rf"{name}-([0-9]{{8}}T[0-9]{{6}}Z)(?:-([0-9]+))?\.sqlite3")
    found = [(path, told) for path in made.parent.iterdir() if (told := named.fullmatch(path.name)) and path.is_file()]
    # By what their names say: a file that was carried here has another time, and so has the clock, sometimes.
    found.sort(key=lambda one: (one[1][1], int(one[1][2] or 1)))
    others = [path for path, _ in found if path != made]
    for old in others[: max(0, len(found) - most)]:
        old.unlink()


def restore(source: Path, database: Path) -> tuple[Contents, Path | None]:
    """Put a copy of ``source`` in the place of a database that nobody uses, and keep the one that was there.

    What the new one holds, and where the old one is kept. Whoever calls this has the data folder. Raises NoBackup
    where the source is missing, damaged or none of our databases, Newer where a later version made it; then nothing
    is changed.
    """
    if not source.is_file():
        raise NoBackup(f"{source} is no file")
    with _part(database) as part:
        contents = _copy(source, part)
        if contents.revision not in REVISIONS:
            raise Newer(contents.revision, HEAD, str(source))
        _give(part, database)
        kept = _put_aside(database) if database.exists() else None
        # A log that lies beside a database is played into it, whichever it was written for.
        for beside in _beside(database):
            beside.unlink()
        _sync(database.parent)
        part.replace(database)
    _sync(database.parent)
    return contents, kept


def copy_before(database: Path, revision: str, keep: int) -> Path:
    """Copy a database before its migration to a revision; where to. Of such copies the ``keep`` newest stay."""
    target = _kept_as(database, f"pre-{revision}")
    with _part(target) as part:
        _copy(database, part)
        part.rename(target)
    _give(target, database)
    _sync(target.parent)
    keep_newest(target, keep, "pre-[0-9]+")
    return target


def look_into(database: Path) -> Contents:
    """What a database holds that may be in use. Raises NoBackup where it is damaged, or none of ours."""
    try:
        with _reading(database, used=True) as connection:
            return _contents(connection)
    except (sqlite3.Error, _Strange) as error:
        raise NoBackup(f"{database}: {error}") from error


def stamp() -> str:
    """The time in UTC, for a file's name."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def _put_aside(database: Path) -> Path:
    """Keep a database that nobody uses as a copy. One that cannot be read is kept as it is, with its log."""
    target = _kept_as(database, "replaced")
    with _part(target) as part:
        try:
            # Whatever comes between here and the end, the file without its log is then whole.
            with closing(sqlite3.connect(database, timeout=_WAIT_SECONDS)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            _copy(database, part)
        except (NoBackup, sqlite3.Error):
            _drop(part)
            for path in (database, *_beside(database)):
                kept = _after(path, database, part)
                kept.touch(PRIVATE_FILE)
                shutil.copyfile(path, kept)
                _sync(kept)
        for path in (*_beside(part), part):
            _give(path, database)
            path.rename(_after(path, part, target))
    _sync(target.parent)
    return target


def _kept_as(database: Path, name: str) -> Path:
    """A file yet to be made in the folder of backups, by a name and the time."""
    folder = database.parent / BACKUPS
    _make(folder, database)
    return _named(folder, name)


def _make(folder: Path, like: Path) -> None:
    """Make a folder for copies where it is missing. Raises NoBackup where something else has its name."""
    if folder.is_dir():
        return
    _check_folder(folder.parent)
    try:
        folder.mkdir(PRIVATE_FOLDER)
    except FileExistsError:
        raise NoBackup(f"{folder} is no folder, and copies are to be kept in it; give that file another name") from None
    except OSError as error:
        raise NoBackup(f"{folder} cannot be made: {error.strerror}") from error
    _give(folder, like)


def _check_folder(folder: Path) -> None:
    """Raises NoBackup where there is no such folder, which may be misspelt."""
    if not folder.is_dir():
        raise NoBackup(f"{folder} is no folder" if is_there(folder) else f"there is no folder {folder}")


def _named(folder: Path, name: str) -> Path:
    """A file yet to be made in a folder, by a name and the time."""
    now = stamp()
    names = (f"{name}-{now}{again}.sqlite3" for again in chain([""], (f"-{number}" for number in count(2))))
    return next(path for path in map(folder.joinpath, names) if not os.path.lexists(path))


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """The name beside a file under which it is made until it is whole; nothing of that name is left behind.

    What a process left there that was killed is removed, once nothing was written to it for an hour. Raises NoBackup
    where the folder cannot be written.
    """
    _drop_left(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
    except OSError as error:
        raise _unmade(part, error.strerror or str(error)) from error
    finally:
        # In a folder that cannot be looked into nothing was made, and what is told is why.
        with suppress(OSError):
            _drop(part)


def _drop_left(target: Path) -> None:
    """Remove what lies beside a file of copies in the making, its own and ours, that are not going on."""
    left = re.compile(rf"\.(?:{re.escape(target.name)}|.+\.sqlite3)\.[0-9a-f]+\.part(?:-[a-z]+)?")
    for path in target.parent.glob(".*.part*"):
        # Another user's is left to him; and another process may have been quicker.
        with suppress(OSError):
            if left.fullmatch(path.name) and time.time() - path.lstat().st_mtime > _LEFT_SECONDS:
                path.unlink()


def _drop(database: Path) -> None:
    for path in (database, *_beside(database)):
        path.unlink(missing_ok=True)


def _unmade(copy: Path, reason: str) -> NoBackup:
    return NoBackup(f"no copy can be made in {copy.parent}: {reason}")


def _copy(source: Path, copy: Path, *, used: bool = False) -> Contents:
    """Copy a database, which may be ``used`` meanwhile, to a new file that is whole and on disk; what it holds."""
    # SQLite, which takes an empty file, would not say which of the two cannot be opened.
    copy.touch(PRIVATE_FILE, exist_ok=False)
    try:
        with _reading(source, used=used) as connection:
            _contents(connection)
            # A name need not be UTF-8, and no text of Python's is else passed on.
            _execute(connection, "VACUUM INTO CAST(? AS TEXT)", os.fsencode(copy))
    except (sqlite3.Error, _Strange) as error:
        if getattr(error, "sqlite_errorcode", 0) in _NO_ROOM:
            raise _unmade(copy, f"the disk is full, or fails ({error})") from error
        hint = "; whoever copies a database must be able to write it, as the server's user is" if _shut(error) else ""
        raise NoBackup(f"{source} cannot be copied: {error}{hint}") from error
    try:
        with _reading(copy, used=False) as connection:
            contents = _contents(connection)
    except (sqlite3.Error, _Strange) as error:
        raise NoBackup(f"the copy of {source} is of no use: {error}") from error
    _sync(copy)
    return contents


@contextmanager
def _reading(database: Path, *, used: bool) -> Iterator[sqlite3.Connection]:
    """A connection that only reads: what writes or checkpoints beside the server can meet the WAL-reset bug."""
    # What nobody uses, and has no log, can be read where nothing can be written, as on a disk mounted read-only.
    how = "mode=ro" if used or _beside(database) else "immutable=1"
    address = f"{database.absolute().as_uri()}?{how}"
    opened = sqlite3.connect(address, _WAIT_SECONDS, isolation_level=None, check_same_thread=False, uri=True)
    with closing(opened) as connection:
        yield connection


def _execute(connection: sqlite3.Connection, statement: str, *values: bytes) -> sqlite3.Cursor:
    """Execute what can take minutes, in a thread, so that Ctrl+C is heard meanwhile."""
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(connection.execute, statement, values).result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise


class _Strange(Exception):  # noqa: N818 - named as it is met.
    """A file that SQLite reads, but that is damaged or none of our databases."""


def _shut(error: Exception) -> bool:
    """Whether SQLite could not make what it needs beside a database that is in use, even to read it."""
    return kind_of(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def _missing(database: Path) -> str:
    return f"there is no database {database.absolute()}; PYRAMID_DATA or --data names its folder"


def _contents(connection: sqlite3.Connection) -> Contents:
    found = _execute(connection, "PRAGMA integrity_check").fetchall()
    if found != [("ok",)]:
        raise _Strange(f"it is damaged ({' '.join(str(found[0][0]).split())})")
    try:
        ((revision,),) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        ((players, games),) = connection.execute(
            "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM games)"
        ).fetchall()
    except (ValueError, sqlite3.OperationalError) as error:
        raise _Strange("it is no database of this program") from error
    return Contents(revision, players, games)


def _beside(database: Path) -> list[Path]:
    """What lies beside a database of the files that SQLite keeps there."""
    paths = (database.with_name(database.name + end) for end in ("-wal", "-shm", "-journal"))
    return [path for path in paths if path.exists()]


def _after(path: Path, database: Path, other: Path) -> Path:
    """What lies beside a database, or itself, as it is named beside another."""
    return other.with_name(other.name + path.name.removeprefix(database.name))


def _give(path: Path, like: Path) -> None:
    """Where root made a file or folder, give it to whom the folder around another belongs: the server may be his.

    A folder of root's, that all may write to, tells nothing; then it is given to whom that other file belongs.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owned = like.parent.stat()
        if owned.st_uid == 0 and like.exists():
            owned = like.stat()
        os.chown(path, owned.st_uid, owned.st_gid)


def _sync(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on disk."""
    if path.is_dir() and (os.name == "nt" or not os.access(path, os.R_OK)):
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
