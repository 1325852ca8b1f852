"""Many moves on a real server: what each costs, and that nothing grows with them."""

import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from fastapi import FastAPI
from sqlalchemy import Connection
from starlette.testclient import TestClient

from app.rules.deal import read_deal
from app.rules.game import Game, begin, play
from app.rules.moves import action_text, read_action
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import outcome, start
from app.store.database.engine import FILE_NAME
from tests import databases
from tests.web.api import SEED, Api, opening
from tests.web.browser import HTMX, post_form
from tests.web.server import Server

UNLIMITED = {"PYRAMID_PLAYER_RATE": "0", "PYRAMID_NETWORK_RATE": "0"}
GAMES, MOVES = 64, 50 if databases.POSTGRESQL else 200
"""PostgreSQL lets its servers take turns, move by move, which takes longer."""
ASKED = 50
LOG_MOST = 10_000_000
"""How many bytes SQLite's log may have."""

GROWN_MOST = 30_000_000
"""How many bytes of memory some thousands of moves may take for what is kept of games; caches have their bounds."""


@dataclass(frozen=True, slots=True)
class Script:
    """A random game, planned ahead so that playing it costs a test next to nothing."""

    rules: str
    seed: str
    actions: tuple[str, ...]


def scripts() -> list[Script]:
    """A game of as many actions for each player, undone and redone in between, of all named rule sets."""
    names = list(NAMED)
    return [_script(names[number % len(names)], str(number)) for number in range(GAMES)]


def _script(rules: str, seed: str) -> Script:
    random, game, actions = Random(seed), opening(rules, seed), list[str]()
    while len(actions) < MOVES:
        legal = game.legal_actions()
        action = random.choice(legal)
        game = game.act(action)
        actions.append(action_text(action))
    return Script(rules, seed, tuple(actions))


class Wire:
    """A kept connection to the API that costs its client little: with 64 of them the server is what is busy."""

    def __init__(self, server: Server) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self._cookie = ""

    def close(self) -> None:
        self._socket.close()

    def post(self, path: str, body: object) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        sent = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{self._cookie}"
        self._socket.sendall(f"{head}Content-Length: {len(sent)}\r\n\r\n".encode() + sent)
        raw = self._socket.recv(65_536)
        while (end := raw.find(b"\r\n\r\n")) < 0:
            raw += self._more()
        head_of_it = raw[:end].decode("latin-1").lower()
        (length,) = re.findall(r"content-length: (\d+)", head_of_it)
        while len(raw) < end + 4 + int(length):
            raw += self._more()
        if found := re.search(rb"(?i)set-cookie: ([^;]+)", raw[:end]):
            self._cookie = f"Cookie: {found[1].decode()}\r\n"
        return int(raw[9:12]), raw[end + 4 :]

    def _more(self) -> bytes:
        more = self._socket.recv(65_536)
        assert more, "the server hung up"
        return more


def play_script(wire: Wire, script: Script) -> tuple[str, set[int]]:
    """Plays it; the game's id, and the statuses that were met."""
    status, body = wire.post("/api/v1/games", {"rules": script.rules, "seed": script.seed})
    game_id, statuses = json.loads(body)["id"], {status}
    path = f"/api/v1/games/{game_id}/actions"
    for version, action in enumerate(script.actions):
        status, body = wire.post(path, {"version": version, "action": action})
        statuses.add(status)
    return game_id, statuses


def files_of(server: Server) -> int:
    """How many files and connections a server has open."""
    return len(list(Path(f"/proc/{server.pid}/fd").iterdir()))


def log_of(server: Server) -> int:
    """How many bytes SQLite's log has; none on PostgreSQL."""
    log = server.data / f"{FILE_NAME}-wal"
    return log.stat().st_size if log.exists() else 0


def folded(rules: str, deal: str, actions: str) -> Game:
    """The game that a row of the database is."""
    return play(begin(start(read_rules(rules), read_deal(deal).deck)), map(read_action, actions.split()))


def test_of_sixty_four_games_played_at_once_every_move_is_taken_and_nothing_grows_with_them(tmp_path: Path) -> None:
    planned = scripts()
    with Server(tmp_path / "data", **UNLIMITED) as server:
        before = files_of(server)
        wires = [Wire(server) for _ in planned]
        # The first round fills what fills itself once.
        for wire in wires:
            assert wire.post("/api/v1/games", {"rules": "endless", "seed": SEED})[0] == 201
        files, memory = files_of(server), server.memory()
        with ThreadPoolExecutor(GAMES) as threads:
            played = list(threads.map(play_script, wires, planned))
        assert {status for _, statuses in played for status in statuses} == {200, 201}
        assert log_of(server) <= LOG_MOST
        assert files_of(server) <= files
        assert server.memory() - memory < GROWN_MOST
        for wire in wires:
            wire.close()
        deadline = time.monotonic() + 10
        while files_of(server) > before:
            assert time.monotonic() < deadline, files_of(server)
            time.sleep(0.05)
        # Whatever happens to the server now, all is there: each game is the fold of its actions.
        server.kill()
        rows = server.rows("SELECT id, rules, deal, actions, version, moves, outcome FROM games WHERE version > 0")
        told = server.log
    assert "locked" not in told
    assert "Traceback" not in told
    assert sum(int(str(row[4])) for row in rows) == GAMES * MOVES
    stored = {str(row[0]): row[1:] for row in rows}
    for (game_id, _), script in zip(played, planned, strict=True):
        rules, deal, actions, version, moves, end = stored[game_id]
        assert (rules, deal, str(actions).split(), version) == (script.rules, script.seed, [*script.actions], MOVES)
        game = folded(script.rules, script.seed, str(actions))
        assert (game.moves, outcome(game.state).value) == (moves, end)


# What a move costs, and a server that nobody plays on.


@pytest.mark.sqlite
@pytest.mark.parametrize("way", ["form", "json"])
def test_a_move_is_one_transaction_of_two_statements_at_the_most(app: FastAPI, client: TestClient, way: str) -> None:
    ran: list[str] = []

    def watch(connection: Connection) -> None:
        # What SQLite itself runs, by whatever way it came there.
        connection.connection.set_trace_callback(ran.append)

    api = Api(client)
    game = api.act(api.create(seed=SEED), "draw")
    assert client.portal is not None
    client.portal.call(app.state.rooms.run, watch)
    for version, action in enumerate(("Kc", "6c+7d", "undo", "redo", "draw"), 1):
        ran.clear()
        if way == "form":
            answer = post_form(client, f"/g/{game['id']}", HTMX, version=str(version), action=action)
        else:
            answer = api.post(game["id"], version, action)
        assert answer.status_code == 200
        first, *statements, last = ran
        assert (first, last) == ("BEGIN IMMEDIATE", "COMMIT")
        assert 1 <= len(statements) <= 2, statements
        assert [word for word in statements if word.split()[0] in {"INSERT", "UPDATE", "DELETE"}]


START_SECONDS, MEMORY_MOST, IDLE_SECONDS = 5, 120_000_000, 2


def test_a_server_is_ready_in_seconds_is_not_large_and_sleeps_while_nobody_plays(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", loaded=False)
    for _ in range(3):
        began = time.monotonic()
        with server, server.client() as client:
            assert client.get("/readyz").text == "ok"
            taken = time.monotonic() - began
            api = Api(client)
            game = api.create(seed=SEED)
            for version in range(50):
                game = api.act(game, "undo" if version % 2 else "draw")
            assert server.memory() < MEMORY_MOST
            time.sleep(0.2)
            before = server.processor_seconds()
            time.sleep(IDLE_SECONDS)
            assert server.processor_seconds() - before < IDLE_SECONDS / 100
        if taken < START_SECONDS:
            break
        # Perhaps the machine was busy with others.
    assert taken < START_SECONDS


def test_while_fifty_ask_the_solver_moves_do_not_wait_for_it(tmp_path: Path) -> None:
    """Of the first one's deal the fewest moves take a second or two; how many moves are made meanwhile is counted."""

    def ask(deal: str) -> int:
        with server.client() as client:
            return client.get(f"/api/v1/deals/{deal}/solution").status_code

    with (
        Server(tmp_path / "data", **UNLIMITED) as server,
        server.client() as client,
        ThreadPoolExecutor(ASKED) as threads,
    ):
        api = Api(client)
        game = api.create(seed=SEED)
        hardest = threads.submit(ask, "d3r9/10")
        time.sleep(0.1)
        others = [threads.submit(ask, f"endless/{number}") for number in range(1, ASKED)]
        while not hardest.done():
            game = api.act(game, "undo" if game["can_undo"] else "draw")
        assert {other.result() for other in others} <= {200, 429, 503}
    assert hardest.result() == 200
    # Were it to wait for the solver once, it would be a handful.
    assert game["version"] > 40
