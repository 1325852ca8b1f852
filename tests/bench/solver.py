"""How fast the solver is, as Markdown tables: ``python -m tests.bench.solver``.

Whole deals only, one thread. The time of a search is that inside ``run()``; packing a position and making the search
come before it and have lines of their own. Fewest moves of open-500 come first, so that the peak of memory is theirs.
On a machine that has other work, ``--processor-time`` tells more than the clock on the wall.
"""

import argparse
import asyncio
import os
import platform
import resource
import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Protocol

from app.rules.deal import Seed, read_deck, shuffled
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import State, start
from app.solver.packing import pack
from app.solver.solve import BACKEND, Search, Solving
from app.solver.solve import _search as make_search
from tests.playthroughs import golden_lines

NODES = 3_000_000
HARD = start(read_rules("d3r9"), shuffled(Seed("10")))
"""A deal whose fewest moves take some seconds."""


class Clock(Protocol):
    """Seconds since some moment."""

    def __call__(self) -> float: ...


class Measured(NamedTuple):
    """What a search took: milliseconds, nodes, and what came of it."""

    ms: float
    nodes: int
    status: str


def measured(state: State, clock: Clock, *, quick: bool) -> Measured:
    search: Search = make_search(pack(state), NODES, quick=quick)
    before = clock()
    status = search.run()
    return Measured((clock() - before) * 1_000, search.nodes, status)


def percentile(values: list[float], share: float) -> float:
    """The value that ``share`` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(*cells: str | float) -> None:
    texts = (cell if isinstance(cell, str) else f"{cell:,.3f}" if cell < 1 else f"{cell:,.1f}" for cell in cells)
    print("|", " | ".join(texts), "|", flush=True)


def head(*names: str) -> None:
    print()
    row(*names)
    row(*("---" for _ in names))


def searches_row(name: str, states: list[State], clock: Clock, *, quick: bool) -> None:
    results = [measured(state, clock, quick=quick) for state in states]
    ms = [result.ms for result in results]
    count = {status: sum(result.status == status for result in results) for status in ("won", "lost", "unknown")}
    row(
        name,
        f"{len(states):,}",
        *(f"{count[status]:,}" for status in ("won", "lost", "unknown")),
        *(statistics.mean(ms), statistics.median(ms), percentile(ms, 0.99), max(ms)),
        f"{max(result.nodes for result in results):,}",
    )


def numbered(slug: str, deals: int) -> list[State]:
    return [start(NAMED[slug], shuffled(Seed(str(number)))) for number in range(1, deals + 1)]


def machine() -> None:
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    names = {line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")}
    command = " ".join(["python -m tests.bench.solver", *sys.argv[1:]])
    print(f"`{command}`, search: {BACKEND}")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(
        f"{', '.join(names) or platform.processor()}, {os.cpu_count()} cores (load {load:.1f} at the start), ", end=""
    )
    print(f"{platform.system()} {platform.release()}, {platform.python_implementation()} {platform.python_version()}")


def memory_mb() -> float:
    """The most memory that the process has held so far, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def fewest(deals: int, clock: Clock) -> None:
    before = memory_mb()
    head("fewest moves, ms", "deals", "won", "lost", "unknown", "mean", "median", "p99", "slowest", "most nodes")
    searches_row(
        "open-500",
        [start(NAMED["open"], read_deck(deck)) for deck in golden_lines("solver/open-500.decks")],
        clock,
        quick=False,
    )
    after = memory_mb()
    for slug in NAMED:
        searches_row(f"`{slug}`", numbered(slug, deals), clock, quick=False)
    print(f"\nPeak memory of the process over open-500: {after:.0f} MB, {after - before:.0f} MB of it by searching.")


def verdicts(deals: int, clock: Clock) -> None:
    head("verdict only, ms", "deals", "won", "lost", "unknown", "mean", "median", "p99", "slowest", "most nodes")
    for slug in NAMED:
        searches_row(f"`{slug}`", numbered(slug, deals), clock, quick=True)


def before_the_search(deals: int) -> None:
    states = numbered("open", deals)
    packing, making = list[float](), list[float]()
    for state in states:
        begun = time.perf_counter()
        packed = pack(state)
        packing.append((time.perf_counter() - begun) * 1_000)
        begun = time.perf_counter()
        make_search(packed, NODES, quick=True)
        making.append((time.perf_counter() - begun) * 1_000)
    head("before the search, ms", "median", "p99")
    row("packing a position", statistics.median(packing), percentile(packing, 0.99))
    row("making a search", statistics.median(making), percentile(making, 0.99))


def cancelled() -> float:
    """How long a search goes on after it was cancelled, in milliseconds."""
    search = Solving(HARD)
    thread = threading.Thread(target=search.run)
    thread.start()
    time.sleep(0.3)
    if not thread.is_alive():
        raise RuntimeError("the search ended before it could be cancelled")
    begun = time.perf_counter()
    search.cancel()
    thread.join()
    return (time.perf_counter() - begun) * 1_000


async def lags(seconds: float) -> list[float]:
    """By how many milliseconds an event loop that wants to wake each millisecond is late."""
    late = list[float]()
    until = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < until:
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - begun) * 1_000 - 1)
    return late


async def lags_beside(search: Solving, seconds: float) -> list[float]:
    with ThreadPoolExecutor(1) as pool:
        running = asyncio.get_running_loop().run_in_executor(pool, search.run)
        late = await lags(seconds)
        search.cancel()
        await running
    return late


def beside_others() -> None:
    times = [cancelled() for _ in range(10)]
    head("a search beside others, ms", "median", "p99", "worst")
    row("from cancel to end", statistics.median(times), percentile(times, 0.99), max(times))
    idle = asyncio.run(lags(2))
    row("lag of an idle event loop", statistics.median(idle), percentile(idle, 0.99), max(idle))
    busy = asyncio.run(lags_beside(Solving(HARD), 2))
    row("the same while a thread solves", statistics.median(busy), percentile(busy, 0.99), max(busy))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.solver", description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000, help="numbered deals for each verdict")
    parser.add_argument("--fewest-deals", type=int, default=200, help="numbered deals for fewest moves")
    parser.add_argument("--processor-time", action="store_true", help="measure searches by the processor's time")
    arguments = parser.parse_args()
    clock = time.thread_time if arguments.processor_time else time.perf_counter
    machine()
    fewest(arguments.fewest_deals, clock)
    verdicts(arguments.deals, clock)
    before_the_search(min(arguments.deals, 200))
    beside_others()


if __name__ == "__main__":
    main()
