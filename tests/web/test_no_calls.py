"""The server calls nobody: no update check, no telemetry, nothing fetched; it plays where there is no network."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests import databases
from tests.web.api import SEED, Api
from tests.web.browser import post_form
from tests.web.server import ROOT, Server, environment

CALLERS = {"aiohttp", "asyncio.streams", "ftplib", "http.client", "httpx", "httpx2", "requests", "smtplib", "socket"}
CALLERS |= {"ssl", "telnetlib", "urllib.request", "urllib3", "webbrowser", "xmlrpc"}
TO_ITSELF = {"app/commands/healthcheck.py", "app/commands/port.py"}
"""What asks the own server how it is, and what tries the own address before listening on it."""

OWN_ADDRESS = "127.0.0.1"

HOOK = f"""
import os, sys
def told(event, arguments):
    listening = event == "socket.getaddrinfo" and arguments[0] == {OWN_ADDRESS!r}
    if event in {{"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}} and not listening:
        os.write(2, f"CALLED: {{event}} {{arguments[1:]}}\\n".encode())
sys.addaudithook(told)
"""


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    """Settings under which a Python says on standard error whom it calls."""
    folder = tmp_path / "hook"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(HOOK, "utf-8")
    return {"PYTHONPATH": str(folder)}


def imported(path: Path) -> set[str]:
    """What a module imports, by its full name and by that of the package."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found | {name.partition(".")[0] for name in found}


def test_a_call_would_be_seen(watched: dict[str, str]) -> None:
    program = "import socket; socket.getaddrinfo('localhost', 80)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(**watched), capture_output=True, text=True, check=True
    )
    assert "CALLED: socket.getaddrinfo" in done.stderr


@pytest.mark.skipif(databases.POSTGRESQL, reason="the database is somebody to be called")
def test_nobody_is_called_from_the_start_to_the_end(tmp_path: Path, watched: dict[str, str]) -> None:
    with Server(tmp_path / "data", loaded=False, **watched) as server, server.client() as client:
        api = Api(client)
        game = api.act(api.create(rules="open", seed=SEED), "draw", "undo")
        pages = ["/", "/rules", "/learn", "/daily", "/you", "/me", "/settings", "/version", "/readyz"]
        for path in (*pages, f"/g/{game['id']}", f"/p/open/{SEED}", f"/s/open/{SEED}", "/api/v1/openapi.json"):
            assert client.get(path).status_code == 200, path
        assert post_form(client, "/you/code").status_code == 200
        assert client.get("/docs").status_code == 404
    assert "CALLED" not in server.log
    assert "Finished server process" in server.log


@pytest.mark.parametrize(
    "path", sorted((ROOT / "app").rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_module_has_what_one_calls_others_with(path: Path) -> None:
    if path.relative_to(ROOT).as_posix() not in TO_ITSELF:
        assert imported(path) & CALLERS == set()
