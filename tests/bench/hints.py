"""Moves while the solver is pressed: ``python -m tests.bench.hints``.

Eight clients play, a move each 50 ms, while fifty others ask for solutions at once, twice a second. Prints the moves'
99th percentile with and without them, and how those who ask were answered.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.bench.moves import free_port, post, scripts, serving

PLAYERS, ASKERS, SECONDS, PAUSE, BURST = 8, 50, 6.0, 0.05, 0.5


async def _play(port: int, seed: int, until: float, taken: list[float]) -> None:
    streams = await asyncio.open_connection("127.0.0.1", port)
    game, cookie = scripts(seed)[-1], "none=none"
    path = game.path
    for body in game.bodies:
        if time.perf_counter() > until:
            break
        before = time.perf_counter()
        answer = await post(streams, path, body, cookie)
        taken.append(time.perf_counter() - before)
        cookie, path = answer.cookie or cookie, answer.place or path
        await asyncio.sleep(PAUSE)
    streams[1].close()


async def _ask(port: int, number: int, until: float, met: Counter[int]) -> None:
    """Ask for the solution of one deal after the other, all fifty at the same moments."""
    while time.perf_counter() < until:
        await asyncio.sleep(BURST - time.perf_counter() % BURST)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        number += ASKERS
        writer.write(
            f"GET /api/v1/deals/endless/{number}/solution HTTP/1.1\r\nHost: bench\r\n"
            f"Cookie: pyramid_player={number % ASKERS:032}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
        writer.close()
        met[int(answer[9:12])] += 1


async def _round(port: int, askers: int) -> tuple[float, Counter[int]]:
    until = time.perf_counter() + SECONDS
    taken: list[float] = []
    met: Counter[int] = Counter()
    players = [_play(port, seed, until, taken) for seed in range(1, PLAYERS + 1)]
    await asyncio.gather(*players, *(_ask(port, number, until, met) for number in range(askers)))
    return statistics.quantiles(taken, n=100)[98] * 1000, met


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as folder,
        serving(["app", "serve", "--data", folder], free_port()) as server,
    ):
        alone, _ = asyncio.run(_round(server.port, 0))
        pressed, met = asyncio.run(_round(server.port, ASKERS))
    print(f"moves alone: p99 {alone:.1f} ms; with {ASKERS} who ask: p99 {pressed:.1f} ms; answers {json.dumps(met)}")


if __name__ == "__main__":
    main()
