"""Many who play at once, and every answer checked: ``python -m tests.bench.load``.

Each player has a connection and a cookie of his own and plays random games of all named rule sets through the htmx
form, one after the other. Each answer must show the very table that the rules core says: version, cards, pairs,
moves, foundation. At a human pace (``--pace``, seconds from move to move) it shows how long an answer takes with so
many at the tables, once they all sit there (``--warm``, seconds); with ``--pace 0`` everyone plays as fast as he is
answered. The servers' memory is told along the way. With ``--postgresql`` the servers, one
or more, share a PostgreSQL that is started for the run and syncs to disk. One server has a core of its own, the players
the other; several share both.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from app.rules.cards import card_text
from app.rules.deal import read_deal
from app.rules.game import Game, begin
from app.rules.moves import Discard, action_text
from app.rules.ruleset import NAMED
from app.rules.state import is_won, legal_moves, start
from tests.bench.moves import CLIENT_CORE, SERVER_CORE
from tests.postgres import Postgres
from tests.web.server import Server

_STEP = 20_000
"""Memory is told after each so many moves."""

_LIMIT = 120
"""After so many actions another game is begun, won or not."""


@dataclass
class Tally:
    """What was seen: seconds per answer, answers not yet held against the rules, and what was wrong with the others."""

    since: float = 0.0
    seconds: list[float] = field(default_factory=list)
    read_so_far: int = 0
    unread: list["Answer"] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Hold the answers against the rules."""
        self.wrong += [wrong for answer in self.unread if (wrong := answer.fault())]
        self.read_so_far += len(self.unread)
        self.unread.clear()


@dataclass(frozen=True)
class Answer:
    """An answer as it came, and the game that it must show."""

    path: str
    status: str
    body: bytes
    game: Game

    def fault(self) -> str | None:
        """What is wrong with it, or None."""
        html = self.body.decode()
        wrong = fault(html, self.game) if self.status == "200" else f"{self.status}: {html[:200]}"
        return wrong and f"{self.path}: {wrong}"


# ---- An answer, held against the rules ----


def fault(html: str, game: Game) -> str | None:
    """What a fragment shows that the rules do not say, or None."""
    state = game.state
    pairs = [action_text(move) for move in legal_moves(state) if isinstance(move, Discard)]
    piles = (card_text(pile[-1]) for pile in state.waste if pile)
    seen = [*(card_text(card) for card in (*state.pyramid, state.open_card) if card is not None), *piles]
    said = {
        r'data-version="([^"]*)"': [str(game.actions)],
        r'data-pairs="([^"]*)"': sorted(pairs),
        r'class="score"><span>\w+ <b>(\d+)</b>': [str(game.moves)],
        r'id="gone"[^>]*><b>(\d+)</b>': [str(state.foundation)],
        r'name="card" value="(..)"': sorted(seen),
    }
    for pattern, words in said.items():
        found = sorted(word for text in re.findall(pattern, html) for word in text.split())
        if found != words:
            return f"{pattern} shows {found} instead of {words}"
    return None


# ---- Playing ----


@dataclass
class Table:
    """A game under way: where its actions are posted, and how it stands by the rules."""

    path: str
    game: Game


class Player:
    """One who plays game after game."""

    def __init__(self, port: int, number: int, pace: float, tally: Tally) -> None:
        self._port, self._pace, self._tally = port, pace, tally
        self._random = random.Random(number)
        self._cookie = "none=none"

    async def play(self, until: float) -> None:
        """Play until a time."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.sleep(self._random.uniform(0, self._pace))
        table = self._fresh()
        while (began := time.perf_counter()) < until:
            actions = table.game.legal_actions()
            if not actions or is_won(table.game.state) or table.game.actions >= _LIMIT:
                table = self._fresh()
                continue
            action = self._random.choice(actions)
            fields = {"version": table.game.actions, "action": action_text(action)}
            table.game = table.game.act(action)
            await self._post(reader, writer, table, urlencode(fields).encode())
            if began >= self._tally.since:
                self._tally.seconds.append(time.perf_counter() - began)
            # Later than asked by what the answer took: as somebody does who waits for it.
            await asyncio.sleep(self._pace * self._random.uniform(0.5, 1.5))
        writer.close()

    def _fresh(self) -> Table:
        rules, seed = self._random.choice(list(NAMED.values())), str(self._random.randrange(10**9))
        return Table(f"/d/{rules.slug}/{seed}", begin(start(rules, read_deal(seed).deck)))

    async def _post(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, table: Table, body: bytes
    ) -> None:
        head = (
            f"POST {table.path} HTTP/1.1\r\nHost: bench\r\nHX-Request: true\r\nCookie: {self._cookie}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(re.findall(r"(content-length|set-cookie|hx-replace-url): ([^;\r]+)", answer))
        body = await reader.readexactly(int(fields["content-length"]))
        self._cookie, table.path = fields.get("set-cookie", self._cookie), fields.get("hx-replace-url", table.path)
        self._tally.unread.append(Answer(table.path, answer[9:12], body, table.game))
        # At a human pace all are read in the end: whoever waits for his answer would wait for that as well.
        if not self._pace:
            self._tally.read()


@dataclass
class Watch:
    """What servers had used when the measuring began, and the memory of the first one, in MB, along the way."""

    before: list[tuple[float, float]] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


async def _all(servers: list[Server], asked: argparse.Namespace) -> tuple[list[Tally], Watch]:
    since = time.perf_counter() + asked.warm
    until = since + asked.seconds
    tallies, watch = [Tally(since) for _ in servers], Watch()
    each = [
        Player(servers[number % len(servers)].port, number, asked.pace, tallies[number % len(servers)]).play(until)
        for number in range(asked.players)
    ]
    await asyncio.gather(*each, _watch(servers, tallies, watch, since, until))
    return tallies, watch


async def _watch(servers: list[Server], tallies: list[Tally], watch: Watch, since: float, until: float) -> None:
    await asyncio.sleep(since - time.perf_counter())
    watch.before = [_used(server) for server in servers]
    while time.perf_counter() < until:
        if len(tallies[0].seconds) >= len(watch.memory) * _STEP:
            watch.memory.append(_used(servers[0])[1])
        await asyncio.sleep(0.1)


# ---- The table ----


@contextlib.contextmanager
def _servers(count: int, *, postgresql: bool) -> Iterator[list[Server]]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        settings = {}
        if postgresql:
            settings["PYRAMID_DATABASE"] = stack.enter_context(Postgres(sync=True)).create("load")
        yield [stack.enter_context(Server(folder / str(number), loaded=False, **settings)) for number in range(count)]


def _used(server: Server) -> tuple[float, float]:
    """The processor seconds that a server has used, and its memory in MB."""
    place = Path(f"/proc/{server.pid}")
    ticks = place.joinpath("stat").read_text().rpartition(")")[2].split()[11:13]
    (pages,) = re.findall(r"VmRSS:\s+(\d+)", place.joinpath("status").read_text())
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), int(pages) / 1024


def main() -> None:
    """Play, and print the table; the exit status is 1 where an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds from move to move; 0: at once")
    parser.add_argument("--warm", type=float, default=10.0, help="seconds before anything is measured")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    asked = parser.parse_args()
    with _servers(asked.servers, postgresql=asked.postgresql) as servers:
        if asked.servers == 1:
            os.sched_setaffinity(servers[0].pid, {SERVER_CORE})
            os.sched_setaffinity(0, {CLIENT_CORE})
        tallies, watch = asyncio.run(_all(servers, asked))
        after = [_used(server) for server in servers]
    for tally in tallies:
        tally.read()
    kind = "PostgreSQL" if asked.postgresql else "SQLite"
    print(f"| {asked.players:,} players, {asked.pace:g} s a move, {kind} | moves/s | p50 | p99 | worst | µs | MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for number, (tally, old, new) in enumerate(zip(tallies, watch.before, after, strict=True), 1):
        moves, cuts = len(tally.seconds), statistics.quantiles(tally.seconds, n=100)
        times = " | ".join(f"{1000 * cut:.0f} ms" for cut in (cuts[49], cuts[98], max(tally.seconds)))
        used = (new[0] - old[0]) / moves * 1e6
        print(
            f"| server {number} | {moves / asked.seconds:,.0f} | {times} | {used:.0f} | {old[1]:.0f} → {new[1]:.0f} |"
        )
    print(f"MB after each {_STEP:,} moves: {' '.join(f'{size:.0f}' for size in watch.memory)}")
    wrong = [fault for tally in tallies for fault in tally.wrong]
    print(f"\n{sum(tally.read_so_far for tally in tallies):,} answers checked, {len(wrong)} wrong.")
    sys.exit("\n".join(wrong[:5]) if wrong else 0)


if __name__ == "__main__":
    main()
