"""The command line."""

import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.__main__ import main
from app.commands.solve import Answer, answers
from app.rules.deal import deck_text, read_deal
from app.rules.ruleset import read_rules
from app.rules.show import table_text
from app.rules.state import start
from app.solver.solve import MOST_NODES
from app.store.database.engine import FILE_NAME
from app.store.database.lock import LOCK_NAME
from tests.postgres import free_port
from tests.web.server import ROOT, Server, environment

pytestmark = pytest.mark.sqlite


def command(*arguments: str, folder: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """What ``python -m app`` does with some arguments, at most for as long as a start takes."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment(**({"PYRAMID_DATA": str(folder)} if folder else {}), **settings),
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


def assert_told(done: subprocess.CompletedProcess[str], word: str, *, status: int = 2) -> None:
    """It ended with a status and a sentence that has a word in it, and without a traceback."""
    assert done.returncode == status, done.stderr
    assert word in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("rules", ["endless", "strict", "d3p3r0"])
def test_deal_prints_the_opening_table_and_no_face_down_card(rules: str) -> None:
    done = command("deal", rules, "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == table_text(start(read_rules(rules), read_deal("a").deck)) + "\n"
    stock = deck_text(read_deal("a").deck).split()[29 if rules == "strict" else 28 :]
    assert not [card for card in stock if card in done.stdout]


def test_deal_takes_a_whole_deck() -> None:
    deck = deck_text(read_deal("a").deck, between="")
    assert command("deal", "endless", deck).stdout == command("deal", "endless", "a").stdout


def test_deal_prints_the_whole_deck_in_a_line_that_solve_reads() -> None:
    done = command("deal", "--deck", "endless", "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == deck_text(read_deal("a").deck) + "\n"
    (answer,) = answers(done.stdout.splitlines(), read_rules("endless"), fewest=False, nodes=MOST_NODES)
    assert isinstance(answer, Answer)


def test_a_seed_that_begins_with_a_minus_is_dealt_behind_two() -> None:
    done = command("deal", "open", "--", "-3eS")
    assert done.stdout == table_text(start(read_rules("open"), read_deal("-3eS").deck)) + "\n"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["deal"], "RULES"),
        (["deal", "endless"], "SEED"),
        (["deal", "nope", "a"], "nope"),
        (["deal", "d1p3r0", "a"], "three waste piles need draw 3"),
        (["deal", "endless", "ä"], "seed"),
        (["deal", "endless", "x" * 65], "seed"),
        (["deal", "endless", "Ac" * 52], "double"),
        (["deal", "endless", "a", "b"], "b"),
        (["nothing"], "nothing"),
        (["serve", "--port", "x"], "--port"),
        (["serve", "--port", "65536"], "port"),
        (["serve", "--port", "-1"], "port"),
        (["serve", "--data", "/proc/nothing"], "the data folder /proc/nothing cannot be made"),
        (["serve", "--data", "pyproject.toml"], "pyproject.toml"),
        (["serve", "--nothing"], "--nothing"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2_and_a_message(
    capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    try:
        status: object = main(arguments)
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize(
    ("setting", "text"), [("PYRAMID_PORT", "x"), ("PYRAMID_PORT", "70000"), ("PYRAMID_SYNCHRONOUS", "OFF")]
)
def test_a_setting_that_cannot_be_read_ends_with_status_2_and_its_name(tmp_path: Path, setting: str, text: str) -> None:
    done = command(folder=tmp_path, **{setting: text})
    assert_told(done, setting.removeprefix("PYRAMID_").lower().split("=")[0])


def test_a_port_in_use_is_told_without_a_traceback(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = command("serve", "--port", port, folder=tmp_path)
    assert_told(done, port)
    # Nothing was migrated, or made, for a server that cannot start.
    assert [path.name for path in tmp_path.iterdir()] == [LOCK_NAME]


@pytest.mark.parametrize("host", ["no host", "203.0.113.1", "a" * 80])
def test_an_address_that_nobody_can_listen_on_is_told_in_a_sentence(tmp_path: Path, host: str) -> None:
    done = command("serve", "--port", "0", "--host", host, folder=tmp_path, PYRAMID_LOG_LEVEL="error")
    assert_told(done, f"pyramid: cannot listen on {host}:0: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_no_database_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database" * 1000)
    done = command("serve", "--port", "0", folder=tmp_path)
    assert done.returncode not in {0, None}
    assert "not a database" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_printed() -> None:
    assert command("--version").stdout.strip() == __version__


def test_help_tells_of_the_commands() -> None:
    done = command("--help")
    assert done.returncode == 0
    assert "serve" in done.stdout
    assert "deal" in done.stdout


@pytest.mark.parametrize("with_command", [True, False], ids=["serve", "no command"])
def test_serve_makes_its_folder_and_migrates(tmp_path: Path, *, with_command: bool) -> None:
    folder = tmp_path / "new" / "data"
    with Server(folder, arguments=["serve"] if with_command else [], loaded=False) as server, server.client() as client:
        assert client.get("/").status_code == 200
        assert client.post("/api/v1/games", json={}).status_code == 201
    database = sqlite3.connect(folder / FILE_NAME)
    assert database.execute("SELECT count(*) FROM games").fetchall() == [(1,)]
    database.close()


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    settings = {"PYRAMID_DATA": str(folder), "PYRAMID_PORT": "0", "PYRAMID_SYNCHRONOUS": "NORMAL"}
    with Server(folder, arguments=[], options=[], loaded=False, **settings) as server, server.client() as client:
        assert client.post("/api/v1/games", json={}).status_code == 201
    assert (folder / FILE_NAME).exists()


@pytest.mark.parametrize(("trusted", "times"), [("192.0.2.1", 1), ("127.0.0.1,::1", 0), ("*", 0)])
def test_a_proxy_that_was_not_named_is_warned_about_once(tmp_path: Path, trusted: str, times: int) -> None:
    with Server(tmp_path / "data", PYRAMID_TRUSTED_PROXIES=trusted) as server:
        for headers in ({}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-For": "192.0.2.7"}):
            with server.client(**headers) as client:
                assert client.get("/rules").status_code == 200
        assert server.log.count("PYRAMID_TRUSTED_PROXIES") == times
        assert "192.0.2" not in server.log


def test_a_server_that_listens_on_all_addresses_says_so(tmp_path: Path) -> None:
    settings = {"PYRAMID_HOST": "", "PYRAMID_PORT": str(free_port()), "PYRAMID_DATA": str(tmp_path / "data")}
    with Server(tmp_path / "data", options=[], **settings) as server, server.client() as client:
        assert client.get("/healthz").status_code == 200
        assert f"running on http://0.0.0.0:{settings['PYRAMID_PORT']} " in server.log


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_server_once_it_has_answered_with_status_0(tmp_path: Path, how: signal.Signals) -> None:
    server = Server(tmp_path / "data", loaded=False)
    server.start()
    server.stop(how)
    assert server.status == 0
    assert "Application shutdown complete" in server.log


def test_a_stopped_server_ends_its_answers_and_leaves_one_file_and_its_lock(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with Server(folder, loaded=False) as server, server.client() as client:
        assert client.post("/api/v1/games", json={}).status_code == 201
    assert sorted(path.name for path in folder.iterdir()) == sorted([FILE_NAME, LOCK_NAME])
    assert "Traceback" not in server.log
