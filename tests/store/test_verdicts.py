"""What the solver found out is kept once for each position, and the oldest makes room for the newest."""

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, Engine, func, insert, select, text

from app.store import verdicts
from app.store.database.schema import migrate
from app.store.tables import verdicts as table
from app.store.verdicts import StoredVerdict
from tests import databases


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    databases.fill(tmp_path)
    return databases.opened(tmp_path)


def of(position: int, *, fewest: bool = False) -> StoredVerdict:
    return StoredVerdict(str(position), winnable=True, line="draw", fewest=fewest)


def kept(connection: Connection) -> list[str]:
    """The positions that something is known of, the oldest first."""
    return list(connection.scalars(select(table.c.position).order_by(table.c.number)))


def test_what_is_found_out_replaces_what_was_known_before(engine: Engine) -> None:
    with engine.begin() as connection:
        for verdict in (of(1), of(2), of(1, fewest=True)):
            verdicts.keep(connection, verdict)
        assert verdicts.find(connection, "1") == of(1, fewest=True)
        assert kept(connection) == ["2", "1"]


def test_no_more_than_the_most_are_kept_and_the_oldest_go_first(engine: Engine) -> None:
    with engine.begin() as connection:
        for position in range(20):
            verdicts.keep(connection, of(position), most=5)
            verdicts.keep(connection, of(0), most=5)
        # What is replaced takes a number as well, so that it may be fewer than the most.
        assert kept(connection) == ["18", "19", "0"]
        assert verdicts.find(connection, "17") is None


def test_a_table_that_is_too_long_grows_shorter_bit_by_bit(engine: Engine) -> None:
    with engine.begin() as connection:
        old = [{"position": f"old {n}", "winnable": False, "fewest": True, "number": n} for n in range(1, 101)]
        connection.execute(insert(table), old)
        counts = []
        for position in range(12):
            verdicts.keep(connection, of(position), most=20)
            counts.append(connection.scalar(select(func.count()).select_from(table)))
        assert counts[:3] == [91, 82, 73]
        assert counts[-3:] == [20, 20, 20]
        assert kept(connection)[-12:] == [str(position) for position in range(12)]


def test_what_was_found_out_before_there_were_numbers_gets_one_each(engine: Engine) -> None:
    migrate(engine, lambda config: command.downgrade(config, "0005"))
    with engine.begin() as connection:
        for position in "cab":
            values = {"position": position, "winnable": False, "fewest": True}
            connection.execute(
                text("INSERT INTO verdicts (position, winnable, fewest) VALUES (:position, :winnable, :fewest)"), values
            )
    migrate(engine)
    with engine.begin() as connection:
        assert sorted(connection.scalars(select(table.c.number))) == [1, 2, 3]
        verdicts.keep(connection, of(1), most=3)
        assert kept(connection) == ["b", "c", "1"]
