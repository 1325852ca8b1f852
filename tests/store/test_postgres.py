"""PostgreSQL: servers that share one database, and what becomes of them when one, or the database itself, is gone."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.rules.deal import read_deal
from app.rules.game import begin, play
from app.rules.moves import read_action
from app.rules.ruleset import read_rules
from app.rules.state import outcome, start
from app.store.engine import PATIENCE, open_engine
from app.store.schema import migrate
from app.store.tables import metadata
from tests.postgres import Postgres
from tests.store.test_killed import Player
from tests.web.api import Api
from tests.web.server import Server

# A PostgreSQL of their own is started in either run; once is enough.
pytestmark = pytest.mark.sqlite

ROUNDS = 8
CLIENTS = 4
_NAMES = (f"house{number}" for number in count())


@pytest.fixture
def address(postgres: Postgres) -> str:
    """An empty database."""
    return postgres.create(next(_NAMES))


@pytest.fixture
def servers(address: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database, started at the same time."""
    two = Server(tmp_path / "one", PYRAMID_DATABASE=address), Server(tmp_path / "two", PYRAMID_DATABASE=address)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Server.start, two))
    yield two
    for server in two:
        server.stop()


def test_the_migrations_lead_to_the_tables(address: str) -> None:
    engine = open_engine(Path(), address=address)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_two_servers_that_start_at_once_on_an_empty_database_are_one_house(servers: tuple[Server, Server]) -> None:
    one, two = (Api(server.client()) for server in servers)
    assert [api.client.get("/readyz").status_code for api in (one, two)] == [200, 200]
    assert one.client.get("/api/v1/daily").json() == two.client.get("/api/v1/daily").json()
    game = one.create(seed="a")
    two.client.cookies.update(one.client.cookies)
    for number in range(10):
        game = (one, two)[number % 2].act(game, "draw")
    assert one.show(game["id"])["version"] == two.show(game["id"])["version"] == 10
    for api in (one, two):
        api.client.close()


def test_of_sixteen_actions_at_once_on_two_servers_one_is_taken(servers: tuple[Server, Server]) -> None:
    first = Api(servers[0].client())
    game = first.create(seed="a")
    clients = [servers[number % 2].client() for number in range(16)]
    for client in clients:
        client.cookies.update(first.client.cookies)
    actions = [("draw", "Kc", "6c+7d", "2s+Jh")[number // 2 % 4] for number in range(16)]
    for client in clients:
        client.get("/healthz")
    with ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(lambda pair: Api(pair[0]).post(game["id"], 0, pair[1]), zip(clients, actions, strict=True))
        )
    taken = {answer.json()["version"] for answer in answers if answer.status_code == 200}
    # The same action, sent to both, may be answered as one and its repeat.
    assert taken == {1}
    assert sum(answer.status_code == 409 for answer in answers) >= 12
    assert first.show(game["id"])["moves"] == 1
    for client in [first.client, *clients]:
        client.close()


def test_one_of_two_servers_killed_again_and_again_loses_nothing_and_the_other_goes_on(
    servers: tuple[Server, Server], address: str
) -> None:
    falls, stays = servers
    steady = [Player(stays, f"steady {number}") for number in range(CLIENTS)]
    for player in steady:
        player.start()
    found, random = 0, Random(1)
    for number in range(ROUNDS):
        if number:
            falls.start()
        players = [Player(falls, f"{number} {client}") for client in range(CLIENTS)]
        for player in players:
            player.start()
        threading.Event().wait(random.uniform(0.15, 0.4))
        falls.kill()
        for player in players:
            player.join()
        found += checked(address, players)
        assert all(player.is_alive() for player in steady)
    stays.kill()
    for player in steady:
        player.join()
    assert checked(address, steady) > ROUNDS
    assert found > ROUNDS


def checked(address: str, players: list[Player]) -> int:
    """How many answered actions are in the database; each game there is the fold of its actions."""
    with psycopg.connect(address) as connection:
        query = "SELECT id, rules, deal, actions, version, moves, outcome FROM games"
        games = {row[0]: row[1:] for row in connection.execute(query)}
    found = 0
    for player in players:
        for game_id, answered in player.answered.items():
            rules, deal, text, version, moves, end = games[game_id]
            done, sent = text.split(), player.sent[game_id]
            # What is there is what was answered, or that and the one action whose answer was never received.
            assert version in {answered["version"], len(sent)}
            assert done == sent[:version]
            game = play(begin(start(read_rules(rules), read_deal(deal).deck)), map(read_action, done))
            assert (game.moves, outcome(game.state).value) == (moves, end)
            found += answered["version"]
    return found


def test_while_another_program_holds_the_database_moves_are_refused_and_then_taken(
    servers: tuple[Server, Server], address: str
) -> None:
    api = Api(servers[0].client())
    game = api.create(seed="a")
    with open_engine(Path(), address=address).begin():
        refused = api.post(game["id"], 0, "draw")
        assert api.client.get("/healthz").status_code == 200
        assert api.client.get("/readyz").status_code == 503
    assert refused.status_code == 503
    assert 1 <= int(refused.headers["retry-after"]) <= 6
    assert api.act(game, "draw")["version"] == 1
    api.client.close()


def test_a_server_that_stands_still_in_the_middle_of_an_answer_is_hung_up_on(address: str) -> None:
    stalled, other = open_engine(Path(), address=address), open_engine(Path(), address=address)
    with stalled.connect() as connection:
        connection.begin()
        driver: psycopg.Connection[object] = connection.connection.driver_connection  # type: ignore[assignment]
        # More than what lies between the two can hold; nobody takes it.
        driver.pgconn.send_query(b"SELECT repeat('x', 1000) FROM generate_series(1, 60000)")
        with other.connect().execution_options(**{PATIENCE: 25}) as waiting, waiting.begin():
            assert waiting.exec_driver_sql("SELECT 1").scalar_one() == 1
        driver.close()
        connection.invalidate()


def test_a_connection_that_broke_unnoticed_costs_no_move(servers: tuple[Server, Server], postgres: Postgres) -> None:
    api = Api(servers[0].client())
    game = api.create(seed="a")
    with psycopg.connect(postgres.address(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pyramid13'"
        )
    assert api.act(game, "draw", "Kc")["version"] == 2
    api.client.close()


def test_a_database_that_is_stopped_and_started_again_is_gone_on_with(
    servers: tuple[Server, Server], postgres: Postgres
) -> None:
    api = Api(servers[0].client())
    game = api.act(api.create(seed="a"), "draw")
    postgres.stop()
    assert api.post(game["id"], 1, "draw").status_code == 503
    postgres.start()
    deadline = time.monotonic() + 10
    while (answer := api.post(game["id"], 1, "draw")).status_code == 503:
        assert time.monotonic() < deadline
    assert answer.json()["version"] == 2
    api.client.close()
