"""kill -9 under load: after each restart, every action that was answered is there, and nothing is half done."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from app.rules.deal import read_deal
from app.rules.game import begin, play
from app.rules.moves import read_action
from app.rules.ruleset import read_rules
from app.rules.state import outcome, start
from app.store.database.engine import FILE_NAME
from tests.store.player import Player
from tests.web.api import Api, JsonObject
from tests.web.server import Server

pytestmark = pytest.mark.sqlite

ROUNDS = 50
LANES = 2
CLIENTS = 8
SECONDS = 0.15, 0.4


def stored(folder: Path) -> dict[str, tuple[str, str, str, int, int, str]]:
    """The games in a database that nobody serves; the file must be whole."""
    connection = sqlite3.connect(folder / FILE_NAME)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = connection.execute("SELECT id, rules, deal, actions, version, moves, outcome FROM games")
        return {row[0]: row[1:] for row in rows}
    finally:
        connection.close()


def check_game(row: tuple[str, str, str, int, int, str], answered: JsonObject, sent: list[str]) -> None:
    """What is stored is what was answered, or that and the one action whose answer was never received."""
    rules, deal, actions, version, moves, end = row
    done = actions.split()
    assert version == len(done)
    assert version in {answered["version"], len(sent)}
    assert done == sent[:version]
    game = play(begin(start(read_rules(rules), read_deal(deal).deck)), map(read_action, done))
    assert (game.moves, outcome(game.state).value) == (moves, end)


def live_through(folder: Path, lane: int, rounds: int) -> tuple[int, int]:
    """How many answered actions were found again, and how many games a restarted server showed as they were."""
    found = shown = 0
    random = Random(lane)
    server = Server(folder)
    before: list[Player] = []
    for number in range(rounds):
        server.start()
        for player in before[:2]:
            shown += is_shown(server, player)
        players = [Player(server, f"{lane} {number} {client}") for client in range(CLIENTS)]
        for player in players:
            player.start()
        threading.Event().wait(random.uniform(*SECONDS))
        server.kill()
        for player in players:
            player.join()
        games = stored(folder)
        for player in players:
            for game_id, answered in player.answered.items():
                check_game(games[game_id], answered, player.sent[game_id])
                found += answered["version"]
        before = players
    return found, shown


def is_shown(server: Server, player: Player) -> bool:
    """The restarted server shows a player's last game as it was, and it can be played on; False where he has none."""
    # A kill can come before the first answer, and between its head, with the cookie, and its body.
    if not player.token or not player.answered:
        return False
    with server.client(Cookie=f"pyramid_player={player.token}") as client:
        game_id, answered = list(player.answered.items())[-1]
        shown = Api(client).show(game_id)
        # What is there is what was answered, or that and the one action whose answer was never received.
        as_it_was = shown["version"] == answered["version"]
        if as_it_was:
            assert {**shown, "seconds": 0} == {**answered, "seconds": 0}
        assert Api(client).act(shown, shown["actions"][0])["version"] == shown["version"] + 1
    return bool(as_it_was)


def test_every_answered_action_survives_fifty_kills_under_load(tmp_path: Path) -> None:
    with ThreadPoolExecutor(LANES) as lanes:
        lived = list(lanes.map(lambda lane: live_through(tmp_path / str(lane), lane, ROUNDS // LANES), range(LANES)))
    assert sum(found for found, _ in lived) > 10 * ROUNDS
    assert sum(shown for _, shown in lived) > ROUNDS / 5
