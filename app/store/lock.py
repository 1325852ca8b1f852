"""One process has the data folder: SQLite's file is served, migrated and replaced by one at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.store.errors import InUse

try:
    import fcntl
except ImportError:
    # As on Windows. There nothing keeps a second server away.
    _LOCKS = False
else:
    _LOCKS = True

LOCK_NAME = "pyramid.lock"


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """The folder is this process's own within the block, and the system's to give again when the process is gone.

    The file that is locked stays: what would remove it could remove one that another has locked meanwhile. Raises
    InUse where another process has the folder.
    """
    if not _LOCKS:
        yield
        return
    file = _opened(folder / LOCK_NAME)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(folder) from None
        yield
    finally:
        os.close(file)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except PermissionError:
        # Another user's, as of one who made a backup: to lock it, reading is enough.
        return os.open(path, os.O_RDONLY)
