"""One process has the data folder; one that cannot be written, or is no good place, is told of in a sentence."""

import errno
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.store.database import folder as folders
from app.store.database.engine import FILE_NAME
from app.store.database.folder import make_ready, network_file_system
from app.store.database.journal import has_wal_reset_bug
from app.store.database.lock import LOCK_NAME, owned
from app.store.errors import InUse, Unwritable
from tests.stranger import STRANGER, root_only, run, run_as_a_stranger
from tests.web.api import Api
from tests.web.server import Server

pytestmark = pytest.mark.sqlite

SECONDS = 2
ATTEMPTS = 4


def quickest(
    how: Callable[..., tuple[subprocess.CompletedProcess[str], float]], *arguments: str
) -> tuple[subprocess.CompletedProcess[str], float]:
    """What it does, and how many seconds longer than a program takes that does nothing: a machine may be busy."""
    for _ in range(ATTEMPTS):
        _, start = how("--version")
        done, seconds = how(*arguments)
        if seconds - start < SECONDS:
            break
    return done, seconds - start


@pytest.fixture
def in_the_open() -> Iterator[Path]:
    """A folder that others may enter; those of pytest are its own."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_second_server_on_a_folder_ends_at_once_in_one_sentence_and_the_first_plays_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Server(data, PYRAMID_DATABASE="") as server, server.client() as client:
        game = Api(client).create()
        for command in (["serve", "--port", "0"], ["migrate"]):
            done, seconds = quickest(run, *command, "--data", str(data))
            assert done.returncode == 1
            assert done.stderr.count("\n") == 1
            assert str(data) in done.stderr
            assert seconds < SECONDS
        assert Api(client).act(game, "draw")["version"] == 1
        # R8: nobody but the server has the database open.
        assert owners(data / FILE_NAME) == {server.pid}
        assert ("WAL-reset bug" in server.log) is has_wal_reset_bug(sqlite3.sqlite_version_info)


def owners(path: Path) -> set[int]:
    """The processes that have a file open."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == path:
                found.add(int(link.parts[2]))
        except OSError:
            pass
    return found


def test_a_killed_server_leaves_the_folder_to_the_next(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", PYRAMID_DATABASE="")
    server.start()
    server.kill()
    with server, server.client() as client:
        assert client.get("/").status_code == 200


def test_a_folder_is_given_to_one_at_a_time(tmp_path: Path) -> None:
    with owned(tmp_path):
        with pytest.raises(InUse, match=str(tmp_path)), owned(tmp_path):
            pass
        with pytest.raises(InUse), owned(tmp_path):
            pass
    with owned(tmp_path):
        assert (tmp_path / LOCK_NAME).exists()


@root_only
def test_a_folder_of_another_user_ends_the_server_at_once_with_what_mends_it(in_the_open: Path) -> None:
    data = in_the_open / "da ta"
    data.mkdir(mode=0o755)
    done, seconds = quickest(run_as_a_stranger, "serve", "--port", "0", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    for word in (str(data), f"user {STRANGER}", f"chown -R {STRANGER}:{STRANGER} '{data}'"):
        assert word in done.stderr
    assert seconds < SECONDS


@root_only
@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["not to be entered", "not to be written"])
def test_a_folder_that_cannot_be_made_is_told_with_what_makes_it(in_the_open: Path, mode: int) -> None:
    above = in_the_open / "above"
    above.mkdir()
    above.chmod(mode)
    done, _ = run_as_a_stranger("serve", "--port", "0", "--data", str(above / "data"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"chown -R {STRANGER}:{STRANGER} {above / 'data'}" in done.stderr


@root_only
def test_a_database_of_another_user_in_a_folder_of_ones_own_is_told_by_its_name(in_the_open: Path) -> None:
    data = in_the_open / "data"
    assert run("migrate", "--data", str(data))[0].returncode == 0
    os.chown(data, STRANGER, STRANGER)
    done, _ = run_as_a_stranger("serve", "--port", "0", "--data", str(data))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"{data / FILE_NAME} cannot be written" in done.stderr
    told, _ = run_as_a_stranger("doctor", "--data", str(data))
    assert told.returncode == 1
    assert f"chown -R {STRANGER}:{STRANGER} {data}" in told.stdout


@root_only
def test_any_user_may_serve_a_folder_of_his_own(in_the_open: Path) -> None:
    data = in_the_open / "data"
    data.mkdir()
    os.chown(data, STRANGER, STRANGER)
    done, _ = run_as_a_stranger("migrate", "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert {path.stat().st_uid for path in data.iterdir()} == {STRANGER}


def test_a_lock_of_another_user_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).touch(mode=0o444)
    with owned(tmp_path):
        pass


def test_a_read_only_file_system_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_given: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    make_ready(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    # What the system says there; nothing can be mounted here.
    monkeypatch.setattr(folders, "TemporaryFile", refused)
    with pytest.raises(Unwritable, match=f"^{tmp_path} is on a file system that is mounted read-only$"):
        make_ready(tmp_path)


def test_a_fault_that_is_nobodys_permission_is_raised_as_it_is() -> None:
    with pytest.raises(OSError, match="/proc/nothing") as fault:
        make_ready(Path("/proc/nothing"))
    assert not isinstance(fault.value, Unwritable)


MOUNTS = """\
/dev/root / ext4 rw 0 0
nas:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local ext4 rw 0 0
//nas/games /media/my\\040games cifs rw 0 0
tmpfs /over tmpfs rw 0 0
nas:/over /over nfs rw 0 0
host /mnt/host fuse.sshfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data", None),
        ("/home/me/data", "nfs4"),
        ("/home/local/data", None),
        ("/media/my games/data", "cifs"),
        ("/over", "nfs"),
        ("/mnt/host/a", "fuse.sshfs"),
        ("/mnt/hosted", None),
    ],
)
def test_a_network_s_file_system_is_known_by_the_table_of_mounts(tmp_path: Path, path: str, kind: str | None) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS, "utf-8")
    assert network_file_system(Path(path), mounts) == kind
    assert network_file_system(Path(path), tmp_path / "none") is None


def test_whoever_removes_the_lock_by_hand_lets_no_second_one_in(tmp_path: Path) -> None:
    with owned(tmp_path):
        (tmp_path / LOCK_NAME).unlink()
        with pytest.raises(InUse), owned(tmp_path):
            pass
    with owned(tmp_path):
        assert (tmp_path / LOCK_NAME).exists()
