"""How much one may do: floods are refused in a way that each kind of client can use, and change nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from app.config import Settings
from app.main import ROUTES, Sources, create_app
from app.play.slowdown import FREE
from app.web import api as web_api
from app.web.deps import metered_network, network
from tests import databases
from tests.conftest import Clock, make_app
from tests.web.api import Api
from tests.web.browser import HTMX, post_form
from tests.web.reading import read_html
from tests.web.server import Server

HERE, THERE = "203.0.113.7", "203.0.113.8"
PLAYER, NETWORK = 100, 200
"""What a player and a network may do at once, by the rates below."""

RATES: dict[str, Any] = {"player_rate": 5, "network_rate": 10}
COOKIE = "pyramid_player"

Visit = Callable[..., TestClient]


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> FastAPI:
    databases.fill(tmp_path)
    return make_app(tmp_path, clock, **RATES)


@pytest.fixture
def visit(app: FastAPI) -> Iterator[Visit]:
    """Visitors of one running server, each from an address of the network."""
    with TestClient(app) as running:

        def visitor(address: str | None = HERE) -> TestClient:
            # None is a Unix socket.
            made = TestClient(app, follow_redirects=False, client=(address, 1234) if address else None)  # type: ignore[arg-type]
            made.portal = running.portal
            return made

        yield visitor


def begun(client: TestClient, most: int) -> int:
    """How many games can be begun at once, of so many that are tried."""
    return sum(client.post("/api/v1/games", json={}).status_code == 201 for _ in range(most))


def settle(client: TestClient) -> int:
    """Change what costs no more than an action; the answer's status."""
    return post_form(client, "/settings", theme="dark").status_code


def exhaust(client: TestClient) -> None:
    """Do nothing that matters until no more is allowed."""
    while settle(client) != 429:
        pass


def games(folder: Path) -> int:
    return int(databases.rows(folder, "SELECT count(*) FROM games")[0][0])


def players(folder: Path) -> int:
    return int(databases.rows(folder, "SELECT count(*) FROM players")[0][0])


def test_a_flood_of_games_from_one_player_is_refused_and_begins_none(
    visit: Visit, clock: Clock, tmp_path: Path
) -> None:
    player = visit()
    assert begun(player, 1) == 1
    assert begun(player, 15) == PLAYER // 10
    assert games(tmp_path) == 1 + PLAYER // 10
    clock.tick(1)
    for _ in range(20):
        answer = player.post("/api/v1/games", json={})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
    clock.tick(1)
    assert begun(player, 2) == 1
    # Others in the house play on, until the house has had enough.
    assert begun(visit(), 20) == (NETWORK + 2 * 10) // 10 - 12


def test_a_flood_of_players_from_one_network_is_refused_and_makes_none(visit: Visit, tmp_path: Path) -> None:
    answers = [visit().post("/api/v1/players") for _ in range(30)]
    assert [answer.status_code for answer in answers] == [201] * (NETWORK // 10) + [429] * 10
    assert players(tmp_path) == NETWORK // 10
    assert begun(visit(THERE), 1) == 1


def test_neighbours_with_an_ipv6_network_each_have_a_limit_each_and_share_it_within(visit: Visit) -> None:
    for neighbour in range(1_000):
        client = visit(f"2001:db8:0:{neighbour:x}::1")
        assert settle(client) == 303
    first = visit("2001:db8::1")
    exhaust(first)
    assert settle(visit("2001:db8::ffff:ffff:ffff:ffff")) == 429
    assert settle(visit("2001:db8:0:1::1")) == 303


def test_moves_are_charged_one_each_and_one_too_many_changes_nothing(visit: Visit, clock: Clock) -> None:
    api = Api(visit())
    game = api.create()
    actions = ["draw", "undo"] * (PLAYER // 2)
    game = api.act(game, *actions)
    answer = api.post(game["id"], game["version"], "draw")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:pyramid13:too-fast"
    assert answer.json()["game"] == game == api.show(game["id"])
    clock.tick(0.2)
    assert api.act(game, "draw")["version"] == game["version"] + 1


def test_htmx_is_told_in_the_live_region_and_a_plain_form_by_a_page(visit: Visit) -> None:
    client = visit()
    game = Api(client).create()
    exhaust(client)
    fragment = post_form(client, f"/g/{game['id']}", HTMX, version="0", action="draw")
    assert (fragment.status_code, fragment.headers["retry-after"]) == (429, "1")
    assert fragment.headers["hx-reswap"] == "none"
    assert read_html(fragment.text).one(id="live").text
    page = post_form(client, f"/g/{game['id']}", version="0", action="draw")
    assert (page.status_code, page.headers["retry-after"]) == (429, "1")
    assert read_html(page.text).one("h1").text
    assert Api(client).show(game["id"]) == game


@pytest.mark.parametrize("headers", [HTMX, None])
def test_a_game_that_may_not_begin_is_not_begun_on_its_deals_page_either(
    visit: Visit, tmp_path: Path, headers: dict[str, str] | None
) -> None:
    client, key = visit(), "k" * 43
    exhaust(client)
    answer = post_form(client, "/d/endless/a", headers, version="0", begin=key, action="draw")
    assert answer.status_code == 429
    assert "set-cookie" not in answer.headers
    assert (games(tmp_path), players(tmp_path)) == (0, 0)


POSTS = sorted(
    route.path
    for route in (*ROUTES, *web_api.router.routes)
    if isinstance(route, Route) and "POST" in (route.methods or ())
)


def test_every_post_is_charged_and_no_get(visit: Visit) -> None:
    client = visit()
    exhaust(client)
    paths = [re.sub(r"{\w+}", "x", path) for path in POSTS]
    answers = {path: client.post(path).status_code for path in paths}
    assert answers == dict.fromkeys(paths, 429)
    for path in ("/", "/d/endless/a", "/daily", "/settings", "/api/v1/deals/endless/a", "/version"):
        assert client.get(path).status_code == 200


def test_a_link_and_a_game_played_on_are_charged_as_a_game_is(visit: Visit, clock: Clock, tmp_path: Path) -> None:
    client = visit()
    api = Api(client)
    game = api.leave(api.act(api.create(), "draw")["id"])["id"]
    for what in ("share", "challenge", "on"):
        clock.tick(60)
        answers = [post_form(client, f"/g/{game}/{what}", at="0").status_code for _ in range(12)]
        assert answers == [303] * 10 + [429] * 2
    assert games(tmp_path) == 11


def test_an_import_takes_all_that_a_player_may_do_at_once_here(visit: Visit, clock: Clock, tmp_path: Path) -> None:
    client = visit()
    api = Api(client)
    text = client.get(f"/g/{api.act(api.create(), 'draw')['id']}/text").text
    clock.tick(60)
    plain = {"Content-Type": "text/plain"}
    assert client.post("/me/import", content=text, headers=plain).status_code == 200
    answer = client.post("/me/import", content=text.replace("draw", "draw draw"), headers=plain)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
    assert games(tmp_path) == 1


def test_a_question_to_the_solver_is_charged_where_it_has_to_be_asked(visit: Visit) -> None:
    client = visit()
    seeds = [f"/s/endless/{seed}" for seed in range(NETWORK // 10)]
    assert {client.get(path).status_code for path in seeds} == {200}
    assert client.get("/s/endless/another").status_code == 429
    assert client.get("/api/v1/deals/endless/another/solution").status_code == 429
    assert client.get("/new?winnable=on").status_code == 429
    assert {client.get(f"{path}?at=1").status_code for path in seeds} == {200}
    assert client.get("/new").status_code == 303


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "testclient", None])
def test_whoever_sits_on_the_machine_is_not_limited(visit: Visit, address: str | None) -> None:
    client = visit(address)
    assert {settle(client) for _ in range(NETWORK + 50)} == {303}
    assert begun(client, NETWORK // 10 + 5) == NETWORK // 10 + 5


@pytest.mark.parametrize(
    ("address", "name", "charged"),
    [
        (HERE, HERE, HERE),
        ("::ffff:203.0.113.7", HERE, HERE),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/64"),
        ("127.0.0.1", "127.0.0.1", None),
        ("::1", "::/64", None),
        ("testclient", "testclient", None),
        (None, "", None),
    ],
)
def test_an_address_belongs_to_a_network(address: str | None, name: str, charged: str | None) -> None:
    scope: dict[str, Any] = {"type": "http", "client": (address, 1) if address else None}
    assert network(Request(scope)) == name
    assert metered_network(Request(scope)) == charged


@pytest.mark.parametrize("told", ["unknown", "_hidden", "nonsense"])
def test_what_a_proxy_tells_in_place_of_an_address_is_one_network(told: str) -> None:
    assert metered_network(Request({"type": "http", "client": (told, 0)})) == "nameless"
    assert metered_network(Request({"type": "http", "client": ("127.0.0.1", 0)})) is None


def test_two_servers_of_one_database_count_what_is_dear_and_wrong_codes_together(tmp_path: Path, clock: Clock) -> None:
    databases.fill(tmp_path)
    settings = Settings(data=tmp_path, database=SecretStr(databases.address(tmp_path)), **RATES)
    apps = [create_app(settings, Sources(clock)) for _ in range(2)]
    with TestClient(apps[0], client=(HERE, 1)) as one, TestClient(apps[1], client=(HERE, 1)) as two:
        token = one.post("/api/v1/players").json()["token"]
        headers = {"Authorization": f"Bearer {token}"}

        def begin(client: TestClient) -> httpx2.Response:
            return client.post("/api/v1/games", json={}, headers=headers)

        done = [begin((one, two)[turn % 2]).status_code for turn in range(14)]
        assert done == [201] * (PLAYER // 10) + [429] * 4
        assert games(tmp_path) == PLAYER // 10
        clock.tick(60)
        guesses = [post_form((one, two)[turn % 2], "/recover", code="0" * 16) for turn in range(FREE + 2)]
        assert [guess.status_code for guess in guesses] == [422] * (FREE + 1) + [429]
    # Nor does a restart forget.
    with TestClient(create_app(settings, Sources(clock)), client=(HERE, 1)) as again:
        assert post_form(again, "/recover", code="0" * 16).status_code == 429


def test_a_game_refused_since_another_server_has_begun_too_many_costs_no_move(tmp_path: Path, clock: Clock) -> None:
    databases.fill(tmp_path)
    settings = Settings(data=tmp_path, database=SecretStr(databases.address(tmp_path)), **RATES)
    with TestClient(create_app(settings, Sources(clock)), client=(HERE, 1)) as one:
        headers = {"Authorization": f"Bearer {one.post('/api/v1/players').json()['token']}"}
        game = one.post("/api/v1/games", json={}, headers=headers).json()
        while one.post("/api/v1/games", json={}, headers=headers).status_code == 201:
            pass
    # As after a restart: this one's memory knows of nothing.
    with TestClient(create_app(settings, Sources(clock)), client=(HERE, 1)) as two:
        refused = [two.post("/api/v1/games", json={}, headers=headers).status_code for _ in range(2 * PLAYER // 10)]
        assert set(refused) == {429}
        two.headers.update(headers)
        assert Api(two).act(game, *["draw", "undo"] * (PLAYER // 2))["version"] == PLAYER
        assert Api(two).post(game["id"], PLAYER, "draw").status_code == 429


def test_a_proxy_on_the_machine_names_its_clients_and_each_is_limited(tmp_path: Path) -> None:
    with Server(tmp_path / "data", PYRAMID_NETWORK_RATE="5") as server, server.client() as client:

        def post(address: str) -> int:
            return client.post("/settings", data={"theme": "dark"}, headers={"X-Forwarded-For": address}).status_code

        answers = [post(HERE) for _ in range(150)]
        assert answers[:PLAYER] == [303] * PLAYER
        assert 429 in answers[PLAYER:]
        assert post(THERE) == 303
        assert client.post("/settings", data={"theme": "dark"}).status_code == 303
