"""A player for servers under load, who makes no difference between good moves and bad ones."""

import threading
from random import Random

import httpx2

from tests.web.api import Api, JsonObject
from tests.web.server import Server


class Player(threading.Thread):
    """Plays game after game at random until the server is gone; remembers the last answer for each game."""

    def __init__(self, server: Server, seed: str) -> None:
        super().__init__()
        self.answered: dict[str, JsonObject] = {}
        self.sent: dict[str, list[str]] = {}
        self.token = ""
        self._server = server
        self._random = Random(seed)

    def run(self) -> None:
        with self._server.client() as client:
            try:
                while True:
                    self._play(client)
            except httpx2.TransportError:
                self.token = client.cookies.get("pyramid_player", "")

    def _play(self, client: httpx2.Client) -> None:
        game = Api(client).create(rules=self._random.choice(["endless", "tuts-tomb", "strict"]))
        self.answered[game["id"]] = game
        sent = self.sent.setdefault(game["id"], [])
        for _ in range(60):
            sent.append(self._random.choice(game["actions"]))
            game = Api(client).act(game, sent[-1])
            self.answered[game["id"]] = game
