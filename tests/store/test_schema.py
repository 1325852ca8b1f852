"""Migrations: they lead to the very tables of app/store/tables.py, once, and back."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from app.store.database.engine import open_engine
from app.store.database.revision import MIGRATIONS
from app.store.database.schema import migrate
from app.store.tables import games, metadata, players, tokens

pytestmark = pytest.mark.sqlite

PLAYER = {"id": 1, "created_at": 1}
TOKEN = {"hash": "x", "player": 1, "created_at": 1}
GAME = {
    "id": "g",
    "player": 1,
    "rules": "endless",
    "deal": "a",
    "actions": "",
    "version": 0,
    "moves": 0,
    "outcome": "playing",
    "touched_at": 0,
}


def schema(engine: Engine) -> list[tuple[object, ...]]:
    """Everything in the database's own description of itself."""
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
        return [tuple(row) for row in rows]


@pytest.fixture
def migrated(engine: Engine) -> Engine:
    migrate(engine)
    return engine


def test_the_migrations_lead_to_the_tables(migrated: Engine) -> None:
    with migrated.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_there_is_one_line_of_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


def test_migrating_twice_is_migrating_once(migrated: Engine) -> None:
    before = schema(migrated)
    with migrated.begin() as connection:
        connection.execute(insert(players).values(PLAYER))
        connection.execute(insert(games).values(GAME))
    migrate(migrated)
    with migrated.begin() as connection:
        assert len(connection.execute(select(games)).all()) == 1
    assert schema(migrated) == before


def test_the_last_migration_can_be_taken_back_and_run_again(migrated: Engine) -> None:
    before = schema(migrated)
    migrate(migrated, lambda config: command.downgrade(config, "-1"))
    assert schema(migrated) != before
    migrate(migrated)
    assert schema(migrated) == before


def test_a_migration_that_falls_through_leaves_nothing_behind(engine: Engine) -> None:
    def broken(config: Config) -> None:
        command.upgrade(config, "head")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        migrate(engine, broken)
    assert schema(engine) == []
    migrate(engine)


def test_of_two_programs_that_migrate_at_the_same_moment_one_waits_for_the_other(tmp_path: Path) -> None:
    within, ended = threading.Event(), threading.Event()
    steps: list[str] = []
    # Making the file is no migration: whoever comes first turns it to WAL mode.
    first, second = open_engine(tmp_path), open_engine(tmp_path)
    for engine in (first, second):
        with engine.connect():
            pass

    def slow(config: Config) -> None:
        within.set()
        # The other one comes meanwhile, and cannot be done before this one is.
        assert not ended.wait(0.5)
        command.upgrade(config, "head")
        steps.append("the first is done")

    def come_second() -> None:
        assert within.wait(10)
        migrate(second)
        steps.append("the second is done")
        ended.set()

    with ThreadPoolExecutor(2) as threads:
        for done in (threads.submit(migrate, first, slow), threads.submit(come_second)):
            done.result()
    assert steps == ["the first is done", "the second is done"]
    with open_engine(tmp_path / "alone").connect():
        alone = open_engine(tmp_path / "alone")
    migrate(alone)
    assert schema(second) == schema(alone)


def test_a_game_belongs_to_a_player_and_goes_with_him(migrated: Engine) -> None:
    with migrated.begin() as connection, pytest.raises(IntegrityError):
        connection.execute(insert(games).values(GAME))
    with migrated.begin() as connection:
        connection.execute(insert(players).values(PLAYER))
        connection.execute(insert(games).values(GAME))
        connection.execute(players.delete())
        assert connection.execute(select(games)).all() == []


def test_two_players_never_have_one_token(migrated: Engine) -> None:
    with migrated.begin() as connection:
        connection.execute(insert(players).values(PLAYER))
        connection.execute(insert(tokens).values(TOKEN))
    with migrated.begin() as connection, pytest.raises(IntegrityError):
        connection.execute(insert(tokens).values(TOKEN))
