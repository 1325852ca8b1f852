"""The move endpoint against a bare Starlette route, in one run: ``python -m tests.bench.moves``.

32 clients on one core play whole random games through the htmx form, against a server on another core; every
answer's status is checked, and at the end every game's version. The bare route answers ``ok`` to the same posts. The
three servers (bare, synchronous=FULL, NORMAL) are measured in turn, several rounds of some seconds each, so that a
noisy minute hits all alike: the ratios of medians hold, the absolute figures do not.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from app.rules.deal import read_deal
from app.rules.game import begin
from app.rules.moves import action_text
from app.rules.ruleset import DEFAULT
from app.rules.state import start

CLIENTS = 32
ACTIONS_A_GAME = 150
SERVER_CORE, CLIENT_CORE = 0, 1


async def _ok(request: Request) -> PlainTextResponse:
    await request.body()
    return PlainTextResponse("ok")


bare = Starlette(routes=[Route("/{rest:path}", _ok, methods=["POST"])])


@dataclass
class Tally:
    """What a round saw: seconds per answer, and how many answers were not 200."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0


@dataclass(frozen=True)
class Script:
    """A whole random game as the bodies of its posts, the first of which begins it."""

    path: str
    bodies: tuple[bytes, ...]


def scripts(count: int) -> list[Script]:
    """Random games of the default rule set; the seeds are 1 to ``count``."""
    return [_script(str(number)) for number in range(1, count + 1)]


def _script(seed: str) -> Script:
    choice = random.Random(seed)
    game = begin(start(DEFAULT, read_deal(seed).deck))
    bodies = []
    for version in range(ACTIONS_A_GAME):
        actions = game.legal_actions()
        action = choice.choice(actions)
        bodies.append(urlencode({"version": version, "action": action_text(action)}).encode())
        game = game.act(action)
    return Script(f"/d/{DEFAULT.slug}/{seed}", tuple(bodies))


async def _post(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: str, body: bytes, cookie: str
) -> tuple[int, str]:
    """The status and the head of the answer to a post."""
    reader, writer = streams
    head = (
        f"POST {path} HTTP/1.1\r\nHost: bench\r\nHX-Request: true\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    await reader.readexactly(int(re.search(r"content-length: (\d+)", answer)[1]))  # type: ignore[index]
    return int(answer[9:12]), answer


async def _play(port: int, games: Iterator[Script], until: float, tally: Tally) -> None:
    streams = await asyncio.open_connection("127.0.0.1", port)
    cookie = "none=none"
    while time.perf_counter() < until:
        script = next(games)
        path = script.path
        for body in script.bodies:
            before = time.perf_counter()
            if before >= until:
                break
            status, head = await _post(streams, path, body, cookie)
            tally.seconds.append(time.perf_counter() - before)
            tally.refused += status != 200
            if found := re.search(r"set-cookie: ([^;]+)", head):
                cookie = found[1]
            if found := re.search(r"hx-replace-url: (\S+)", head):
                path = found[1]
    streams[1].close()


async def _round(port: int, games: Iterator[Script], seconds: float) -> Tally:
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(_play(port, games, until, tally) for _ in range(CLIENTS)))
    return tally


@contextlib.contextmanager
def _server(command: list[str], port: int) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "--port", str(port)],
        preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),  # noqa: PLW1509 - no thread is running yet.
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _endless(pool: list[Script]) -> Iterator[Script]:
    while True:
        yield from pool


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    asked = parser.parse_args()
    games = _endless(scripts(200))
    rates: dict[str, list[float]] = {}
    p99: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        ports = {
            "bare route": stack.enter_context(
                _server(["uvicorn", "tests.bench.moves:bare", "--no-access-log"], _free_port())
            )
        }
        for synchronous in ("FULL", "NORMAL"):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd()))
            os.environ["PYRAMID_SYNCHRONOUS"] = synchronous
            ports[f"move, {synchronous}"] = stack.enter_context(
                _server(["app", "serve", "--data", folder], _free_port())
            )
        os.sched_setaffinity(0, {CLIENT_CORE})
        for _ in range(asked.rounds):
            for name, port in ports.items():
                tally = asyncio.run(_round(port, games, asked.seconds))
                if tally.refused:
                    sys.exit(f"{name}: {tally.refused} answers were not 200")
                rates.setdefault(name, []).append(len(tally.seconds) / asked.seconds)
                p99.setdefault(name, []).append(statistics.quantiles(tally.seconds, n=100)[98])
    bare_rate = statistics.median(rates["bare route"])
    print(
        f"| {CLIENTS} clients, medians of {asked.rounds} rounds | answers a second | share of bare | p99 |\n| --- | --- | --- | --- |"
    )
    for name, series in rates.items():
        rate = statistics.median(series)
        print(f"| {name} | {rate:,.0f} | {rate / bare_rate:.0%} | {statistics.median(p99[name]) * 1000:.0f} ms |")


if __name__ == "__main__":
    main()
