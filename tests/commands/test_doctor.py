"""python -m app doctor."""

import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from app import __version__
from app.__main__ import main
from app.commands import backend, doctor
from app.commands.doctor import findings
from app.config import Settings
from app.solver.solve import BACKEND
from app.store.database.engine import FILE_NAME
from app.store.database.journal import has_wal_reset_bug
from app.store.database.revision import HEAD
from tests.store.earlier import laid
from tests.stranger import STRANGER, data_of_a_stranger, root_only, run_as_a_stranger


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("version", "bug"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 0), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 52, 0), False),
    ],
)
def test_the_wal_reset_bug_is_in_some_versions(version: tuple[int, int, int], *, bug: bool) -> None:
    assert has_wal_reset_bug(version) is bug


def test_it_tells_versions_solver_folder_and_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    for word in (__version__, "Python 3.", sqlite3.sqlite_version, str(tmp_path), "GB free", "ok       settings"):
        assert word in told
    assert ("NOT COMPILED" in told) is (BACKEND == "plain")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data", str(tmp_path / "a" / "b")]) == 0
    assert "made at the first start" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_relative_folder_that_is_missing_is_told_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--data", "data"]) == 0
    assert str(tmp_path / "data") in capsys.readouterr().out


@pytest.mark.parametrize("name", ["file", "file/data"])
def test_a_folder_that_cannot_be_one_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "file").touch()
    assert main(["doctor", "--data", str(tmp_path / name)]) == 1
    assert "WRONG    data" in capsys.readouterr().out


def test_a_folder_in_which_nothing_can_be_made_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data", "/proc/nothing"]) == 1
    assert "cannot be written" in capsys.readouterr().out


@root_only
@pytest.mark.parametrize("mode", [0o000, 0o400, 0o500])
def test_a_folder_of_ones_own_that_cannot_be_written_is_told_with_all_else_and_what_mends_it(mode: int) -> None:
    with data_of_a_stranger() as data:
        data.chmod(mode)
        for folder in (data, data / "below"):
            told, _ = run_as_a_stranger("doctor", "--data", str(folder))
            assert (told.returncode, told.stderr) == (1, "")
            assert f"WRONG    data     {data} cannot be written by user {STRANGER}" in told.stdout
            assert "GB free" in told.stdout
            assert f": chmod -R u+rwX {data}\n" in told.stdout
        subprocess.run(["/bin/sh", "-c", f"chmod -R u+rwX {data}"], check=True)
        assert run_as_a_stranger("doctor", "--data", str(data))[0].returncode == 0


def test_a_full_disk_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**12, 10**12, 10**6))
    found = findings(Settings(data=tmp_path), require_compiled=False)
    assert [finding.subject for finding in found if finding.mark == "WRONG"] == ["disk"]


def test_a_solver_in_plain_python_is_told_loudly_and_wrong_only_where_the_compiled_one_is_required(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "BACKEND", "plain")
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert "WARNING  solver   the solver is NOT COMPILED" in capsys.readouterr().out
    assert main(["doctor", "--data", str(tmp_path), "--require-compiled"]) == 1
    told = capsys.readouterr().out
    assert "WRONG    solver" in told
    assert "pip install" in told
    assert "C compiler" in told


def test_a_command_that_solves_in_plain_python_warns_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(backend, "BACKEND", "plain")
    asked = ["odds", "--rules", "endless", "--deals", "1", "--fewest", "0", "--journal", str(tmp_path / "journal")]
    assert main(asked) == 0
    assert "WARNING" in capsys.readouterr().err


def test_a_clock_of_long_ago_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1.0)
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert "WRONG    clock    1970-01-01" in capsys.readouterr().out


def test_a_network_s_file_system_is_warned_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "network_file_system", lambda _path: "nfs4")
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "WARNING  data" in told
    assert "(nfs4)" in told


def test_a_database_is_told_with_what_the_next_start_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = laid("0001", tmp_path)
    before = database.read_bytes()
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert f"3 players, 12 games, at revision 0001; the next start brings it to {HEAD}" in capsys.readouterr().out
    assert database.read_bytes() == before
    assert main(["migrate", "--data", str(tmp_path)]) == 0
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert f"at revision {HEAD}\n" in capsys.readouterr().out


def test_a_database_of_a_later_version_and_one_that_is_none_are_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = sqlite3.connect(laid("0004", tmp_path))
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert "revision 9999, which this version does not know" in capsys.readouterr().out
    (tmp_path / FILE_NAME).write_bytes(b"this is no database" * 100)
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert "WRONG    database" in capsys.readouterr().out


def test_a_postgresql_that_does_not_answer_is_wrong_and_its_password_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_DATABASE", "postgresql://me:s3cret@127.0.0.1:9/name")
    assert main(["doctor", "--data", str(tmp_path / "none")]) == 1
    told = capsys.readouterr().out
    assert "WRONG    database postgresql" in told
    assert "WAL" not in told
    assert "s3cret" not in told


def test_a_variable_that_names_no_setting_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_PROT", "9000")
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert "WARNING  settings PYRAMID_PROT" in capsys.readouterr().out


@pytest.mark.parametrize("version", [(3, 51, 2), (3, 51, 3)])
def test_an_sqlite_with_the_wal_reset_bug_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], version: tuple[int, int, int]
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    (told,) = [line for line in capsys.readouterr().out.splitlines() if " sqlite " in line]
    assert ".".join(map(str, version)) in told
    assert ("WAL-reset bug" in told) is has_wal_reset_bug(version)
