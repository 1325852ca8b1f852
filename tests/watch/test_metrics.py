"""The numbers for Prometheus: off by default, exact, few labels, on a port of their own."""

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection
from starlette.testclient import TestClient

from app import __version__
from app.rules.ruleset import NAMED
from app.solver.solve import BACKEND
from app.store.database.door import Door
from app.store.news import News, note
from tests import databases
from tests.conftest import Clock, make_app, new_client
from tests.playthroughs import wins
from tests.web.api import SEED, Api
from tests.web.browser import HTMX, OWN_FORM, post_form
from tests.web.reading import read_html
from tests.web.server import ROOT, Server

ENDLESS = NAMED["endless"]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Numbers:
    """What stands at the port for Prometheus."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/metrics"

    def all(self) -> dict[str, float]:
        """Each sample's value by its name and labels, as they are written; without buckets and the process's own."""
        families = text_string_to_metric_families(httpx2.get(self._url, trust_env=False).text)
        samples = [sample for family in families for sample in family.samples]
        return {
            sample.name + "".join(f" {name}={text}" for name, text in sorted(sample.labels.items())): sample.value
            for sample in samples
            if sample.name.startswith("pyramid_") and not sample.name.endswith("_bucket")
        }

    def names(self) -> set[str]:
        """The names of all that is counted here, as one asks Prometheus for them."""
        lines = httpx2.get(self._url, trust_env=False).text.splitlines()
        return {line.split()[2] for line in lines if line.startswith("# HELP pyramid_")}

    def of(self, *names: str) -> dict[str, float]:
        """Those of some names."""
        return {key: value for key, value in self.all().items() if key.partition(" ")[0] in names}

    def play(self) -> dict[str, float]:
        """What is counted of games."""
        return self.of("pyramid_moves_total", "pyramid_games_begun_total", "pyramid_games_ended_total")


@contextmanager
def counted(folder: Path) -> Iterator[tuple[TestClient, Numbers]]:
    """A client of an application that counts, and what it counts."""
    folder.mkdir(exist_ok=True)
    databases.fill(folder)
    port = free_port()
    app = make_app(folder, Clock(), metrics_port=port)
    with app.state.metrics, new_client(app) as client:
        yield client, Numbers(port)


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[TestClient, Numbers]]:
    with counted(tmp_path) as found:
        yield found


@pytest.fixture
def client(both: tuple[TestClient, Numbers]) -> TestClient:
    return both[0]


@pytest.fixture
def numbers(both: tuple[TestClient, Numbers]) -> Numbers:
    return both[1]


def test_nothing_is_loaded_for_it_by_default() -> None:
    program = "import sys, app.main, app.commands.serve; sys.exit('prometheus_client' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_nothing_is_played_and_nothing_counted_at_first(numbers: Numbers) -> None:
    found = numbers.all()
    assert found[f"pyramid_build_info solver={BACKEND} version={__version__}"] == 1
    assert found["pyramid_solver_waiting"] == 0
    assert found["pyramid_solver_seconds_count"] == 0
    assert found["pyramid_transaction_moves_count"] == 0
    assert numbers.play() == {}


def test_each_move_is_counted_once_and_what_changes_nothing_is_not(api: Api, numbers: Numbers) -> None:
    game = api.create(rules="endless", seed=SEED)
    assert numbers.play() == {}
    game = api.act(game, "draw", "undo", "Kc")
    assert api.post(game["id"], 2, "Kc").status_code == 200
    assert api.post(game["id"], 0, "draw").status_code == 409
    assert api.post(game["id"], 3, "Kh").status_code == 422
    api.leave(game["id"])
    api.leave(game["id"])
    assert api.post(game["id"], 3, "draw").status_code == 422
    assert numbers.play() == {
        "pyramid_moves_total rules=endless": 3,
        "pyramid_games_begun_total rules=endless": 1,
        "pyramid_games_ended_total outcome=left rules=endless": 1,
    }
    assert numbers.of("pyramid_transaction_moves_count", "pyramid_transaction_moves_sum") == {
        "pyramid_transaction_moves_count": 3,
        "pyramid_transaction_moves_sum": 3,
    }


def test_moves_by_forms_are_counted_from_the_first_one_on(client: TestClient, numbers: Numbers) -> None:
    path = f"/d/classic/{SEED}"
    key = read_html(client.get(path).text).one("input", name="begin")["value"]
    for _ in range(2):
        begun = post_form(client, path, version="0", begin=key, action="draw")
    game = begun.headers["location"]
    post_form(client, game, HTMX, version="1", action="draw")
    post_form(client, game, HTMX, version="2", back="2")
    assert numbers.play() == {
        "pyramid_moves_total rules=classic": 4,
        "pyramid_games_begun_total rules=classic": 1,
    }


def test_a_win_is_counted_once_even_if_it_is_won_again(api: Api, numbers: Numbers) -> None:
    win = next(win for win in wins() if win.rules == "endless")
    game = api.act(api.create(rules=win.rules, seed=win.deal), *win.actions)
    api.act(game, "undo", win.actions[-1])
    assert numbers.play() == {
        "pyramid_moves_total rules=endless": len(win.actions) + 2,
        "pyramid_games_begun_total rules=endless": 1,
        "pyramid_games_ended_total outcome=won rules=endless": 1,
    }


def test_rule_sets_without_a_name_are_counted_together(api: Api, numbers: Numbers) -> None:
    for rules in ("d1r3", "d3r4", "open"):
        api.act(api.create(rules=rules, seed=SEED), "draw")
    assert numbers.of("pyramid_moves_total") == {
        "pyramid_moves_total rules=other": 2,
        "pyramid_moves_total rules=open": 1,
    }


def test_requests_are_counted_by_their_route_and_never_by_their_address(client: TestClient, numbers: Numbers) -> None:
    client.get("/g/secret1")
    client.get("/g/secret2?card=secret3")
    client.get("/c/secret4")
    client.head("/rules")
    client.get("/no/secret5")
    client.post("/rules")
    client.post("/recover", data={"code": "secret6"}, headers={"Sec-Fetch-Site": "cross-site"})
    client.request("MKCOL", "/api/v1/games/secret7")
    client.get("/static/secret8")
    client.get("/healthz")
    found = numbers.of("pyramid_requests_total", "pyramid_request_seconds_count")
    assert {key: value for key, value in found.items() if key.startswith("pyramid_requests_total")} == {
        "pyramid_requests_total method=GET route=/g/{game} status=404": 2,
        "pyramid_requests_total method=GET route=/c/{key} status=404": 1,
        "pyramid_requests_total method=HEAD route=/rules status=200": 1,
        "pyramid_requests_total method=GET route=none status=404": 1,
        "pyramid_requests_total method=POST route=/rules status=405": 1,
        "pyramid_requests_total method=POST route=none status=403": 1,
        "pyramid_requests_total method=other route=/api/v1/games/{game} status=405": 1,
        "pyramid_requests_total method=GET route=/static/{name} status=404": 1,
        "pyramid_requests_total method=GET route=/healthz status=200": 1,
    }
    assert found["pyramid_request_seconds_count method=GET route=/g/{game}"] == 2
    assert not [key for key in numbers.all() if "secret" in key]


def test_every_metric_stands_in_the_readme_and_no_other_does(numbers: Numbers) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert set(re.findall(r"(?m)^\| `(pyramid_\w+)` \|", readme)) == numbers.names()


def test_searches_are_timed(api: Api, client: TestClient, numbers: Numbers) -> None:
    api.create(rules="endless", seed=SEED)
    before = numbers.all()["pyramid_transaction_seconds_count"]
    answer = client.get(f"/api/v1/deals/king-tut/{SEED}/solution")
    assert answer.json()["verdict"] == "winnable"
    found = numbers.all()
    assert found["pyramid_solver_seconds_count"] == 1
    assert 0 < found["pyramid_solver_seconds_sum"] < 30
    assert found["pyramid_solver_waiting"] == 0
    assert found["pyramid_transaction_seconds_count"] > before
    assert found["pyramid_transaction_seconds_sum"] > 0


def test_two_applications_in_one_process_count_for_themselves(tmp_path: Path) -> None:
    with counted(tmp_path / "a") as (first, of_first), counted(tmp_path / "b") as (second, of_second):
        api = Api(first)
        api.act(api.create(rules="endless", seed=SEED), "draw", "draw")
        assert of_first.of("pyramid_moves_total") == {"pyramid_moves_total rules=endless": 2}
        assert of_second.play() == {}
        assert second.get("/healthz").status_code == 200


def test_the_port_is_given_back_in_the_end(tmp_path: Path) -> None:
    databases.fill(tmp_path)
    app = make_app(tmp_path, Clock(), metrics_port=(port := free_port()))
    with app.state.metrics:
        assert Numbers(port).all()
    with pytest.raises(ConnectionError), socket.create_connection(("127.0.0.1", port)):
        pass


def test_a_server_whose_port_is_taken_says_so_in_a_sentence_and_does_not_start(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = Server(tmp_path / "data", PYRAMID_METRICS_PORT=str(port), PYRAMID_LOG_LEVEL="error")
        with pytest.raises(AssertionError):
            server.start()
    assert server.log == f"pyramid: metrics cannot be offered at 127.0.0.1:{port}: Address already in use\n"


def test_what_a_transaction_takes_back_is_not_counted(tmp_path: Path) -> None:
    told: list[News] = []

    def begins(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS t (a INTEGER)")
        note("begun", ENDLESS)

    def fails(connection: Connection) -> None:
        begins(connection)
        note("move", ENDLESS)
        raise LookupError

    async def play() -> None:
        door = Door(databases.opened(tmp_path), lambda _seconds, news: told.append(news))
        door.open()
        try:
            await asyncio.gather(door.run(begins), door.run(fails), return_exceptions=True)
        finally:
            door.close()

    asyncio.run(play())
    assert [event for news in told for event in news] == [("begun", ENDLESS)]


def test_a_real_server_offers_the_numbers_at_their_own_port_alone(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path / "data", PYRAMID_METRICS_PORT=str(port)) as server, server.client() as client:
        api = Api(client)
        game = api.create(rules="endless", seed=SEED)
        answers = [client.post(f"/g/{game['id']}", data={"version": "0", "action": "draw"}, headers=OWN_FORM)]
        api.act(api.show(game["id"]), *["draw"] * 7)
        assert [answer.status_code for answer in answers] == [303]
        assert Numbers(port).of("pyramid_moves_total", "pyramid_transaction_moves_sum") == {
            "pyramid_moves_total rules=endless": 8,
            "pyramid_transaction_moves_sum": 8,
        }
        assert client.get("/metrics").status_code == 404
