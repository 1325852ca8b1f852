"""One process has the data folder: SQLite's file is served, migrated and replaced by one at a time."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
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
    """This process owns the folder within the block; the system releases it if the process dies.

    The file that is locked stays: what would remove it could remove one that another has locked meanwhile. The folder
    is locked as well, where it can be, for somebody may remove the file by hand. Raises InUse where another process
    has the folder.
    """
    if not _LOCKS:
        yield
        return
    with ExitStack() as held:
        file = _opened(folder / LOCK_NAME)
        held.callback(os.close, file)
        _lock(file, folder)
        with suppress(OSError):
            # Some file systems of a network lock no folder, and one that may not be listed is not opened.
            itself = os.open(folder, os.O_RDONLY)
            held.callback(os.close, itself)
            _lock(itself, folder)
        yield


def _lock(file: int, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InUse(folder) from None


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except PermissionError:
        # Another user's, as of one who made a backup: to lock it, reading is enough.
        return os.open(path, os.O_RDONLY)
