"""The one door to the database: one thread, one connection, many use cases in one transaction."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Transaction
from sqlalchemy.exc import DBAPIError, OperationalError

from app.store.database.engine import reason, writes
from app.store.news import News, heard

log = logging.getLogger("pyramid")

T = TypeVar("T")
UseCase = Callable[[Connection], T]


class Unavailable(Exception):  # noqa: N818 - named as it is met: the store is unavailable.
    """The database cannot be used now (locked by another program, disk full); nothing was changed."""


@dataclass(frozen=True, slots=True)
class _Visit:
    """A use case at the door, and where its caller waits."""

    use_case: UseCase[Any]
    answer: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a visit ends with: a result, or the exception that it raised."""

    visit: _Visit
    result: object = None
    error: BaseException | None = None


class Door:
    """Runs use cases one after the other; whatever waits meanwhile shares one transaction and one sync to disk.

    All callers are on one event loop. A use case that raises changes nothing and disturbs no other: mostly it has
    not written anything yet; where it has, the transaction is rolled back and each of its use cases run again in
    one of its own. (A savepoint for each would cost every move more than it is worth to the rare one that needs it.)
    Nobody is answered before the commit.
    """

    def __init__(self, engine: Engine, on_commit: Callable[[float, News], None] | None = None) -> None:
        """A closed door; ``open`` starts its thread.

        ``on_commit`` hears of each committed transaction: seconds and news. What it raises is logged only.
        """
        self._engine = engine
        self._on_commit = on_commit
        self._waiting: queue.SimpleQueue[list[_Visit] | None] = queue.SimpleQueue()
        self._arriving: list[_Visit] = []
        self._answers = True
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Connect and begin to serve. Raises what the database raises when it cannot be opened."""
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, args=(ready,), name="door", daemon=True)
        self._thread.start()
        ready.result()

    def close(self) -> None:
        """Serve whatever waits, then let the thread end."""
        if self._thread is not None:
            self._hand_over()
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    async def run(self, use_case: UseCase[T]) -> T:
        """The result of a use case, once it is committed.

        Raises what the use case raises, or Unavailable where the database cannot be used.
        """
        if self._thread is None:
            raise Unavailable("the database is closed")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        if not self._arriving:
            # Whoever else arrives in this turn of the loop comes along: the thread is woken once for all.
            loop.call_soon(self._hand_over)
        self._arriving.append(_Visit(use_case, answer))
        return await answer

    def _hand_over(self) -> None:
        if self._arriving:
            self._waiting.put(self._arriving)
            self._arriving = []

    def _serve(self, ready: "Future[None]") -> None:
        try:
            connection = self._engine.connect()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits in open().
            ready.set_exception(error)
            return
        ready.set_result(None)
        with connection:
            while (batch := self._next_batch()) is not None:
                _answer(self._run_batch(connection, batch))

    def _next_batch(self) -> list[_Visit] | None:
        """What waits now, waiting for the first; None once the door closes."""
        first = self._waiting.get()
        return None if first is None else first + self._rest()

    def _rest(self) -> list[_Visit]:
        rest: list[_Visit] = []
        while not self._waiting.empty():
            visits = self._waiting.get()
            if visits is None:
                self._waiting.put(None)
                break
            rest += visits
        return rest

    def _commit(self, connection: Connection, batch: list[_Visit]) -> list[_Outcome]:
        if self._on_commit is None:
            return _in_one_transaction(connection, batch)
        began = perf_counter()
        with heard() as news:
            outcomes = _in_one_transaction(connection, batch)
        seconds = perf_counter() - began
        try:
            self._on_commit(seconds, news)
        except Exception:
            # What is committed stays so, and its callers hear of it.
            log.exception("a committed transaction was not counted")
        return outcomes

    def _run_batch(self, connection: Connection, batch: list[_Visit]) -> list[_Outcome]:
        try:
            outcomes = self._commit(connection, batch)
        except _Spoilt as spoilt:
            if len(batch) == 1:
                return [_Outcome(batch[0], error=spoilt.error)]
            return [outcome for visit in batch for outcome in self._run_batch(connection, [visit])]
        except Exception as error:  # noqa: BLE001 - whatever it is, every caller must get an answer.
            self._tell_once(error)
            # Nothing was committed. Those who came while the database was waited for would only wait as long again.
            return [_Outcome(visit, error=_unavailable(error)) for visit in (*batch, *self._rest())]
        self._answers = True
        return outcomes

    def _tell_once(self, error: Exception) -> None:
        """Log why the database does not answer, once until it does again."""
        if isinstance(error, DBAPIError) and self._answers:
            self._answers = False
            log.warning("the database does not answer: %s", reason(error))


class _Spoilt(Exception):  # noqa: N818 - named as it is met: the transaction is spoilt.
    """A use case raised when it had already changed something."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        super().__init__(str(error))


def _in_one_transaction(connection: Connection, batch: list[_Visit]) -> list[_Outcome]:
    with _begun(connection):
        return [_run_one(connection, visit) for visit in batch]


def _begun(connection: Connection) -> Transaction:
    """A new transaction; on a new connection where the old one broke while nobody needed it."""
    try:
        return connection.begin()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        return connection.begin()


def _run_one(connection: Connection, visit: _Visit) -> _Outcome:
    before = writes(connection)
    try:
        return _Outcome(visit, visit.use_case(connection))
    except OperationalError:
        # The database itself failed (locked, disk full): so will the others of the batch.
        raise
    except Exception as error:
        # PostgreSQL takes nothing more in a transaction in which a statement failed.
        if writes(connection) != before or isinstance(error, DBAPIError):
            raise _Spoilt(error) from error
        return _Outcome(visit, error=error)


def _unavailable(error: Exception) -> Exception:
    if isinstance(error, DBAPIError):
        unavailable = Unavailable(str(error.orig))
        unavailable.__cause__ = error
        return unavailable
    return error


def _answer(outcomes: list[_Outcome]) -> None:
    """Wake the callers, all in one call into their event loop."""
    loop = outcomes[0].visit.answer.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(_settle, outcomes)


def _settle(outcomes: list[_Outcome]) -> None:
    for outcome in outcomes:
        answer = outcome.visit.answer
        if answer.done():
            continue
        if outcome.error is not None:
            answer.set_exception(outcome.error)
        else:
            answer.set_result(outcome.result)
