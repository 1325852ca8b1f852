"""The server before the application: what is slow, too large or malformed, and how it ends. On real connections."""

import re
import resource
import socket
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx2
import pytest
from starlette.routing import Route

from app.connection import MOST_HEAD
from app.main import ROUTES
from app.store.database.engine import FILE_NAME
from app.web import api
from app.web.layers.guard import HEADERS
from tests.web.api import Api
from tests.web.server import ROOT, Server, environment

READ_SECONDS = 1
SLACK = 3
"""For a busy machine: so much later at the most."""
TIMES = 7
"""What is quick is so at the median, in time of a processor, however busy the machine is."""
EVIL = "evil.example"
LAST = "Connection: close"
JSON = "Content-Type: application/json"
FORM = "Content-Type: application/x-www-form-urlencoded"
MULTIPART = "Content-Type: multipart/form-data; boundary=x"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that do not end it; requests have a second to arrive."""
    with Server(tmp_path_factory.mktemp("server") / "data", PYRAMID_READ_SECONDS=str(READ_SECONDS)) as running:
        yield running
    assert "Traceback" not in running.log


def request(line: str, *headers: str, body: bytes = b"", host: str | None = "x") -> bytes:
    """A request as it goes over the wire; with a body it has its length unless a header tells of another way."""
    lines = [f"{line} HTTP/1.1", *([] if host is None else [f"Host: {host}"]), *headers]
    if body and not any(header.lower().startswith("transfer-encoding") for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def read(raw: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
    """The status, the headers and the body of an answer."""
    head, found, body = raw.partition(b"\r\n\r\n")
    assert found, raw
    lines = head.decode("latin-1").split("\r\n")
    headers = [(name.lower(), text) for name, _, text in (line.partition(": ") for line in lines[1:])]
    return int(lines[0].split(" ")[1]), headers, body


def status_of(raw: bytes) -> int:
    """The status of an answer, which carries the security headers each once and does not tell what serves."""
    status, headers, _body = read(raw)
    for name, text in HEADERS.items():
        assert [value for key, value in headers if key == name.lower()] == [text], (status, name)
    assert not {"server", "x-powered-by", "x-evil"} & {name for name, _text in headers}
    return status


def connection_to(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10)


def rest_of(connection: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def seconds_of(connection: socket.socket) -> float:
    """How long it takes until the server hangs up."""
    before = time.monotonic()
    rest_of(connection)
    return time.monotonic() - before


# How long a request may take.

HALF_A_BODY = request("POST /api/v1/games", JSON, "Content-Length: 9") + b"{"
PARTS: dict[str, tuple[bytes, int | None]] = {
    "nothing": (b"", None),
    "blank lines": (b"\r\n\r\n", None),
    "half a line": (b"GET / HT", 408),
    "half a head": (b"GET / HTTP/1.1\r\nHost: x\r\n", 408),
    "a head without its body": (HALF_A_BODY[:-1], 408),
    "half a body": (HALF_A_BODY, 408),
    "half a chunked body": (
        request("POST /api/v1/games", JSON, CHUNKED) + b"1\r\n{\r\n",
        408,
    ),
}


def test_a_request_that_does_not_arrive_in_time_is_hung_up_on(server: Server) -> None:
    with ExitStack() as stack:
        before = time.monotonic()
        connections = {part: stack.enter_context(connection_to(server)) for part in PARTS}
        for part, connection in connections.items():
            connection.sendall(PARTS[part][0])
        for part, connection in connections.items():
            answer = rest_of(connection)
            assert READ_SECONDS - 0.1 < time.monotonic() - before < READ_SECONDS + SLACK, part
            assert (status_of(answer) if answer else None) == PARTS[part][1], part


def test_a_drop_now_and_then_buys_no_time(server: Server) -> None:
    with connection_to(server) as connection:
        before = time.monotonic()
        connection.settimeout(0.1)
        for byte in request("GET /rules", *["X-Long: x"] * 100):
            connection.sendall(bytes([byte]))
            try:
                assert status_of(connection.recv(65_536)) == 408
                break
            except TimeoutError:
                pass
        assert time.monotonic() - before < READ_SECONDS + SLACK


def test_on_a_kept_connection_the_time_of_a_further_request_begins_with_its_first_byte(server: Server) -> None:
    with connection_to(server) as connection:
        connection.sendall(request("HEAD /rules"))
        assert status_of(connection.recv(65_536)) == 200
        time.sleep(READ_SECONDS * 1.2)
        connection.sendall(b"GET")
        before = time.monotonic()
        assert status_of(rest_of(connection)) == 408
        assert READ_SECONDS - 0.1 < time.monotonic() - before < READ_SECONDS + SLACK


def test_a_large_file_that_comes_steadily_may_take_longer(server: Server) -> None:
    with connection_to(server) as connection:
        connection.sendall(request("POST /me/import", LAST, "Content-Type: text/plain", CHUNKED))
        for _ in range(READ_SECONDS * 15):
            time.sleep(0.1)
            connection.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        assert status_of(rest_of(connection)) == 422


def test_three_hundred_slow_clients_do_not_hurt_a_normal_one(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(connection_to(server)) for _ in range(300)]
        client = stack.enter_context(server.client())
        for number, connection in enumerate(slow):
            connection.sendall([b"", b"GET / HTTP/1.1\r\nHost: x\r\n", HALF_A_BODY][number % 3])
        taken = [seconds_for(client, "/rules") for _ in range(20)]
        assert statistics.median(taken) < 0.1
        with ThreadPoolExecutor(20) as threads:
            assert max(threads.map(seconds_of, slow)) < READ_SECONDS + SLACK


def seconds_for(client: httpx2.Client, path: str) -> float:
    before = time.monotonic()
    assert client.get(path).status_code == 200
    return time.monotonic() - before


def test_an_earlier_request_is_answered_though_half_of_another_came_with_it(server: Server) -> None:
    answer = server.raw(request("HEAD /rules") * 3 + b"GET / HTTP/1.1\r\nHo")
    assert [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", answer)] == [200, 200, 200, 408]


def test_requests_without_end_on_a_connection_are_not_all_kept(server: Server) -> None:
    answer = server.raw(request("HEAD /healthz") * 2_000)
    assert re.findall(rb"HTTP/1.1 (\d+) ", answer) == [b"200"] * 101


def test_who_does_not_take_his_answers_is_left(server: Server) -> None:
    with connection_to(server) as connection:
        connection.settimeout(READ_SECONDS * 5)
        asked = request("GET /static/pictures/phones.png")
        # The server stops reading while it cannot write; what we send fills the system's buffers, and then waits.
        with pytest.raises(ConnectionError):
            send_for_ever(connection, asked * 100)


def send_for_ever(connection: socket.socket, data: bytes) -> None:
    while True:
        connection.sendall(data)


# What a request may be.

LONG = "X: " + "a" * MOST_HEAD
REFUSED = {
    "a long header": (request("GET /rules", LONG), 431),
    "a megabyte of a header": (request("GET /rules", LONG * 64), 431),
    "a megabyte of a header without its end": (request("GET /rules", LONG * 64)[:-4], 431),
    "many headers": (request("GET /rules", *["X: a"] * 4_000), 431),
    "a long address": (request("GET /" + "a" * MOST_HEAD), 431),
    "no host": (request("GET /rules", host=None), 400),
    "two hosts": (request("GET /rules", "Host: y"), 400),
    "the same host twice": (request("GET /rules", "Host: x"), 400),
    "an empty host": (request("GET /rules", host=""), 400),
    "half a bracket": (request("GET /rules", host="["), 400),
    "no address in brackets": (request("GET /rules", host="[1:2]"), 400),
    "a host with a path": (request("GET /rules", host="x/y"), 400),
    "a host with a user": (request("GET /rules", host="x@y"), 400),
    "a port too high": (request("GET /rules", host="x:65536"), 400),
    "length and chunks": (
        request("POST /rules", "Content-Length: 3", CHUNKED) + b"0\r\n\r\n",
        400,
    ),
    "two lengths": (request("POST /rules", "Content-Length: 3", "Content-Length: 4") + b"abcd", 400),
    "an unknown coding": (request("POST /rules", "Transfer-Encoding: x") + b"0\r\n\r\n", 400),
    "a chunk of no length": (request("POST /api/v1/games", CHUNKED) + b"x\r\n", 400),
    "a tunnel": (request(f"CONNECT {EVIL}:443"), 400),
    "an address of a host alone": (request(f"GET http://{EVIL}"), 400),
    "a change of protocol with a body": (
        request("POST /api/v1/games", "Connection: Upgrade", "Upgrade: h2c", body=b"{}"),
        400,
    ),
    "HTTP/2 at once": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "another version": (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 40, 400),
    **{
        f"{text!a} in a header": (request("GET /rules", f"Cookie: a{text}b"), 400)
        for text in ("\r", "\n", "\0", "\1", "\r\n ", "\n ", "\x7f")
    },
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_good_request_is_refused_at_once(server: Server, sent: bytes, status: int) -> None:
    with connection_to(server) as connection:
        connection.sendall(sent)
        # The answer is there though the client may not be done sending.
        answer = connection.recv(65_536)
    assert status_of(answer) == status
    _status, headers, body = read(answer)
    assert ("connection", "close") in headers
    assert body.endswith(b".\n")


ANSWERED = {
    "a head of nearly the most": (request("GET /rules", LAST, "X: " + "a" * (MOST_HEAD - 100)), 200),
    "HTTP/1.0 without a host": (b"GET /rules HTTP/1.0\r\n\r\n", 200),
    "an IPv6 host with a port": (request("GET /rules", LAST, host="[::1]:8000"), 200),
    "a port left out": (request("GET /rules", LAST, host="x:"), 200),
    "a whole address": (request(f"GET http://{EVIL}/rules", LAST), 200),
    "a star": (request("OPTIONS *", LAST), 404),
    "HTTP/2 by the way": (request("GET /rules", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"), 200),
    "a web socket": (request("GET /rules", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"), 200),
}


@pytest.mark.parametrize(("sent", "status"), ANSWERED.values(), ids=ANSWERED.keys())
def test_what_is_unusual_but_no_fault_is_answered(server: Server, sent: bytes, status: int) -> None:
    assert status_of(server.raw(sent)) == status


def test_what_follows_a_change_of_protocol_is_no_request(server: Server) -> None:
    answer = server.raw(request("HEAD /rules", "Connection: Upgrade", "Upgrade: h2c") + request("GET /nothing", LAST))
    assert re.findall(rb"HTTP/1.1 (\d+) ", answer) == [b"200"]


def test_a_header_behind_a_body_is_none_of_the_request(server: Server) -> None:
    chunked = request("POST /api/v1/games", LAST, JSON, CHUNKED)
    assert status_of(server.raw(chunked + b"2\r\n{}\r\n0\r\nSec-Fetch-Site: cross-site\r\n\r\n")) == 201


TOO_MUCH = {
    "a large form": (request("POST /d/endless/a", LAST, FORM, body=b"action=" + b"x" * 65_536), 413),
    "many fields": (request("POST /d/endless/a", LAST, FORM, body=b"&".join([b"a=1"] * 100_000)), 413),
    "many fields of nothing": (request("POST /d/endless/a", LAST, FORM, body=b"&" * 16_000), 422),
    "a large file": (
        request("POST /d/endless/a", LAST, MULTIPART, body=b"--x" + b"y" * 65_536),
        415,
    ),
    "deep JSON": (
        request("POST /api/v1/games", LAST, JSON, body=b'{"a":' * 3_000 + b"1"),
        422,
    ),
    "deeper JSON": (
        request("POST /api/v1/games", LAST, JSON, body=b"[" * 10_000 + b"]" * 10_000),
        413,
    ),
}


@pytest.mark.parametrize(("sent", "status"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_a_body_of_too_much_is_refused_quickly_and_takes_no_memory(server: Server, sent: bytes, status: int) -> None:
    assert status_of(server.raw(sent)) == status
    before, taken = server.memory(), list[float]()
    for _ in range(TIMES):
        began = server.processor_seconds()
        assert status_of(server.raw(sent)) == status
        taken.append(server.processor_seconds() - began)
    assert statistics.median(taken) < 0.05
    assert server.memory() - before < 5_000_000


@pytest.mark.parametrize("last", [True, False])
def test_a_body_without_an_end_is_refused_before_it(server: Server, *, last: bool) -> None:
    """Whoever is still sending can read the refusal."""
    chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
    with connection_to(server) as connection:
        connection.sendall(request("POST /d/endless/a", *[LAST] * last, FORM, CHUNKED))
        for _ in range(20):
            connection.sendall(chunk)
            time.sleep(0.005)
        assert status_of(connection.recv(65_536)) == 413


# How many connections there may be, and for how long.

SERVES = """
import resource, sys, uvicorn
from app.config import Settings
from app.server import run
soft, hard = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
uvicorn.run = lambda app, **given: print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], given["timeout_keep_alive"])
run(None, Settings(port=0))
"""


@pytest.mark.parametrize(("soft", "hard", "files"), [(256, 20_000, 10_240), (256, 700, 700), (12_000, 20_000, 12_000)])
def test_the_system_lets_it_have_many_connections_and_each_is_kept_longer_than_a_proxy_keeps_it(
    soft: int, hard: int, files: int
) -> None:
    if 0 <= resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("the system allows fewer files")
    done = subprocess.run(
        [sys.executable, "-c", SERVES, str(soft), str(hard)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found, seconds = map(int, done.stdout.split())
    assert found == files
    # nginx keeps its own for 60 seconds, Caddy for 120.
    assert seconds > 120


# What an answer says.


def paths() -> dict[str, set[str]]:
    """All addresses, a word in the place of each variable part, and their methods."""
    found: dict[str, set[str]] = {}
    for route in (*ROUTES, *api.router.routes):
        assert isinstance(route, Route) or hasattr(route, "methods")
        path = "/" + route.path.lstrip("/")
        found.setdefault(path, set()).update(route.methods or ())
    return found


def filled(path: str, text: str) -> str:
    return re.sub(r"\{[^}]*\}", text, path)


def test_no_address_breaks_over_another_method_or_a_line_break_in_it(server: Server) -> None:
    injected = "a%0d%0aX-Evil:%20%00%0d%0a%0d%0a"
    with closing(connection_to(server)) as connection:
        connection.settimeout(20)
        sent = 0
        for path, methods in paths().items():
            for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
                for text in ("x", injected):
                    asked = f"{method} {filled(path, text)}?{injected}={injected}"
                    connection.sendall(request(asked, "X-Trace: x", "Content-Length: 0", "Accept-Encoding: identity"))
                    status, headers, body = next_answer(connection)
                    sent += 1
                    assert status < 500, asked
                    assert not any("evil" in name for name, _text in headers), asked
                    assert b"Traceback" not in body
                    assert {name.lower() for name in HEADERS} <= {name for name, _text in headers}, asked
                    if method not in methods and method not in {"GET", "POST"}:
                        assert status in {404, 405}, asked
                        assert status == 404 or "allow" in {name for name, _text in headers}, asked
        assert sent > 500


def next_answer(connection: socket.socket) -> tuple[int, list[tuple[str, str]], bytes]:
    """The next answer on a kept connection, of which the length is told."""
    raw = b""
    while b"\r\n\r\n" not in raw:
        raw += connection.recv(65_536)
    status, headers, body = read(raw)
    length = int(dict(headers).get("content-length", "0"))
    while len(body) < length:
        body += connection.recv(65_536)
    return status, headers, body


def test_what_shows_the_inside_is_not_offered(server: Server) -> None:
    for path in ("/docs", "/redoc", "/openapi.json", "/metrics", "/debug", "/.env", "/.git/config", "/server-status"):
        assert status_of(server.raw(request(f"GET {path}", LAST))) == 404


PAGES = [
    "/",
    "/rules",
    "/learn",
    "/new?seed=a",
    "/d/endless/a",
    "/d/d1rx/a",
    "/b/endless",
    "/daily/endless",
    "/me",
    "/me/games",
    "/you",
    "/recover",
    "/settings",
    "/me/export",
    "/nothing",
    "/api/v1/openapi.json",
    "/manifest.webmanifest",
]


def test_the_host_that_was_asked_stands_in_no_answer(server: Server) -> None:
    with server.client() as client:
        game = Api(client).act(Api(client).create(), "draw")["id"]
        cookie = f"Cookie: {'; '.join(f'{name}={text}' for name, text in client.cookies.items())}"
    for path in (*PAGES, f"/g/{game}", f"/g/{game}/replay"):
        for line in (f"GET {path}", f"GET http://{EVIL}{path}"):
            answer = server.raw(request(line, LAST, cookie, "Accept-Encoding: identity", host=EVIL))
            assert status_of(answer) in {200, 303, 307, 308, 404}
            assert EVIL.encode() not in answer, line
            assert not [text for name, text in read(answer)[1] if name == "location" and not text.startswith("/")]


def test_a_thousand_ranges_of_a_file_are_one_whole_file_and_more_are_too_much(server: Server) -> None:
    file = "GET /static/vendor/htmx-4.0.1.min.js"
    whole = read(server.raw(request(file, LAST, "Accept-Encoding: identity")))[2]
    for ranges, expected in ((3_000, 200), (10_000, 431)):
        taken = []
        for _ in range(TIMES):
            began = server.processor_seconds()
            answer = server.raw(request(file, LAST, "Range: bytes=" + ",".join(["0-0"] * ranges)))
            taken.append(server.processor_seconds() - began)
            assert status_of(answer) == expected
            assert expected != 200 or read(answer)[2] == whole
        assert statistics.median(taken) < 0.01


@pytest.mark.parametrize(
    "path",
    [
        "%252e%252e/app/main.py",
        "..%5capp%5cmain.py",
        "..\\app\\main.py",
        "....//app/main.py",
        "%c0%ae%c0%ae/app/main.py",
        "%2fetc%2fpasswd",
        "vendor/../../app/main.py",
        "table.css%00.png",
        "table.css/../../pyproject.toml",
        ".%2e/.%2e/pyproject.toml",
    ],
)
def test_no_file_of_another_folder_is_sent(server: Server, path: str) -> None:
    assert status_of(server.raw(request(f"GET /static/{path}", LAST))) == 404


# How it ends.


@pytest.mark.sqlite
def test_moves_under_way_are_answered_before_the_server_ends(tmp_path: Path) -> None:
    """The database is held by another program, so that all of them wait when the signal comes."""
    server = Server(tmp_path / "data", loaded=False)
    server.start()
    with ExitStack() as stack:
        clients = [stack.enter_context(server.client()) for _ in range(20)]
        games = [Api(client).create()["id"] for client in clients]
        other = stack.enter_context(closing(sqlite3.connect(server.data / FILE_NAME, isolation_level=None)))
        threads = stack.enter_context(ThreadPoolExecutor(20))
        other.execute("BEGIN EXCLUSIVE")
        moves = [threads.submit(Api(client).post, game, 0, "draw") for client, game in zip(clients, games, strict=True)]
        time.sleep(0.3)
        end = threading.Thread(target=server.stop)
        before = time.monotonic()
        end.start()
        time.sleep(0.5)
        assert not any(move.done() for move in moves)
        other.execute("ROLLBACK")
        assert [move.result().status_code for move in moves] == [200] * 20
        end.join()
        assert time.monotonic() - before < 5
    assert server.status == 0
    assert server.rows("SELECT count(*), sum(version) FROM games") == [(20, 20)]
    assert "Traceback" not in server.log


def test_a_move_is_either_answered_or_not_made_when_the_server_ends(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", loaded=False, PYRAMID_PLAYER_RATE="0", PYRAMID_NETWORK_RATE="0")
    server.start()
    begun = threading.Barrier(9)

    def play_on() -> int:
        with server.client() as client:
            game, version = Api(client).create(), 0
            begun.wait()
            try:
                while True:
                    answer = Api(client).post(game["id"], version, "undo" if version % 2 else "draw")
                    assert answer.status_code == 200
                    version += 1
            except httpx2.TransportError:
                return version

    with ThreadPoolExecutor(8) as threads:
        players = [threads.submit(play_on) for _ in range(8)]
        begun.wait()
        time.sleep(0.3)
        before = time.monotonic()
        server.stop()
        assert time.monotonic() - before < 5
        answered = sorted(player.result() for player in players)
    assert server.status == 0
    assert answered[-1] > 0
    assert sorted(version for (version,) in server.rows("SELECT version FROM games")) == answered


def test_what_takes_longer_than_an_ending_server_waits_is_to_be_asked_again(tmp_path: Path) -> None:
    """As if no search were compiled: its twin needs many seconds for the fewest moves of this deal."""
    (tmp_path / "sitecustomize.py").write_text('import sys; sys.modules["app.solver._search"] = None\n', "utf-8")
    server = Server(tmp_path / "data", loaded=False, PYTHONPATH=f"{tmp_path}")
    server.start()
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(2))
        paths = ("/api/v1/deals/endless/1/solution", "/s/endless/1")
        asked = [threads.submit(stack.enter_context(server.client()).get, path) for path in paths]
        time.sleep(0.5)
        before = time.monotonic()
        server.stop()
        assert time.monotonic() - before < 5
        program, page = (answer.result() for answer in asked)
    assert server.status == 0
    assert program.json()["type"] == "urn:pyramid13:unavailable"
    assert page.headers["content-type"].startswith("text/html")
    for answer in (program, page):
        assert answer.status_code == 503
        assert [answer.headers[name] for name in HEADERS] == list(HEADERS.values())
        assert int(answer.headers["retry-after"]) > 0
    assert "Traceback" not in server.log


def test_slow_clients_do_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", loaded=False)
    server.start()
    with ExitStack() as stack:
        for sent in (
            b"",
            b"GET /",
            HALF_A_BODY,
            request("HEAD /rules"),
            request("GET /static/pictures/phones.png") * 99,
        ):
            stack.enter_context(connection_to(server)).sendall(sent)
        time.sleep(0.2)
        before = time.monotonic()
        server.stop()
        assert time.monotonic() - before < 5
    assert server.status == 0
    assert "Traceback" not in server.log
