"""Nobody reads or changes what is another player's: every address is tried with other cookies, forged ones and none."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from app.main import ROUTES
from app.web import api
from tests.conftest import Clock
from tests.databases import rows
from tests.playthroughs import wins
from tests.web.api import Api
from tests.web.browser import OWN_FORM, post_form

COOKIE = "pyramid_player"
NAME = "Zenobia of Palmyra"
SEED = "owners-seed"
NOBODYS = "nobodys-game-0000"[:16]
WIN = next(win for win in wins() if win.rules == "endless")

PLAIN = [
    (method, route.path)
    for route in ROUTES
    if isinstance(route, Route)
    for method in sorted((route.methods or set()) - {"HEAD"})
]
JSON = [
    (method, str(getattr(route, "path", "")))
    for route in api.router.routes
    for method in sorted(getattr(route, "methods", set()))
]
OF_A_GAME = [(method, path) for method, path in PLAIN + JSON if "{game}" in path]
OTHERS = [(method, path) for method, path in PLAIN + JSON if "{game}" not in path]


@dataclass(frozen=True)
class Owner:
    """A player with a game that runs and one that was won."""

    client: TestClient
    running: str
    won: str


@pytest.fixture
def owner(client: TestClient, api: Api, clock: Clock) -> Owner:
    won = api.act(api.create(rules=WIN.rules, seed=WIN.deal), *WIN.actions)["id"]
    # The solver's word about the win is asked for, so that it comes at no other moment.
    assert client.get(f"/g/{won}/verdict?version={len(WIN.actions)}").status_code == 200
    clock.tick(60)
    running = api.act(api.create(seed=SEED), "draw")["id"]
    post_form(client, "/you/name", name=NAME)
    post_form(client, "/you/code")
    return Owner(client, running, won)


@pytest.fixture(params=["another", "none", "forged", "bearer"])
def stranger(request: pytest.FixtureRequest, other: TestClient) -> TestClient:
    if request.param == "another":
        Api(other).create(seed="b")
    elif request.param == "forged":
        other.cookies.set(COOKIE, "f" * 43)
    elif request.param == "bearer":
        other.headers["Authorization"] = f"Bearer {other.post('/api/v1/players').json()['token']}"
    return other


def answer(client: TestClient, method: str, path: str, **places: str) -> tuple[int, str]:
    """Status and body of what an address answers, with a plausible body where it takes one."""
    for name, text in places.items():
        path = re.sub(rf"{{{name}(:path)?}}", text, path)
    if method == "GET":
        reply = client.get(path)
    elif path.startswith("/api/"):
        reply = client.post(path, json={"version": 1, "action": "draw", "rules": "endless", "deck": "", "seed": "c"})
    else:
        fields = {"version": "1", "action": "draw", "at": "1"} if "{" not in path else {}
        reply = client.post(path, data=fields, headers=OWN_FORM)
    return reply.status_code, reply.text


def kept(folder: Path, owner: Owner) -> list[object]:
    """Everything that is kept of the owner."""
    ((player,),) = rows(folder, f"SELECT player FROM games WHERE id = '{owner.won}'")  # noqa: S608 - our own id.
    tables = {"players": "id", "games": "player", "tokens": "player", "solutions": "player"}
    of_him = [
        rows(folder, f"SELECT * FROM {table} WHERE {key} = {player} ORDER BY 1, 2")  # noqa: S608 - our own words.
        for table, key in tables.items()
    ]
    return [*of_him, rows(folder, "SELECT * FROM links ORDER BY 1")]


def test_another_players_game_is_met_as_one_that_does_not_exist(
    stranger: TestClient, owner: Owner, tmp_path: Path
) -> None:
    before = kept(tmp_path, owner)
    for method, path in OF_A_GAME:
        for game in (owner.running, owner.won):
            status, body = answer(stranger, method, path, game=game)
            nobodys = answer(stranger, method, path, game=NOBODYS)
            assert (status, body.replace(game, NOBODYS)) == nobodys, path
            assert 400 <= status < 500, path
            assert NAME not in body, path
        assert kept(tmp_path, owner) == before, path


def test_no_other_address_tells_of_another_player_or_changes_him(
    stranger: TestClient, owner: Owner, tmp_path: Path
) -> None:
    before = kept(tmp_path, owner)
    places = {"rules": "endless", "seed": WIN.deal, "key": "k" * 43, "day": "2027-01-15"}
    # Deleting himself comes last, so that whoever is known stays so.
    for method, path in sorted(OTHERS, key=lambda other: "delete" in other[1]):
        status, body = answer(stranger, method, path, **places)
        assert status < 500, path
        assert owner.running not in body, path
        assert owner.won not in body, path
        assert SEED not in body, path
        assert NAME not in body or "/b/" in path or "boards" in path, path
        assert kept(tmp_path, owner) == before, path


def test_the_owner_himself_is_answered(owner: Owner, app: FastAPI) -> None:
    assert app is not None
    seen = [answer(owner.client, method, path, game=owner.won)[0] for method, path in OF_A_GAME if method == "GET"]
    assert seen.count(404) < len(seen) / 4
    assert NAME in owner.client.get("/you").text
    assert owner.running in owner.client.get("/me/games").text
