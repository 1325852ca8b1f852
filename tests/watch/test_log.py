"""The log: lines for people or as JSON, an id for each request, and no secret in it, whatever is done."""

import io
import json
import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient

from app.rules.deal import deck_text, read_deal
from app.watch.log import set_up
from app.web.layers.watched import through
from tests import databases
from tests.commands.run import command
from tests.conftest import Clock, make_app, new_client
from tests.playthroughs import wins
from tests.postgres import Postgres
from tests.web.api import KING, SEED, Api
from tests.web.browser import HTMX, OWN_FORM, post_form
from tests.web.reading import read_html
from tests.web.server import Server

WIN = next(win for win in wins() if win.rules == "endless")
LOG_ALL = {"PYRAMID_LOG_FORMAT": "json", "PYRAMID_LOG_LEVEL": "debug", "PYRAMID_LOG_REQUESTS": "true"}
OWN_ID = re.compile(r"[A-Za-z0-9_-]{12}")
LOGGERS = ("", "pyramid", "uvicorn")

Line = dict[str, Any]


@contextmanager
def logged(monkeypatch: pytest.MonkeyPatch, shape: Any = "json", level: Any = "info") -> Iterator[io.StringIO]:  # noqa: ANN401
    """What is written by a log set up in this process, which is as before in the end."""
    written = io.StringIO()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger, logger.level, logger.handlers) for logger in loggers]
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", written)
        set_up(shape, level)
        try:
            yield written
        finally:
            logging.captureWarnings(capture=False)
            for logger, old_level, handlers in before:
                logger.setLevel(old_level)
                logger.handlers = handlers


def lines_of(text: str) -> list[Line]:
    """The lines of a log, each an object of JSON."""
    lines = [json.loads(line) for line in text.splitlines()]
    assert all({"event", "level", "logger", "timestamp"} <= line.keys() for line in lines)
    return lines


def requests_of(text: str) -> list[Line]:
    """Those about requests."""
    return [line for line in lines_of(text) if line["logger"] == "pyramid.requests"]


def briefly(text: str) -> list[tuple[str, str, str, int]]:
    """Level, method, route and status of each request."""
    return [(line["level"], line["method"], line["route"], line["status"]) for line in requests_of(text)]


def test_of_a_whole_life_no_secret_is_logged_and_each_line_is_json(tmp_path: Path) -> None:
    with (
        Server(tmp_path / "data", loaded=False, **LOG_ALL) as server,
        server.client() as client,
        server.client() as friend,
    ):
        api = Api(client)
        # A game by forms, with what is refused, and one by the API that is won.
        path = f"/d/{WIN.rules}/{WIN.deal}"
        key = read_html(client.get(path).text).one("input", name="begin")["value"]
        game = post_form(client, path, version="0", begin=key, action=WIN.actions[0]).headers["location"]
        assert post_form(client, game, HTMX, version="0", action="redeal").status_code == 409
        assert post_form(client, game, HTMX, version="1", hint="1").status_code == 200
        api.act(api.show(game.removeprefix("/g/")), *WIN.actions[1:])
        deck = deck_text(read_deal(SEED).deck)
        other = api.act(api.create(rules="open", deck=deck), "draw")["id"]
        seed = "my-very-own-seed"
        client.get(f"/new?seed={seed}&rules=open")
        client.get(f"/d/open/{seed}?chosen=Kc")
        client.get(f"/s/open/{seed}")
        api.act(api.create(rules="open", seed=seed), "draw")
        bearer = client.post("/api/v1/players").json()["token"]
        headers = {"Authorization": f"Bearer {bearer}"}
        assert friend.get("/api/v1/me/records", headers=headers).status_code == 200
        # What is shared, and what is kept.
        post_form(client, f"{game}/share", at="1")
        replay = read_html(client.get(f"{game}/replay").text).one("a", id="link")["href"]
        dare = post_form(client, f"{game}/challenge").headers["location"]
        challenge = read_html(client.get(dare).text).one(id="dare")["data-path"]
        post_form(client, "/settings", language="hu")
        post_form(client, "/you/name", name="Ada Lovelace")
        code = read_html(post_form(client, "/you/code").text).one(id="recovery-code").text
        export = client.get("/me/export").text
        assert post_form(friend, "/recover", code=code[::-1]).status_code >= 400
        assert post_form(friend, "/recover", code=code).status_code == 303
        for address in (replay, f"{replay}/at?at=1", challenge, f"{challenge}?chosen=Kc", f"/p/{WIN.rules}/{WIN.deal}"):
            assert friend.get(address).status_code in {200, 303}, address
        answer = friend.post("/me/import", content=export, headers={"Content-Type": "application/json", **headers})
        assert answer.status_code == 200
        cookies = [client.cookies["pyramid_player"], friend.cookies["pyramid_player"]]
        # What breaks: a game that cannot have been played, at an address with a key.
        databases.change(server.data, "UPDATE games SET actions = 'Kc Kc Kc', version = 3 WHERE won_at IS NOT NULL")
        assert friend.get(replay).status_code == 500
        client.post("/you/delete", data={"sure": "yes"}, headers=OWN_FORM)
        log = server.log
    keys = [replay.rpartition("/")[2], challenge.rpartition("/")[2], key]
    games = [game.removeprefix("/g/"), other]
    secrets = [
        *cookies,
        bearer,
        code,
        code.replace("-", ""),
        *keys,
        *games,
        seed,
        deck,
        deck.replace(" ", ""),
        "Ada Lovelace",
    ]
    places = ["?", "sqlite", str(server.data)]
    assert [secret for secret in (*secrets, *places) if secret in log] == []
    lines = lines_of(log)
    broken = [line for line in lines if line["level"] == "error"]
    assert [(line["event"], line.get("route"), line.get("status")) for line in broken] == [
        ("GET /r/{key} failed", None, None),
        ("answered", "/r/{key}", 500),
    ]
    assert broken[0]["request_id"] == broken[1]["request_id"]
    assert "Traceback" in broken[0]["exception"]
    assert ("info", "POST", "/recover", 303) in briefly(log)
    assert len({line["request_id"] for line in requests_of(log)}) == len(requests_of(log)) > 60
    assert {line["logger"] for line in lines} >= {"uvicorn.error", "pyramid", "pyramid.requests"}


@pytest.mark.sqlite
def test_whatever_becomes_of_a_postgresql_neither_its_address_nor_its_password_is_logged(
    postgres: Postgres, tmp_path: Path
) -> None:
    # A PostgreSQL of its own is started in either run; once is enough.
    address = postgres.create("logged")
    password = urlsplit(address).password
    assert password
    settings = {"PYRAMID_DATABASE": address, **LOG_ALL}
    with Server(tmp_path / "data", loaded=False, **settings) as server, server.client() as client:
        api = Api(client)
        game = api.act(api.create(seed=SEED), KING)
        postgres.stop()
        assert api.post(game["id"], 1, "draw").status_code == 503
        assert [client.get(path).status_code for path in ("/readyz", f"/g/{game['id']}")] == [503, 503]
        refused = command("serve", "--data", str(tmp_path / "other"), **settings)
        postgres.start()
        deadline = time.monotonic() + 10
        while api.post(game["id"], 1, "draw").status_code == 503:
            assert time.monotonic() < deadline
        with psycopg.connect(address) as connection:
            connection.execute("UPDATE games SET actions = 'Kc Kc', version = 2")
        assert client.get(f"/g/{game['id']}/replay").status_code == 500
    log = server.log
    assert [text for text in (password, address, "postgresql://", urlsplit(address).netloc) if text in log] == []
    # The reason is told once, until it answers again.
    ((level, told),) = [(line["level"], line["event"]) for line in lines_of(log) if "does not answer" in line["event"]]
    assert level == "warning"
    assert re.match(r"the database does not answer: \S", told)
    assert {503, 500} <= {line["status"] for line in requests_of(log)}
    # Who starts it is told which database that is, but not how to get into it.
    assert refused.returncode != 0
    assert b"127.0.0.1" in refused.stderr
    assert password.encode() not in refused.stderr


def test_a_server_with_json_tells_of_nothing_but_its_start_and_what_fails(tmp_path: Path) -> None:
    with (
        Server(tmp_path / "data", loaded=False, PYRAMID_LOG_FORMAT="json", PYRAMID_NO_SUCH="1") as server,
        server.client() as client,
    ):
        assert client.get("/").status_code == 200
        assert client.get("/no/such/page").status_code == 404
        assert client.head("/readyz").status_code == 200
    lines = lines_of(server.log)
    assert {line["logger"] for line in lines} == {"pyramid", "uvicorn.error"}
    warnings = [line["event"] for line in lines if line["level"] == "warning"]
    # Most systems' SQLite has a bug that is told of as well.
    assert [warning for warning in warnings if not warning.startswith("SQLite")] == [
        "PYRAMID_NO_SUCH names no setting; it has no effect."
    ]


def test_a_client_who_leaves_before_the_answer_is_told_of_as_such(tmp_path: Path) -> None:
    with Server(tmp_path / "data", **LOG_ALL) as server:
        head = b"POST /recover HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        server.hang_up(head + b"Content-Length: 50\r\n\r\ncode=")
        deadline = time.monotonic() + 10
        while not requests_of(server.log):
            assert time.monotonic() < deadline, server.log
            time.sleep(0.01)
    assert briefly(server.log) == [("info", "POST", "/recover", 499)]


def test_whoever_asks_after_its_health_is_not_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    databases.fill(tmp_path)
    with (
        new_client(make_app(tmp_path, Clock(), log_requests=True)) as client,
        logged(monkeypatch, level="debug") as written,
    ):
        for path in ("/healthz", "/readyz", "/version"):
            client.get(path)
            client.head(path)
        databases.change(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
        client.get("/readyz")
    assert briefly(written.getvalue()) == [
        ("info", "GET", "/version", 200),
        ("info", "HEAD", "/version", 200),
        ("warning", "GET", "/readyz", 503),
    ]


def test_a_failing_request_is_told_of_by_its_route_with_a_traceback_without_values(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.act(api.create(seed=SEED), KING)["id"]
    databases.change(tmp_path, "UPDATE games SET actions = 'Kc Kc', version = 2 WHERE id = ?", game)
    with logged(monkeypatch) as written:
        answer = api.client.get(f"/g/{game}?chosen=Kc")
        head = api.client.head(f"/g/{game}")
    assert (answer.status_code, head.status_code) == (500, 500)
    told = written.getvalue()
    first, second, _third, _fourth = lines_of(told)
    assert (first["event"], first["level"]) == ("GET /g/{game} failed", "error")
    assert "IllegalMove" in first["exception"]
    assert (second["method"], second["route"], second["status"]) == ("GET", "/g/{game}", 500)
    assert first["request_id"] == second["request_id"] == answer.headers["x-request-id"]
    assert 0 <= second["ms"] < 60_000
    assert briefly(told)[1] == ("error", "HEAD", "/g/{game}", 500)
    assert game not in told


def test_a_busy_server_warns(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    databases.change(tmp_path, "ALTER TABLE alembic_version RENAME TO gone")
    with logged(monkeypatch) as written:
        client.get("/readyz")
    assert briefly(written.getvalue()) == [("warning", "GET", "/readyz", 503)]


def test_the_id_of_a_trusted_proxy_is_kept(tmp_path: Path) -> None:
    settings = {**LOG_ALL, "PYRAMID_TRUSTED_PROXIES": "10.0.0.0/8,127.0.0.0/8"}
    with Server(tmp_path / "data", **settings) as server, server.client() as client:
        for given in ("a", "A-z_0.9" * 9):
            for forwarded in ({}, {"X-Forwarded-For": "203.0.113.9"}):
                answer = client.get("/version", headers={"X-Request-ID": given, **forwarded})
                assert answer.headers.get_list("x-request-id") == [given]
        for wrong in ("", "a" * 65, "a b", "a\tb", "ä", '{"a"', "a,b"):
            answer = client.get("/version", headers=[(b"X-Request-ID", wrong.encode("latin1"))])
            assert OWN_ID.fullmatch(answer.headers["x-request-id"]), wrong
    assert [line["request_id"] for line in requests_of(server.log)][:4] == ["a"] * 2 + ["A-z_0.9" * 9] * 2


def test_the_id_of_anybody_else_is_not(tmp_path: Path) -> None:
    settings = {**LOG_ALL, "PYRAMID_TRUSTED_PROXIES": "10.0.0.1"}
    with Server(tmp_path / "data", **settings) as server, server.client() as client:
        answer = client.get("/version", headers={"X-Request-ID": "mine", "X-Forwarded-For": "10.0.0.1"})
        assert OWN_ID.fullmatch(answer.headers["x-request-id"])
    assert "mine" not in server.log


@pytest.mark.parametrize(
    ("trusted", "client", "believed"),
    [
        ("127.0.0.1,::1", ("127.0.0.1", 50_000), True),
        ("127.0.0.1,::1", ("::1", 50_000), True),
        ("127.0.0.1,::1", ("10.0.0.1", 50_000), False),
        # Its address was told by a trusted proxy, which alone makes a port of 0.
        ("127.0.0.1", ("203.0.113.9", 0), True),
        ("10.0.0.0/8,fd00::/8", ("fd00::7", 50_000), True),
        ("10.0.0.0/8,fd00::/8", ("11.0.0.1", 50_000), False),
        ("", ("127.0.0.1", 50_000), False),
        ("127.0.0.1", None, False),
        ("127.0.0.1", ("somebody", 50_000), False),
        ("10.0.0.1,*", None, True),
    ],
)
def test_a_proxy_is_known_by_its_address(trusted: str, client: tuple[str, int] | None, *, believed: bool) -> None:
    assert through(trusted)({"client": client}) is believed


def test_each_answer_has_an_id_of_its_own(client: TestClient) -> None:
    paths = ["/", "/healthz", "/nothing", "/static/nothing", "/api/v1/games/nothing", "/api/v1/openapi.json"] * 20
    ids = {client.get(path).headers["x-request-id"] for path in paths}
    assert len(ids) == len(paths)
    assert all(OWN_ID.fullmatch(one) for one in ids)
    assert client.post("/recover", headers={"Sec-Fetch-Site": "cross-site"}).headers["x-request-id"] not in ids


@pytest.mark.parametrize("shape", ["console", "json"])
def test_an_error_shows_no_values_of_variables_and_no_rows_of_the_database(
    monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    def fail(value: int) -> None:
        raise LookupError(f"no luck\nDETAIL:  Key (token_hash)=({value}) already exists.\nIn a table")

    with logged(monkeypatch, shape) as written:
        try:
            fail(4_711 * 3)
        except LookupError:
            logging.getLogger("pyramid").exception("it failed")
    told = written.getvalue()
    assert "it failed" in told
    assert "no luck" in told
    assert "In a table" in told
    assert "14133" not in told


def test_lines_for_people_are_lines_with_time_level_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with logged(monkeypatch, "console") as written:
        logging.getLogger("pyramid").info("%d games", 3, extra={"status": 200, "password": "x"})
        logging.getLogger("uvicorn.error").warning("odd")
    first, second = written.getvalue().splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z \[info +\] 3 games +\[pyramid\] status=200", first)
    assert re.fullmatch(r"\S+Z \[warning +\] odd +\[uvicorn.error\]", second)


@pytest.mark.parametrize(
    ("level", "told"),
    [("debug", ["debug", "info", "error"]), ("info", ["info", "error"]), ("warning", ["error"]), ("error", ["error"])],
)
def test_less_is_told_from_a_higher_level_on(monkeypatch: pytest.MonkeyPatch, level: str, told: list[str]) -> None:
    with logged(monkeypatch, level=level) as written:
        for name in ("debug", "info", "error"):
            getattr(logging.getLogger("pyramid"), name)("so")
    assert [line["level"] for line in lines_of(written.getvalue())] == told


def test_other_libraries_tell_no_more_than_warnings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with logged(monkeypatch, level="debug") as written:
        engine = databases.opened(tmp_path)
        with engine.connect() as connection, connection.begin():
            connection.exec_driver_sql("SELECT 'a secret'")
        engine.dispose()
        logging.getLogger("sqlalchemy.engine").warning("a warning")
    assert [line["event"] for line in lines_of(written.getvalue())] == ["a warning"]


def test_an_error_of_the_database_shows_no_values(tmp_path: Path) -> None:
    engine = databases.opened(tmp_path)
    with engine.connect() as connection, pytest.raises(DBAPIError) as raised:
        connection.execute(text("INSERT INTO nowhere VALUES (:value)"), {"value": "secret"})
    engine.dispose()
    assert "nowhere" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_making_an_application_sets_up_no_log(app: FastAPI) -> None:
    assert app.title
    assert logging.getLogger("pyramid").level == logging.NOTSET
    assert logging.getLogger("pyramid").handlers == []
