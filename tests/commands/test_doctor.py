"""python -m app doctor."""

import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest

from app import __main__ as command_line
from app import __version__
from app.__main__ import main
from app.commands import doctor
from app.commands.doctor import findings, has_wal_reset_bug
from app.solver.solve import BACKEND


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
    for word in (__version__, "Python 3.", sqlite3.sqlite_version, str(tmp_path), "GB free"):
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


def test_a_full_disk_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**12, 10**12, 10**6))
    assert [found.subject for found in findings(tmp_path, require_compiled=False) if found.mark == "WRONG"] == ["disk"]


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
    monkeypatch.setattr(command_line, "BACKEND", "plain")
    asked = ["odds", "--rules", "endless", "--deals", "1", "--fewest", "0", "--journal", str(tmp_path / "journal")]
    assert main(asked) == 0
    assert "WARNING" in capsys.readouterr().err
