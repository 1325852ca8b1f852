"""The move endpoint against a bare Starlette route, in one run: ``python -m tests.bench.moves``.

32 clients (``--clients``) on one core play whole random games through the htmx form, against a server on another
core; every answer's status is checked. The bare route reads the same posts and answers ``ok``. The three servers (bare,
synchronous=FULL, NORMAL) are measured in turn, several rounds of some seconds each, so that a noisy minute hits all
alike: the ratios of medians hold, the absolute figures do not. Processor time per answer is the steadier measure.
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

ACTIONS_A_GAME = 150
SERVER_CORE, CLIENT_CORE = 0, 1
BARE = "bare route"


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


@dataclass(frozen=True)
class Server:
    """A server under load."""

    port: int
    pid: int

    def processor_seconds(self) -> float:
        """The processor time that it has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


@dataclass(frozen=True)
class Answer:
    """The answer to a post: its status, the cookie it sets and the address it gives the page, where it does."""

    status: int
    cookie: str = ""
    place: str = ""


async def post(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: str, body: bytes, cookie: str
) -> Answer:
    """Post a form as htmx does."""
    reader, writer = streams
    head = (
        f"POST {path} HTTP/1.1\r\nHost: bench\r\nHX-Request: true\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    fields = dict(re.findall(r"(content-length|set-cookie|hx-replace-url): ([^;\r]+)", answer))
    await reader.readexactly(int(fields["content-length"]))
    return Answer(int(answer[9:12]), fields.get("set-cookie", ""), fields.get("hx-replace-url", ""))


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
            answer = await post(streams, path, body, cookie)
            tally.seconds.append(time.perf_counter() - before)
            tally.refused += answer.status != 200
            cookie, path = answer.cookie or cookie, answer.place or path
    streams[1].close()


async def _round(port: int, games: Iterator[Script], asked: argparse.Namespace) -> Tally:
    tally, until = Tally(), time.perf_counter() + asked.seconds
    await asyncio.gather(*(_play(port, games, until, tally) for _ in range(asked.clients)))
    return tally


@contextlib.contextmanager
def serving(command: list[str], port: int) -> Iterator["Server"]:
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
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _endless(pool: list[Script]) -> Iterator[Script]:
    while True:
        yield from pool


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    asked = parser.parse_args()
    games = _endless(scripts(200))
    seen: dict[str, list[Seen]] = {}
    with _servers() as servers:
        os.sched_setaffinity(0, {CLIENT_CORE})
        for _ in range(asked.rounds):
            for name, server in servers.items():
                seen.setdefault(name, []).append(_measure(server, games, asked))
    _print_table(seen, asked)


@dataclass(frozen=True)
class Seen:
    """What a round showed: answers a second, processor microseconds an answer, 99th percentile in milliseconds."""

    rate: float
    processor: float
    p99: float


def _measure(server: Server, games: Iterator[Script], asked: argparse.Namespace) -> Seen:
    before = server.processor_seconds()
    tally = asyncio.run(_round(server.port, games, asked))
    if tally.refused:
        sys.exit(f"{tally.refused} answers were not 200")
    answers = len(tally.seconds)
    used = server.processor_seconds() - before
    return Seen(answers / asked.seconds, used / answers * 1e6, statistics.quantiles(tally.seconds, n=100)[98] * 1000)


@contextlib.contextmanager
def _servers() -> Iterator[dict[str, Server]]:
    with contextlib.ExitStack() as stack:
        bare_command = ["uvicorn", "tests.bench.moves:bare", "--no-access-log"]
        servers = {BARE: stack.enter_context(serving(bare_command, free_port()))}
        for synchronous in ("FULL", "NORMAL"):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd()))
            os.environ["PYRAMID_SYNCHRONOUS"] = synchronous
            command = ["app", "serve", "--data", folder]
            servers[f"move, {synchronous}"] = stack.enter_context(serving(command, free_port()))
        yield servers


def _print_table(seen: dict[str, list[Seen]], asked: argparse.Namespace) -> None:
    medians = {
        name: Seen(*(statistics.median(getattr(one, what) for one in series) for what in ("rate", "processor", "p99")))
        for name, series in seen.items()
    }
    bare_rate, bare_processor = medians[BARE].rate, medians[BARE].processor
    what = f"{asked.clients} clients, medians of {asked.rounds} rounds"
    print(f"| {what} | answers/s | of bare | µs processor | of bare | p99 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, one in medians.items():
        shares = f"{one.rate / bare_rate:.0%} | {one.processor:.0f} | {bare_processor / one.processor:.0%}"
        print(f"| {name} | {one.rate:,.0f} | {shares} | {one.p99:.0f} ms |")


if __name__ == "__main__":
    main()
