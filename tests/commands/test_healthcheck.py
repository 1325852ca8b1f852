"""python -m app healthcheck: asks the server that the settings describe, and nothing else."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.commands.healthcheck import reached
from tests.commands.run import command
from tests.web.server import ROOT, Server


@pytest.fixture
def port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_a_server_that_is_ready_is_found_whatever_its_base_path_and_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(tmp_path / "data", PYRAMID_BASE_PATH="/cards/pyramid") as server:
        monkeypatch.setenv("PYRAMID_PORT", str(server.port))
        monkeypatch.setenv("PYRAMID_BASE_PATH", "/cards/pyramid")
        # A proxy of the environment's is not asked.
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        for host in ("127.0.0.1", "0.0.0.0", "localhost"):  # noqa: S104 - it is not listened on.
            monkeypatch.setenv("PYRAMID_HOST", host)
            assert main(["healthcheck"]) == 0
            assert capsys.readouterr().out.endswith("/cards/pyramid/readyz: ready\n")
        monkeypatch.delenv("PYRAMID_PORT")
        assert main(["healthcheck", "--host", "127.0.0.1", "--port", str(server.port)]) == 0
        capsys.readouterr()
    assert main(["healthcheck", "--port", str(server.port)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("answer", [b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", b"what?\r\n\r\n", b""])
def test_whatever_else_answers_is_not_ready(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: bytes
) -> None:
    program = (
        "import socket, sys; server = socket.create_server(('127.0.0.1', 0)); "
        "print(server.getsockname()[1], flush=True); "
        f"connection, _ = server.accept(); connection.recv(9999); connection.sendall({answer!r})"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        monkeypatch.setenv("PYRAMID_PORT", other.stdout.readline().decode().strip())
        assert main(["healthcheck"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for(port: int) -> None:
    program = (
        f"import socket, sys, time; server = socket.create_server(('127.0.0.1', {port})); print(flush=True); "
        "connection, _ = server.accept(); connection.sendall(b'HTTP/1.1 200 OK\\r\\n'); "
        "[(connection.sendall(b'a'), time.sleep(0.2)) for _ in range(300)]"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = command("healthcheck", "--port", str(port))
        other.kill()
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().endswith("/readyz: no answer within 3 seconds\n")


@pytest.mark.parametrize("host", ["0.0.0.0 ", "a b", "a..b", "a" * 80, "a\0"])
def test_what_is_no_name_of_a_host_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["healthcheck", "--host", host]) == 1
    told = capsys.readouterr().err
    assert f"“{host}” is no name of a host" in told
    assert told.count("\n") == 1


def test_where_nobody_listens_or_nobody_knows_it_is_not_ready(
    port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_PORT", str(port))
    assert main(["healthcheck"]) == 1
    assert str(port) in capsys.readouterr().err
    monkeypatch.setenv("PYRAMID_PORT", "0")
    assert main(["healthcheck"]) == 1
    assert "PYRAMID_PORT is 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("0.0.0.0", "127.0.0.1"),  # noqa: S104 - it is not listened on.
        ("::", "::1"),
        ("", "127.0.0.1"),
        ("::1", "::1"),
        ("192.168.1.2", "192.168.1.2"),
        ("cards.lan", "cards.lan"),
    ],
)
def test_it_asks_where_the_server_is_reached(host: str, local: str) -> None:
    assert reached(host) == local


def test_it_loads_neither_the_application_nor_the_database() -> None:
    program = (
        "import sys; from app.__main__ import main; main(['healthcheck']); "
        "sys.exit(','.join({'fastapi', 'sqlalchemy', 'jinja2', 'uvicorn', 'app.main'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
