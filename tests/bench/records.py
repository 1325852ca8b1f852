"""Statistics and history of a player with 100,000 games: ``python -m tests.bench.records``.

Builds a database in which they lie among 20,000 games of others, asks a server on another core for both pages again
and again, then reads the same in this process to see how long the longest visit of the database's door is. On a busy
machine the processor time is the steadier measure.
"""

import argparse
import asyncio
import http.client
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from app.main import milliseconds
from app.play.archive.records import Cursor, Records
from app.play.players import Players, token_hash
from app.rules.ruleset import read_rules
from app.store.database.door import Door
from app.store.database.engine import FILE_NAME, open_engine
from app.store.database.schema import migrate
from tests.bench.moves import CLIENT_CORE, free_port, serving

TOKEN = "t" * 43
RULES = ("classic", "endless", "tuts-tomb", "d1r2o")
RARE = "king-tut"
OTHERS, DAY = 200, 86_400_000
COLUMNS = (
    "id player rules deal actions version moves outcome begun_at touched_at won_at left_at won_in hints fewest source"
)


def build(folder: Path, count: int) -> None:
    """A database with so many games of the player with TOKEN, one for every fifth of his from others in between."""
    engine = open_engine(folder)
    migrate(engine)
    engine.dispose()
    names = COLUMNS.split()
    connection = sqlite3.connect(folder / FILE_NAME)
    with connection:
        people = [(number, 0) for number in range(1, OTHERS + 2)]
        connection.executemany("INSERT INTO players (id, created_at) VALUES (?, ?)", people)
        tokens = [(token_hash(TOKEN if number == 1 else str(number)), number, 0) for number, _ in people]
        connection.executemany("INSERT INTO tokens (hash, player, created_at) VALUES (?, ?, ?)", tokens)
        places = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO games ({', '.join(names)}) VALUES ({places})", _games(count))  # noqa: S608 - our own words.
    connection.close()


def _games(count: int) -> Iterator[tuple[object, ...]]:
    choice = random.Random(13)
    begun_at = milliseconds() - 3_000 * DAY
    for number in range(count):
        begun_at += choice.randrange(1_000, 2 * 3_000 * DAY // count)
        # A rule set that is hardly ever played: its page of the history lies far apart.
        yield _game(choice, 1, begun_at, RARE if number % 2_500 == 0 else choice.choice(RULES))
        if number % 5 == 0:
            yield _game(choice, choice.randint(2, OTHERS + 1), begun_at, choice.choice(RULES))


def _game(choice: random.Random, player: int, begun_at: int, rules: str) -> tuple[object, ...]:
    moves, took = choice.randint(20, 90), choice.randint(40_000, 900_000)
    end = choice.choice(("won", "stuck", "left"))
    ended = begun_at + took
    won, left = (ended if end == kind else None for kind in ("won", "left"))
    # What is not known yet of a win would be looked for beside the pages, and measured with them.
    fewest = min(moves, choice.randint(18, 40)) if won else None
    deal, actions = str(choice.randrange(10**10)), " ".join(["draw"] * moves)
    about = (actions, moves, moves, "won" if won else "playing", begun_at, ended, won, left)
    hints, source = choice.choice((0, 0, 0, 1, 4)), choice.choice(("played",) * 9 + ("onward",))
    return (f"{choice.getrandbits(96):024x}", player, rules, deal, *about, took if won else None, hints, fewest, source)


def _times(ask: Callable[[], None], rounds: int) -> str:
    taken = []
    for _ in range(rounds):
        before = time.perf_counter()
        ask()
        taken.append((time.perf_counter() - before) * 1000)
    return f"median {statistics.median(taken):.0f} ms, p99 {statistics.quantiles(taken, n=100)[98]:.0f} ms"


def _ask(connection: http.client.HTTPConnection, path: str) -> None:
    connection.request("GET", path, headers={"Cookie": f"pyramid_player={TOKEN}", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}")


def _pages(middle: str) -> dict[str, str]:
    return {
        "/me": "statistics",
        "/me/games": "history, newest page",
        f"/me/games?before={middle}": "history, in the middle",
        f"/me/games?after={middle}": "history, in the middle, the other way",
        f"/me/games?rules={RARE}": "history of a rare rule set",
        f"/me/games?rules={RARE}&before={middle}": "history of a rare rule set, in the middle",
        "/api/v1/me/records": "statistics as JSON",
    }


def _serve(folder: Path, middle: str, rounds: int) -> None:
    with serving(["app", "serve", "--data", str(folder)], free_port()) as server:
        os.sched_setaffinity(0, {CLIENT_CORE})
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        _ask(connection, "/me")
        for path, name in _pages(middle).items():
            before = server.processor_seconds()
            times = _times(partial(_ask, connection, path), rounds)
            used = (server.processor_seconds() - before) / rounds * 1000
            print(f"| {name} | {times}, processor {used:.0f} ms |")


async def _longest_visits(folder: Path, middle: Cursor, rounds: int) -> None:
    """Print how long the database's thread was held at most, by statistics and by history."""
    door = Door(open_engine(folder))
    door.open()
    visits: list[float] = []
    used: list[float] = []

    def timed(use_case: Callable[[Any], Any], connection: object) -> object:
        before, processor = time.perf_counter(), time.thread_time()
        result = use_case(connection)
        visits.append((time.perf_counter() - before) * 1000)
        used.append((time.thread_time() - processor) * 1000)
        return result

    def run(use_case: Callable[[Any], Any]) -> Awaitable[Any]:
        return door.run(partial(timed, use_case))

    records = Records(run, Players(milliseconds), milliseconds)
    asked: dict[str, Callable[[], Awaitable[Any]]] = {
        "statistics": lambda: records.statistics(TOKEN),
        "history": lambda: run(partial(records.history, token=TOKEN, before=middle)),
        "history of a rare rule set": lambda: run(partial(records.history, token=TOKEN, rules=read_rules(RARE))),
    }
    for name, ask in asked.items():
        visits.clear()
        used.clear()
        for _ in range(rounds):
            await ask()
        each, p99 = len(visits) // rounds, statistics.quantiles(visits, n=100)[98]
        longest = f"the longest {max(visits):.1f} ms, processor {max(used):.1f} ms"
        print(f"| visits for {name}: {each} | p99 {p99:.1f} ms, {longest} |")
    door.close()


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, asked.games)
        middle = Cursor(milliseconds() - 1_500 * DAY, "0")
        print(f"| {asked.games:,} games of one player, {asked.rounds} rounds | |")
        print("| --- | --- |")
        _serve(folder, middle.text, asked.rounds)
        asyncio.run(_longest_visits(folder, middle, asked.rounds))


if __name__ == "__main__":
    main()
