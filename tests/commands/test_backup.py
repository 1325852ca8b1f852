"""python -m app backup: where the copy goes, and which copies stay."""

import os
import subprocess
import sys
import time
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM, Signals

import pytest

from app.__main__ import main
from app.store.database.engine import FILE_NAME
from app.store.database.lock import LOCK_NAME
from app.store.database.revision import HEAD
from tests.store.earlier import counts, laid
from tests.stranger import data_of_a_stranger, root_only, run, run_as_a_stranger
from tests.web.server import ROOT, environment


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a database of an earlier version in it."""
    (tmp_path / "data").mkdir()
    laid("0004", tmp_path / "data")
    return tmp_path / "data"


def back_up(data: Path, *arguments: str) -> int:
    return main(["backup", *arguments, "--data", str(data)])


@pytest.mark.parametrize("written", ["new/", "new", "there", "there/", "there.d", "data/backups", "data/backups/", ""])
def test_each_copy_is_a_new_file_in_a_folder_that_is_made_if_it_is_missing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "there.d").mkdir()
    for _ in range(2):
        assert back_up(data, *([written] if written else [])) == 0
    copies = sorted((tmp_path / (written or "data/backups")).iterdir())
    assert len(copies) == 2
    assert all(path.match("pyramid-*.sqlite3") and counts(path) == counts(data / FILE_NAME) for path in copies)
    assert capsys.readouterr().out.count("games, at revision 0004") == 2


def test_a_name_with_a_suffix_is_a_file_which_is_never_overwritten(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert back_up(data, str(tmp_path / "copy.sqlite3")) == 0
    assert counts(tmp_path / "copy.sqlite3") == counts(data / FILE_NAME)
    assert back_up(data, str(tmp_path / "copy.sqlite3")) == 1
    assert "nothing is overwritten" in capsys.readouterr().err
    assert back_up(data, str(tmp_path / "another.sqlite3"), "--keep", "3") == 1
    assert not (tmp_path / "another.sqlite3").exists()


def test_of_the_copies_in_the_folder_the_newest_are_kept_and_nothing_else_is_removed(
    data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for name in ("replaced-1.sqlite3", "mine.sqlite3", "pyramid-mine.sqlite3", "pyramid-2025.sqlite3", "pyramid.txt"):
        (folder / name).touch()
    for _ in range(4):
        assert back_up(data, str(folder), "--keep", "2") == 0
    assert len(list(folder.glob("pyramid-*Z*.sqlite3"))) == 2
    assert len(list(folder.iterdir())) == 7


def test_of_copies_from_a_clock_that_was_ahead_none_drives_out_the_one_just_made(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    names = ["20990101T000001Z", "20990101T000001Z-2", "20990101T000002Z"]
    ahead = [folder / f"pyramid-{name}.sqlite3" for name in names]
    for path in ahead:
        path.touch()
    assert back_up(data, str(folder), "--keep", "2") == 0
    (made,) = set(folder.iterdir()) - set(ahead)
    assert counts(made) == counts(data / FILE_NAME)
    assert set(folder.iterdir()) == {made, ahead[-1]}


def test_an_empty_name_is_no_folder(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert back_up(data, "", "--keep", "1") == 1
    assert "DEST is empty" in capsys.readouterr().err
    assert [path.name for path in data.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("written", ["none/copies", "none/copies/", "none/copy.sqlite3"])
def test_what_is_misspelt_is_not_made(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    assert back_up(data, f"{tmp_path}/{written}") == 1
    assert f"there is no folder {tmp_path / 'none'}\n" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_where_no_database_is_nothing_is_made_and_the_place_is_told_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert back_up(Path("data"), "copies") == 1
    assert f"there is no database {tmp_path / 'data' / FILE_NAME}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_where_the_folder_of_backups_is_to_be_is_told_in_a_sentence_and_nothing_is_migrated(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "backups").write_text("mine", "utf-8")
    before = counts(data / FILE_NAME)
    for asked in (["backup"], ["migrate"], ["restore", str(data / FILE_NAME)]):
        assert main([*asked, "--data", str(data)]) == 1
        told = capsys.readouterr().err
        assert f"{data / 'backups'} is no folder" in told
        assert told.count("\n") == 1
    assert counts(data / FILE_NAME) == before
    assert (data / "backups").read_text("utf-8") == "mine"


def test_only_files_count_as_copies(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = {tmp_path / "copies" / f"pyramid-2020010{day}T000000Z.sqlite3" for day in (1, 2)}
    for folder in folders:
        folder.mkdir(parents=True)
    for _ in range(3):
        assert back_up(data, str(tmp_path / "copies"), "--keep", "2") == 0
        output = capsys.readouterr()
        assert "games, at revision 0004" in output.out
        assert output.err == ""
    assert len(set((tmp_path / "copies").iterdir()) - folders) == 2
    assert all(folder.is_dir() for folder in folders)


def test_what_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    data, copies = tmp_path / "data", tmp_path / "copies"
    before = os.umask(0o022)
    try:
        assert main(["migrate", "--data", str(data)]) == 0
        for folder in (copies, data / "backups"):
            assert back_up(data, str(folder)) == 0
        (copy,) = copies.iterdir()
        (data / FILE_NAME).write_text("damaged", "utf-8")
        assert main(["restore", str(copy), "--data", str(data)]) == 0
    finally:
        os.umask(before)
    made = {data, copies, *data.rglob("*"), *copies.iterdir()}
    assert len(list((data / "backups").glob("replaced-*.sqlite3"))) == 1
    # Whoever may enter the folder may wait for its lock.
    assert {path.name for path in made if path.stat().st_mode & 0o077} == {LOCK_NAME}


@root_only
def test_a_folder_that_cannot_be_written_is_named_and_not_the_database() -> None:
    with data_of_a_stranger() as data:
        above = data.parent
        (above / "copies").mkdir(mode=0o755)
        for written, said in (
            ("copies", f"no copy can be made in {above}/copies: Permission denied"),
            ("copies/copy.sqlite3", f"no copy can be made in {above}/copies: Permission denied"),
            ("copies/more/", f"{above}/copies/more cannot be made: Permission denied"),
        ):
            done, _ = run_as_a_stranger("backup", f"{above}/{written}", "--data", str(data))
            assert (done.returncode, done.stderr) == (1, f"pyramid: {said}\n")
        # A box into which one may only put: what is in it cannot be listed.
        (above / "copies").chmod(0o333)
        done, _ = run_as_a_stranger("backup", f"{above}/copies", "--data", str(data))
        assert (done.returncode, done.stderr) == (0, "")
        assert len(list((above / "copies").iterdir())) == 1


def test_where_the_disk_is_full_the_folder_is_named_and_nothing_left(data: Path, tmp_path: Path) -> None:
    # As a disk with so much room left: no file may grow further.
    full = ("prlimit", "--fsize=40960")
    done, _ = run("backup", str(tmp_path / "copies"), "--data", str(data), before=full)
    assert done.returncode == 1
    assert done.stderr.startswith(f"pyramid: no copy can be made in {tmp_path / 'copies'}: the disk is full")
    assert done.stderr.count("\n") == 1
    assert list((tmp_path / "copies").iterdir()) == []
    done, _ = run("restore", str(data / FILE_NAME), "--data", str(tmp_path / "new"), before=full)
    assert done.returncode == 1
    assert done.stderr.startswith(f"pyramid: no copy can be made in {tmp_path / 'new'}: the disk is full")
    assert not list((tmp_path / "new").glob(".*"))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (b"x\xff", {}),
        ("ünï".encode(), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
        ("ünï".encode(), {"PYTHONIOENCODING": "ascii"}),
    ],
)
def test_any_name_that_the_system_takes_will_do(tmp_path: Path, name: bytes, settings: dict[str, str]) -> None:
    def told(*arguments: str | bytes, **more: str) -> bytes:
        line = [sys.executable, "-m", "app", *arguments]
        given = environment(PYTHONPATH=str(ROOT), **settings, **more)
        done = subprocess.run(line, cwd=tmp_path, env=given, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    told("migrate", "--data", name)
    assert told("backup", name + b"/copies", "--data", name).endswith(f"revision {HEAD}\n".encode())
    (copy,) = (tmp_path / os.fsdecode(name) / "copies").iterdir()
    told("restore", os.fsencode(copy), "--data", name)
    assert told("doctor", PYRAMID_DATA=os.fsdecode(name))
    assert told("config", PYRAMID_DATA=os.fsdecode(name))
    assert [path.name for path in tmp_path.iterdir()] == [os.fsdecode(name)]


STOPPED = """
import os, sys, time
from app.__main__ import main
def stop(_file):
    print("on its way to the disk", flush=True)
    time.sleep(60)
os.fsync = stop
sys.exit(main(sys.argv[1:]))
"""


def ended(end: Signals, *asked: str) -> int:
    """The status of a command that a signal ends when it has made a copy that has not got its name yet."""
    line = [sys.executable, "-c", STOPPED, *asked]
    pipe, given = subprocess.PIPE, environment(PYTHONPATH=str(ROOT))
    with subprocess.Popen(line, env=given, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"on its way to the disk\n"
        process.send_signal(end)
        assert process.stderr.read() == b""
    return process.returncode


@pytest.mark.parametrize("end", [SIGINT, SIGTERM, SIGHUP])
def test_a_signal_ends_it_without_a_word_and_nothing_is_left(data: Path, tmp_path: Path, end: Signals) -> None:
    before = counts(data / FILE_NAME)
    for asked in (["backup", str(tmp_path / "copies")], ["restore", str(data / FILE_NAME)], ["migrate"]):
        assert ended(end, *asked, "--data", str(data)) == 128 + end
    left = {path.name for folder in (tmp_path / "copies", data, data / "backups") for path in folder.glob("*")}
    assert left == {FILE_NAME, "backups", "pyramid.lock"}
    assert not list(tmp_path.rglob(".*"))
    assert counts(data / FILE_NAME) == before


def test_what_a_killed_one_leaves_the_next_removes_once_nobody_can_be_at_work_on_it(data: Path, tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    assert ended(SIGKILL, "backup", str(copies), "--data", str(data)) == -SIGKILL
    (left,) = copies.iterdir()
    assert left.name.startswith(".pyramid-")
    theirs = [copies / name for name in (".copy.12.part", ".copy.sqlite3.12.part.gz", "a.sqlite3.12.part")]
    ours = [copies / f"{left.name}-journal", copies / ".pyramid-20200101T000000Z.sqlite3.12.part"]
    for path in (*theirs, *ours):
        path.touch()
    assert back_up(data, str(copies)) == 0
    assert {left, *ours, *theirs} < set(copies.iterdir())
    for path in (left, *ours, *theirs):
        os.utime(path, (time.time() - 4_000,) * 2)
    assert back_up(data, str(copies)) == 0
    assert set(copies.glob(".*")) | set(copies.glob("*.part")) == set(theirs)
    assert len(list(copies.glob("pyramid-*.sqlite3"))) == 2


def test_what_a_killed_restore_leaves_the_next_removes(data: Path) -> None:
    asked = "restore", str(data / FILE_NAME), "--data", str(data)
    assert ended(SIGKILL, *asked) == -SIGKILL
    (left,) = data.glob(".*")
    os.utime(left, (1, 1))
    assert main([*asked]) == 0
    assert not list(data.rglob(".*"))
