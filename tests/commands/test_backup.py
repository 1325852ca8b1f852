"""python -m app backup: where the copy goes, and which copies stay."""

from pathlib import Path

import pytest

from app.__main__ import main
from app.store.engine import FILE_NAME
from tests.store.test_upgrades import counts, laid


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
    assert f"{tmp_path / 'none'} is no folder" in capsys.readouterr().err
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
