"""PostgreSQL: servers that share one database, and what becomes of them when one, or the database itself, is gone."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import Engine, MetaData, create_engine, func, insert, inspect, select, text

from app.config import Settings
from app.main import create_app
from app.play.advice import coach as advice
from app.play.advice.coach import Coach, Verdict
from app.rules.deal import read_deal
from app.rules.game import begin, play
from app.rules.moves import read_action
from app.rules.ruleset import read_rules
from app.rules.state import outcome, start
from app.store.database.door import Door
from app.store.database.engine import open_engine, patient
from app.store.database.revision import HEAD, REVISIONS
from app.store.database.schema import bring_up, migrate, revision_of
from app.store.errors import NotMigrated
from app.store.tables import metadata
from tests.conftest import new_client
from tests.postgres import Postgres
from tests.store.earlier import DATABASES, KEPT
from tests.store.player import Player
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


# A database of an earlier program, with what was played by then.

Rows = dict[str, list[dict[str, Any]]]


def rows_of(engine: Engine) -> Rows:
    """Every row of every table there is but Alembic's, by the names of its columns."""
    found = MetaData()
    with engine.connect() as connection:
        found.reflect(connection)
        return {
            table.name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
            for table in found.sorted_tables
            if table.name != "alembic_version"
        }


def furnished(address: str, revision: str) -> tuple[Engine, Rows]:
    """A PostgreSQL at an earlier revision with the rows that SQLite's kept database of it has, and these."""
    engine = open_engine(Path(), address=address)
    migrate(engine, lambda config: command.upgrade(config, revision))
    kept = create_engine(f"sqlite:///{DATABASES / revision}.sqlite3")
    rows, there = rows_of(kept), MetaData()
    kept.dispose()
    with engine.begin() as connection:
        there.reflect(connection)
        for table in there.sorted_tables:
            if rows.get(table.name):
                connection.execute(insert(table), rows[table.name])
        highest = connection.scalar(select(func.max(there.tables["players"].c.id)))
        connection.execute(text("SELECT setval(pg_get_serial_sequence('players', 'id'), :it)"), {"it": highest})
    assert rows_of(engine) == rows
    assert revision_of(engine) == revision
    return engine, rows


def within(after: Rows, before: Rows) -> Rows:
    """What stands after a migration in the tables and columns that there were before it."""
    found = {}
    for name, rows in before.items():
        found[name] = [
            {**old, **{key: row[key] for key in old if key in row}} for row, old in zip(after[name], rows, strict=True)
        ]
        # A player's token has become a row of a table of its own.
        assert {key for old in rows for key in old} - {key for row in after[name] for key in row} <= {"token_hash"}
    return found


@pytest.mark.parametrize("revision", KEPT)
def test_a_database_of_every_earlier_schema_comes_to_the_newest_with_all_its_rows_and_is_played_on(
    address: str, revision: str, tmp_path: Path
) -> None:
    engine, before = furnished(address, revision)
    done = bring_up(engine, keep=5)
    assert (done.before, done.after, done.backup) == (revision, HEAD, None)
    assert within(rows_of(engine), before) == before
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata) == []
    engine.dispose()
    known = json.loads((DATABASES / f"{revision}.json").read_text("utf-8"))
    settings = Settings(data=tmp_path, database=SecretStr(address), unfinished_days=0)
    with new_client(create_app(settings)) as client:
        for player in known:
            client.cookies.clear()
            client.cookies.set("pyramid_player", player["token"])
            for game_id, then in player["games"].items():
                now = client.get(f"/api/v1/games/{game_id}").json()
                assert (now["version"], now["pyramid"], now["status"]) == tuple(
                    then[name] for name in ("version", "pyramid", "status")
                )
        client.cookies.clear()
        assert Api(client).act(Api(client).create(seed="a"), "draw")["version"] == 1


def test_the_last_migration_of_an_old_database_can_be_taken_back_and_run_again(address: str) -> None:
    engine, before = furnished(address, REVISIONS[-2])
    for _ in range(2):
        migrate(engine)
        assert within(rows_of(engine), before) == before
        migrate(engine, lambda config: command.downgrade(config, "-1"))
        assert rows_of(engine) == before
    engine.dispose()


def test_a_migration_that_fails_leaves_all_as_it_was(address: str) -> None:
    engine, _ = furnished(address, "0001")
    with engine.begin() as connection:
        # What a later migration is to add is there already; those before it are done by then.
        connection.exec_driver_sql("ALTER TABLE games ADD COLUMN paused_at BIGINT")
    before, tables = rows_of(engine), set(inspect(engine).get_table_names())
    with pytest.raises(NotMigrated, match="changed nothing") as failure:
        bring_up(engine, keep=5)
    told = str(failure.value)
    assert "\n" not in told
    assert "paused_at" in told
    assert address not in told
    assert revision_of(engine) == "0001"
    assert (rows_of(engine), set(inspect(engine).get_table_names())) == (before, tables)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE games DROP COLUMN paused_at")
    assert bring_up(engine, keep=5).before == "0001"
    engine.dispose()


# Servers that share one.


def test_what_one_server_has_solved_no_other_solves_again(
    servers: tuple[Server, Server], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[object] = []
    solve = advice._verdict  # noqa: SLF001 - where a question is solved.

    def counted(question: Any) -> Verdict:  # noqa: ANN401 - the solver's.
        solved.append(question)
        return solve(question)

    monkeypatch.setattr(advice, "_verdict", counted)
    known = servers[0].client()
    assert known.get("/api/v1/deals/endless/win-14/solution").json()["verdict"] == "winnable"
    known.close()

    async def ask(*seeds: str) -> list[bool | None]:
        engine = open_engine(Path(), address=address)
        door = Door(engine)
        door.open()
        coach = Coach(door.run)
        try:
            states = [start(read_rules("endless"), read_deal(seed).deck) for seed in seeds]
            return [(await coach.fewest("another", state)).winnable for state in states]
        finally:
            coach.close()
            door.close()
            engine.dispose()

    assert asyncio.run(ask("win-14")) == [True]
    assert not solved
    # What nobody has asked about is searched.
    asyncio.run(ask("win-15"))
    assert solved


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
        with patient(other, 25) as waiting, waiting.begin():
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
