"""The engine: how every connection is set up, and that every transaction takes the writer's place at once."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine

from app.store.database.engine import BUSY_SECONDS, FILE_NAME, Synchronous, open_engine
from tests.conftest import Clock, make_app, new_client

pytestmark = pytest.mark.sqlite


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 1000 * BUSY_SECONDS),
        ("trusted_schema", 0),
        ("temp_store", 2),
        ("cache_size", -16_000),
        # So many pages, 4 MB: else the log would grow for ever.
        ("wal_autocheckpoint", 1_000),
    ],
)
def test_every_connection_is_set_up(engine: Engine, pragma: str, value: str | int) -> None:
    for _ in range(2):
        with engine.connect() as connection:
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value


@pytest.mark.parametrize(("setting", "value"), [("FULL", 2), ("NORMAL", 1)])
def test_how_often_the_disk_is_waited_for_is_a_setting(tmp_path: Path, setting: Synchronous, value: int) -> None:
    engine = open_engine(tmp_path, synchronous=setting)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == value


@pytest.mark.parametrize(("setting", "value"), [(None, 2), ("FULL", 2), ("NORMAL", 1)])
def test_a_served_database_waits_for_the_disk_with_every_move_unless_the_setting_says_otherwise(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, setting: str | None, value: int
) -> None:
    def asked(connection: Connection) -> object:
        return connection.exec_driver_sql("PRAGMA synchronous").scalar_one()

    monkeypatch.delenv("PYRAMID_SYNCHRONOUS", raising=False)
    if setting:
        monkeypatch.setenv("PYRAMID_SYNCHRONOUS", setting)
    app = make_app(tmp_path, clock)
    with new_client(app) as client:
        assert client.portal is not None
        assert client.portal.call(app.state.rooms.run, asked) == value


def test_a_locked_database_is_waited_for_longer_than_three_seconds_and_shorter_than_ten() -> None:
    assert 3 < BUSY_SECONDS < 10


def test_a_transaction_is_the_writer_from_its_beginning(engine: Engine, tmp_path: Path) -> None:
    with engine.begin():
        other = sqlite3.connect(tmp_path / FILE_NAME, timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_transaction_that_is_rolled_back_changes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (a)")
    with engine.connect() as connection, connection.begin() as transaction:
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")
        connection.exec_driver_sql("CREATE TABLE u (a)")
        transaction.rollback()
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM t").scalar_one() == 0
        assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar_one() == 1


def test_the_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b c"
    with open_engine(folder).connect():
        assert (folder / FILE_NAME).exists()


def test_a_folder_that_cannot_be_made_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        open_engine(tmp_path / "file" / "folder")


@pytest.mark.parametrize("port", ["abc", "5432x", "²"])
def test_an_address_whose_port_is_no_number_is_an_os_error_without_the_password(port: str) -> None:
    with pytest.raises(OSError, match="the address of the database cannot be read") as told:
        open_engine(Path(), address=f"postgresql://me:secret@host:{port}/name")
    assert "secret" not in str(told.value)
