"""Playing through the JSON API, in few words."""

from typing import Any

import httpx2

from app.rules.deal import deck_text, read_deal
from app.rules.game import Game, begin
from app.rules.moves import action_text
from app.rules.ruleset import read_rules
from app.rules.state import start

JsonObject = dict[str, Any]

# A deal with kings and pairs at once: "endless", seed "a" opens with
#               Jd / 9c 5s / Qd Ac 2h / 5c 8c Js Ah / Qh Kh 8d 9s 7s / 4c 5h 3d Ts 6h 2c / 7d 6c Jh Kc 2s Qc 5d
SEED = "a"
COVERED, COVERED_TOO, UNEQUAL = "Jd", "2h", ("6c", "Jh")
KING, PAIR, OTHER_PAIR = "Kc", "6c+7d", "2s+Jh"


class Api:
    """The API as one client sees it."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client

    def create(self, **body: str) -> JsonObject:
        """A new game."""
        answer = self.client.post("/api/v1/games", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def show(self, game_id: str) -> JsonObject:
        """A game as it stands."""
        answer = self.client.get(f"/api/v1/games/{game_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, game_id: str, version: int, action: str) -> httpx2.Response:
        """The answer to an action."""
        return self.client.post(f"/api/v1/games/{game_id}/actions", json={"version": version, "action": action})

    def act(self, game: JsonObject, *actions: str) -> JsonObject:
        """The game after some actions, each of which must be taken."""
        for action in actions:
            answer = self.post(game["id"], game["version"], action)
            assert answer.status_code == 200, answer.text
            game = answer.json()
        return game

    def leave(self, game_id: str) -> JsonObject:
        """The game after it was given up."""
        answer = self.client.post(f"/api/v1/games/{game_id}/leave")
        assert answer.status_code == 200, answer.text
        return answer.json()


def opening(rules: str, deal: str) -> Game:
    """A game at its start, by the rules alone; ``deal`` is a seed or a deck without spaces."""
    return begin(start(read_rules(rules), read_deal(deal).deck))


def stock_of(deal: str) -> list[str]:
    """The cards that lie in the stock at the start, next one first."""
    return deck_text(read_deal(deal).deck).split()[28:]


def legal(game: Game) -> list[str]:
    """The legal actions of a game, in notation."""
    return [action_text(action) for action in game.legal_actions()]


def game_of(answer: httpx2.Response) -> JsonObject:
    """The game that an answer carries: as itself, or with a refusal."""
    body: JsonObject = answer.json()
    game: JsonObject = body.get("game", body)
    return game
