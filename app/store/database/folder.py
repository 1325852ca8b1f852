"""The data folder: whether it can be written, and what kind of file system it is on."""

import errno
import os
import re
import shlex
from pathlib import Path
from tempfile import TemporaryFile

from app.store.database.engine import FILE_NAME, PRIVATE_FOLDER
from app.store.errors import Unwritable

BACKUPS = "backups"
"""The folder below it for what is kept before a migration or a restore."""

_MOUNTS = Path("/proc/mounts")
_OF_ANOTHER_MACHINE = re.compile(
    r"nfs4?|cifs|smb[fs23]*|afs|ceph|lustre|glusterfs|gfs2|ocfs2|ncpfs|9p|virtiofs|vboxsf|prl_fs|davfs2?|coda|"
    r"fuse\.(?:sshfs|glusterfs|davfs2?|rclone|s3fs|gcsfuse|smbnetfs|curlftpfs|ceph|lizardfs|moosefs|mfs|juicefs|grpcfuse)"
)
_ESCAPED = re.compile(r"\\([0-7]{3})")


def make_ready(folder: Path) -> None:
    """Make the folder where it is missing. Raises Unwritable where this user may not write it, else OSError."""
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    except PermissionError:
        fault: str | None = _sentence(folder, folder)
    except OSError as error:
        raise OSError(f"the data folder {folder.absolute()} cannot be made: {error.strerror}") from error
    else:
        fault = unwritable(folder)
    if fault is not None:
        raise Unwritable(fault)


def unwritable(folder: Path) -> str | None:
    """Why a folder or what is in it cannot be written, in a sentence with what mends it; None where it can.

    Raises OSError where that is for another reason than who owns it.
    """
    try:
        # Permissions do not tell all; a read-only disk, for one, shows only when something is written.
        with TemporaryFile(dir=folder, prefix=".pyramid-"):
            pass
    except OSError as error:
        if error.errno == errno.EROFS:
            return f"{folder} is on a file system that is mounted read-only"
        if error.errno in {errno.EACCES, errno.EPERM}:
            return _sentence(folder, folder)
        raise
    for name in (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", BACKUPS):
        path = folder / name
        if os.path.lexists(path) and not os.access(path, os.R_OK | os.W_OK):
            return _sentence(path, folder)
    return None


def network_file_system(path: Path, mounts: Path = _MOUNTS) -> str | None:
    """The kind of file system under a path, as ``nfs4``, where another machine keeps it; None elsewhere or unknown."""
    try:
        lines = mounts.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return None
    place, found = path.resolve(), (-1, "")
    for line in lines:
        _device, point, kind, *_ = line.split(" ")
        mounted = Path(_ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), point))
        # Of two mounts at one point, the later one lies on top.
        if place.is_relative_to(mounted) and len(mounted.parts) >= found[0]:
            found = len(mounted.parts), kind
    return found[1] if _OF_ANOTHER_MACHINE.fullmatch(found[1]) else None


def is_there(path: Path) -> bool:
    """Whether there is a file or folder of a name, as far as may be seen."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises where a folder above may not be entered.


def _sentence(path: Path, folder: Path) -> str:
    if not hasattr(os, "getuid"):
        return f"{path} cannot be written"
    user, owner, quoted = os.getuid(), f"{os.getuid()}:{os.getgid()}", shlex.quote(str(folder.absolute()))
    mended = f"chown -R {owner} {quoted}"
    if not is_there(folder):
        mended = f"mkdir -p {quoted} && {mended}"
    elif is_there(path) and path.stat().st_uid == user:
        mended = f"chmod -R u+rwX {quoted}"
    return f"{path} cannot be written by user {user}; its owner can mend that: {mended}"
