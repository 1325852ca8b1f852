"""How long it takes to look back on a game: ``python -m tests.bench.lookback``.

Two hundred finished games of four rule sets, half of them played at random with some undos, half along the solver's
line with every tenth move at random, are looked back on one after the other while eight clients play, a move each
50 ms. Prints how long the look backs took, and the moves' 99th percentile with and without them.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx2

from app.rules.deal import read_deal
from app.rules.game import Game, begin
from app.rules.moves import UNDO, action_text
from app.rules.ruleset import read_rules
from app.rules.state import is_won, legal_moves, start
from app.solver.solve import Won, solve
from tests.bench.moves import free_port, post, scripts, serving
from tests.strategies import chosen

RULES = ("endless", "open", "classic", "king-tut")
GAMES, LONGEST, IDLE = 200, 150, 30
PLAYERS, PAUSE, ALONE = 8, 0.05, 6.0
UNDONE, ASTRAY = 0.08, 0.1


@dataclass(frozen=True)
class Finished:
    """A game that has been played on the server."""

    rules: str
    kind: str
    path: str
    actions: int


def random_game(rules: str, seed: str) -> list[str]:
    """Random play until nothing is left to do, or nothing has gone for a while."""
    random, game, actions, idle = Random(seed), _opening(rules, seed), list[str](), 0
    while len(actions) < LONGEST and idle < IDLE and legal_moves(game.state):
        undo = game.at > 2 and random.random() < UNDONE
        action = UNDO if undo else chosen(random, legal_moves(game.state))
        before, game = game.state.foundation, game.act(action)
        idle = 0 if game.state.foundation > before else idle + 1
        actions.append(action_text(action))
    return actions


def guided_game(rules: str, seed: str) -> list[str]:
    """Play along the solver's line, with some moves at random; on from a lost position at random."""
    random, game, actions = Random(seed), _opening(rules, seed), list[str]()
    line: list[object] = []
    while len(actions) < LONGEST and legal_moves(game.state) and not is_won(game.state):
        if not line:
            answer = solve(game.state, fewest=False, nodes=200_000)
            line = list(answer.line) if isinstance(answer, Won) else [None]
        astray = line[0] is None or random.random() < ASTRAY
        move = chosen(random, legal_moves(game.state)) if astray else line[0]
        line = line[1:] if line[0] == move else line if line[0] is None else []
        game = game.act(move)
        actions.append(action_text(move))
    return actions


def _opening(rules: str, seed: str) -> Game:
    return begin(start(read_rules(rules), read_deal(seed).deck))


def _prepare(client: httpx2.Client) -> list[Finished]:
    """Play the games."""
    finished = []
    for number in range(GAMES):
        rules, play = RULES[number % len(RULES)], (random_game, guided_game)[number // len(RULES) % 2]
        seed = f"look-{number}"
        game = client.post("/api/v1/games", json={"rules": rules, "seed": seed}).json()
        path = f"/api/v1/games/{game['id']}"
        actions = play(rules, seed)
        for version, action in enumerate(actions):
            client.post(f"{path}/actions", json={"version": version, "action": action}).raise_for_status()
        client.post(f"{path}/leave").raise_for_status()
        finished.append(Finished(rules, play.__name__, path, len(actions)))
    return finished


async def _play(port: int, seed: int, stop: asyncio.Event, taken: list[float]) -> None:
    streams = await asyncio.open_connection("127.0.0.1", port)
    game, cookie = scripts(seed)[-1], "none=none"
    while not stop.is_set():
        path = game.path
        for body in game.bodies:
            if stop.is_set():
                break
            before = time.perf_counter()
            answer = await post(streams, path, body, cookie)
            taken.append(time.perf_counter() - before)
            cookie, path = answer.cookie or cookie, answer.place or path
            await asyncio.sleep(PAUSE)
    streams[1].close()


async def _look(client: httpx2.Client, games: list[Finished], found: list[float], unknown: Counter[str]) -> None:
    for game in games:
        before = time.perf_counter()
        while not (answer := (await asyncio.to_thread(client.get, f"{game.path}/lookback")).json()).get("done"):
            if "positions" not in answer:
                raise SystemExit(json.dumps(answer))
        found.append(time.perf_counter() - before)
        for one in answer["positions"]:
            unknown["positions"] += 1
            unknown["unknown"] += one["verdict"] == "unknown"
            unknown["winnable, fewest not known"] += one["verdict"] == "winnable" and one["moves"] is None


async def _moves(port: int, meanwhile: object) -> float:
    """The 99th percentile of moves, in milliseconds, while something else goes on."""
    stop, taken = asyncio.Event(), list[float]()
    players = [asyncio.create_task(_play(port, seed, stop, taken)) for seed in range(1, PLAYERS + 1)]
    await meanwhile
    stop.set()
    await asyncio.gather(*players)
    return statistics.quantiles(taken, n=100)[98] * 1000


def _told(name: str, seconds: list[float]) -> str:
    ranked = sorted(seconds)
    p95 = ranked[int(0.95 * len(ranked))]
    median = statistics.median(ranked) * 1000
    return f"{name}: {len(ranked)} games, median {median:.0f} ms, p95 {p95 * 1000:.0f} ms, worst {ranked[-1]:.2f} s"


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    found, unknown = list[float](), Counter[str]()
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as folder,
        serving(["app", "serve", "--data", folder], free_port()) as server,
        httpx2.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client,
    ):
        games = _prepare(client)
        alone = asyncio.run(_moves(server.port, asyncio.sleep(ALONE)))
        pressed = asyncio.run(_moves(server.port, _look(client, games, found, unknown)))
    by_kind: dict[str, list[float]] = {}
    for game, seconds in zip(games, found, strict=True):
        by_kind.setdefault(f"{game.rules}, {game.kind}", []).append(seconds)
    for name, each in sorted(by_kind.items()):
        print(_told(name, each))
    print(_told("all", found))
    print(f"within 2 s: {sum(seconds <= 2 for seconds in found) / len(found):.1%}; {dict(unknown)}")
    print(f"actions a game: {statistics.median(game.actions for game in games):.0f}")
    print(f"moves alone: p99 {alone:.1f} ms; while looking back: p99 {pressed:.1f} ms")


if __name__ == "__main__":
    main()
