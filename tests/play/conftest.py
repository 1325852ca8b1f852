from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine

from app.play.games import Games
from app.play.players import Players
from tests import databases
from tests.conftest import Clock, Numbered


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    databases.fill(tmp_path)
    engine = databases.opened(tmp_path)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    """A transaction, as the door gives it to a use case."""
    with engine.begin() as connection:
        yield connection


@pytest.fixture
def players(engine: Engine, clock: Clock) -> Players:
    players = Players(clock, Numbered("key-"))
    with engine.begin() as connection:
        players.start(connection)
    return players


@pytest.fixture
def games(players: Players, clock: Clock) -> Games:
    return Games(players, clock, Numbered("g", 16))
