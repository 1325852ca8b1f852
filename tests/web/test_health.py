"""What a watchman asks: whether the server is alive, and whether it can play."""

import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.store.database.revision import HEAD
from tests import databases
from tests.conftest import Clock, make_app, new_client
from tests.store.locked import locked_for
from tests.web.server import Server

BOTH = pytest.mark.parametrize("path", ["/healthz", "/readyz"])


@BOTH
def test_a_server_that_can_play_says_so_in_plain_text(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.text) == (200, "ok")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers


@BOTH
def test_the_head_alone_is_given_as_well(client: TestClient, path: str) -> None:
    answer = client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")


@BOTH
def test_nobody_is_asked_too_often(client: TestClient, path: str) -> None:
    assert {client.get(path).status_code for _ in range(300)} == {200}


@pytest.mark.parametrize("front", ["", "/pyramid"])
@BOTH
def test_below_a_path_both_are_found_with_it_and_without(tmp_path: Path, front: str, path: str) -> None:
    databases.fill(tmp_path)
    with new_client(make_app(tmp_path, Clock(), base_path="/pyramid")) as client:
        assert client.get(front + path).text == "ok"


def test_a_database_of_another_version_is_not_played_on(client: TestClient, tmp_path: Path) -> None:
    databases.change(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.text == f"the database is at revision 9999, this version needs {HEAD}"
    assert answer.headers["cache-control"] == "no-store"
    assert client.get("/healthz").status_code == 200
    databases.change(tmp_path, "UPDATE alembic_version SET version_num = ?", HEAD)
    assert client.get("/readyz").status_code == 200


def test_a_database_without_a_word_of_its_version_is_not_played_on(client: TestClient, tmp_path: Path) -> None:
    databases.change(tmp_path, "DROP TABLE alembic_version")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database does not answer")
    assert client.get("/healthz").status_code == 200


@pytest.mark.skipif(databases.POSTGRESQL, reason="another program locks the file of SQLite")
def test_while_another_program_holds_the_database_the_server_is_alive_but_not_ready(server: Server) -> None:
    with server.client() as client:
        with locked_for(server, 3):
            began = time.monotonic()
            answer = client.get("/readyz")
            assert 1.5 < time.monotonic() - began < 2.8
            assert (answer.status_code, answer.text) == (503, "the database does not answer")
            assert int(answer.headers["retry-after"]) <= 6
            assert client.get("/healthz").text == "ok"
            assert client.head("/healthz").status_code == 200
        deadline = time.monotonic() + 10
        while client.get("/readyz").status_code != 200:
            assert time.monotonic() < deadline
