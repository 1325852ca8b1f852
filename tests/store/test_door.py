"""The door: shared transactions, each use case for itself in them, and nobody answered before the commit."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import IntegrityError

from app.store.database.door import Door, Unavailable
from app.store.database.engine import FILE_NAME
from tests import databases

T = TypeVar("T")


def run(engine: Engine, play: Callable[[Door], Coroutine[Any, Any, T]]) -> T:
    """What callers get at an open door on a database with one table."""

    async def at_the_door() -> T:
        door = Door(engine)
        door.open()
        try:
            await door.run(sql("CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY CHECK (a < 1000), b TEXT)"))
            return await play(door)
        finally:
            door.close()

    return asyncio.run(at_the_door())


def sql(statement: str) -> Callable[[Connection], None]:
    """A use case that runs a statement."""

    def use_case(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    return use_case


def add(number: int) -> Callable[[Connection], int]:
    """A use case that keeps a number and returns it."""

    def use_case(connection: Connection) -> int:
        connection.execute(text("INSERT INTO t VALUES (:number, 'x')"), {"number": number})
        return number

    return use_case


def add_and_fail(number: int) -> Callable[[Connection], None]:
    """A use case that keeps a number and then thinks better of it."""

    def use_case(connection: Connection) -> None:
        add(number)(connection)
        raise LookupError(number)

    return use_case


def kept(folder: Path) -> list[int]:
    """The numbers that another connection finds."""
    return [number for (number,) in databases.rows(folder, "SELECT a FROM t ORDER BY a")]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another connection holds the database."""
    with databases.opened(folder).connect() as connection, connection.begin():
        yield


def commits_of(engine: Engine) -> list[int]:
    """A list that grows by one with each commit."""
    commits: list[int] = []
    event.listen(engine, "commit", lambda _connection: commits.append(1))
    return commits


def test_a_use_case_returns_its_result_and_is_kept(engine: Engine, tmp_path: Path) -> None:
    assert run(engine, lambda door: door.run(add(7))) == 7
    assert kept(tmp_path) == [7]


def test_those_who_arrive_together_share_one_transaction(engine: Engine, tmp_path: Path) -> None:
    commits = commits_of(engine)

    async def play(door: Door) -> list[int]:
        commits.clear()
        return list(await asyncio.gather(*(door.run(add(number)) for number in range(100))))

    assert run(engine, play) == list(range(100))
    assert len(commits) == 1
    assert kept(tmp_path) == list(range(100))


def test_those_who_come_while_the_thread_is_busy_share_the_next(engine: Engine, tmp_path: Path) -> None:
    commits = commits_of(engine)
    gate = threading.Event()

    async def play(door: Door) -> None:
        commits.clear()
        first = asyncio.create_task(door.run(lambda _connection: gate.wait(10)))
        await asyncio.sleep(0.05)
        others = []
        for number in range(20):
            others.append(asyncio.create_task(door.run(add(number))))
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        gate.set()
        await asyncio.gather(first, *others)

    run(engine, play)
    assert len(commits) == 2
    assert kept(tmp_path) == list(range(20))


def test_a_use_case_that_raises_is_rolled_back_alone(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> list[int | BaseException | None]:
        use_cases = [add(1), add_and_fail(2), add(3), add_and_fail(4)]
        return list(await asyncio.gather(*map(door.run, use_cases), return_exceptions=True))

    one, two, three, four = run(engine, play)
    assert (one, three) == (1, 3)
    assert isinstance(two, LookupError)
    assert isinstance(four, LookupError)
    assert kept(tmp_path) == [1, 3]


def test_what_breaks_a_constraint_hurts_no_other(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> list[int | BaseException]:
        use_cases = [add(1), add(1), add(5_000), add(2)]
        return list(await asyncio.gather(*map(door.run, use_cases), return_exceptions=True))

    one, again, beyond, two = run(engine, play)
    assert (one, two) == (1, 2)
    assert isinstance(again, IntegrityError)
    assert isinstance(beyond, IntegrityError)
    assert kept(tmp_path) == [1, 2]


def test_nobody_is_answered_before_the_commit(engine: Engine, tmp_path: Path) -> None:
    gate = threading.Event()

    async def play(door: Door) -> None:
        first = asyncio.create_task(door.run(add(1)))
        second = asyncio.create_task(door.run(lambda _connection: gate.wait(10)))
        await asyncio.sleep(0.1)
        assert not first.done()
        assert kept(tmp_path) == []
        gate.set()
        assert await first == 1
        assert kept(tmp_path) == [1]
        await second

    run(engine, play)


def test_a_caller_who_went_away_disturbs_nobody(engine: Engine, tmp_path: Path) -> None:
    gate = threading.Event()

    async def play(door: Door) -> int:
        first = asyncio.create_task(door.run(lambda _connection: gate.wait(10)))
        await asyncio.sleep(0.05)
        gone, stays = (asyncio.create_task(door.run(add(number))) for number in (1, 2))
        await asyncio.sleep(0.05)
        gone.cancel()
        gate.set()
        await first
        return await stays

    assert run(engine, play) == 2
    assert kept(tmp_path) == [1, 2]


def test_a_locked_database_is_waited_for(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> int:
        with locked(tmp_path):
            waiting = asyncio.create_task(door.run(add(1)))
            await asyncio.sleep(0.3)
            assert not waiting.done()
        return await waiting

    assert run(engine, play) == 1


def test_a_database_locked_for_too_long_is_unavailable_and_then_serves_again(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> list[BaseException | int]:
        await door.run(sql("SET lock_timeout = 100" if databases.POSTGRESQL else "PRAGMA busy_timeout = 100"))
        with locked(tmp_path):
            refused = await asyncio.gather(*(door.run(add(number)) for number in range(5)), return_exceptions=True)
        return [*refused, await door.run(add(9))]

    *refused, served = run(engine, play)
    assert len(refused) == 5
    assert all(isinstance(error, Unavailable) for error in refused)
    assert served == 9
    assert kept(tmp_path) == [9]


@pytest.mark.sqlite
def test_a_full_disk_is_unavailable_for_all_of_a_transaction_and_then_serves_again(
    engine: Engine, tmp_path: Path
) -> None:
    huge = "INSERT INTO t VALUES ({}, zeroblob(1000000))"

    async def play(door: Door) -> list[BaseException | int | None]:
        await door.run(sql("PRAGMA max_page_count = 20"))
        refused = await asyncio.gather(
            door.run(add(1)), door.run(sql(huge.format(2))), door.run(add(3)), return_exceptions=True
        )
        small = await door.run(add(4))
        await door.run(sql("PRAGMA max_page_count = 1000"))
        return [*refused, small, await door.run(sql(huge.format(5)))]

    *refused, small, large = run(engine, play)
    assert all(isinstance(error, Unavailable) for error in refused)
    assert (small, large) == (4, None)
    assert kept(tmp_path) == [4, 5]


def test_closing_serves_whoever_waits(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> list[int]:
        waiting = [asyncio.create_task(door.run(add(number))) for number in range(10)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.to_thread(door.close)
        return list(await asyncio.gather(*waiting))

    assert run(engine, play) == list(range(10))
    assert kept(tmp_path) == list(range(10))


def test_closing_serves_even_who_came_in_this_very_turn_of_the_loop(engine: Engine, tmp_path: Path) -> None:
    async def play(door: Door) -> int:
        waiting = asyncio.create_task(door.run(add(1)))
        # The task runs in the next turn, and what it brings is handed over in the one after.
        asyncio.get_running_loop().call_soon(door.close)
        async with asyncio.timeout(5):
            return await waiting

    assert run(engine, play) == 1
    assert kept(tmp_path) == [1]


def test_a_door_is_opened_again_whoever_came_as_it_closed(engine: Engine) -> None:
    async def play(door: Door) -> list[int]:
        first = asyncio.create_task(door.run(add(1)))
        asyncio.get_running_loop().call_soon(door.close)
        async with asyncio.timeout(5):
            await first
            door.open()
            return [await door.run(add(number)) for number in (2, 3)]

    assert run(engine, play) == [2, 3]


def test_what_is_committed_is_answered_even_where_whoever_counts_it_fails(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def counted() -> list[int]:
        door = Door(engine, lambda _seconds, _news: int("no number"))
        door.open()
        try:
            await door.run(sql("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)"))
            return [await door.run(add(number)) for number in (1, 2)]
        finally:
            door.close()

    assert asyncio.run(counted()) == [1, 2]
    assert kept(tmp_path) == [1, 2]
    assert "no number" in caplog.text


def test_closing_twice_is_closing_once(engine: Engine) -> None:
    door = Door(engine)
    door.close()
    door.open()
    door.close()
    door.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "door"]


@pytest.mark.sqlite
def test_a_database_that_cannot_be_opened_is_told_at_once(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database" * 100)
    door = Door(engine)
    with pytest.raises(Exception, match="not a database"):
        door.open()
    door.close()


def test_the_database_is_used_by_one_thread_only(engine: Engine) -> None:
    async def play(door: Door) -> set[str]:
        names = [door.run(lambda _connection: threading.current_thread().name) for _ in range(50)]
        return set(await asyncio.gather(*names))

    assert run(engine, play) == {"door"}
