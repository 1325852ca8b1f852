"""What commands say of a PostgreSQL that cannot be used: one sentence, and no traceback."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from app.store.database.engine import open_engine
from app.store.database.revision import HEAD
from tests.commands.run import SECONDS, command
from tests.postgres import Postgres
from tests.web.server import ROOT, environment

# A PostgreSQL of their own is started in either run; once is enough.
pytestmark = pytest.mark.sqlite

_NAMES = (f"told{number}" for number in count())


@pytest.fixture
def address(postgres: Postgres) -> str:
    """A migrated database."""
    address = postgres.create(next(_NAMES))
    assert command("migrate", PYRAMID_DATABASE=address).returncode == 0
    return address


@pytest.fixture
def without_rights(postgres: Postgres, address: str) -> Iterator[str]:
    """The address for a role that may connect and nothing else."""
    with psycopg.connect(postgres.address(), autocommit=True) as connection:
        connection.execute("CREATE ROLE low LOGIN PASSWORD 'hush'")
        yield f"postgresql://low:hush@{address.rpartition('@')[2]}"
        connection.execute("DROP ROLE low")


def test_a_role_without_rights_is_told_in_one_sentence(without_rights: str) -> None:
    for asked in (["migrate"], ["serve", "--port", "0"]):
        done = command(*asked, PYRAMID_DATABASE=without_rights)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr
        assert done.stderr.startswith(b"pyramid: postgresql://low:***@127.0.0.1")
        assert b"permission denied" in done.stderr
    looked = command("doctor", PYRAMID_DATABASE=without_rights)
    assert (looked.returncode, looked.stderr) == (1, b"")
    assert b"WRONG    database postgresql://low:***@127.0.0.1" in looked.stdout


def test_doctor_waits_for_nobody_who_is_at_work_on_the_database(address: str) -> None:
    with open_engine(Path(), address=address).begin():
        done = command("doctor", PYRAMID_DATABASE=address)
    assert done.returncode == 0, done.stdout
    assert f"ok       database PostgreSQL answers, at revision {HEAD}\n".encode() in done.stdout


def test_alembic_by_hand_works_on_the_database_of_the_settings(address: str, tmp_path: Path) -> None:
    settings = environment(PYRAMID_DATABASE=address, PYRAMID_DATA=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "current"], cwd=ROOT, env=settings, capture_output=True, check=True
    )
    assert done.stdout == f"{HEAD} (head)\n".encode()
    assert list(tmp_path.iterdir()) == []


STARTING = """
import sys
from app.__main__ import main
from app.commands import serve
def wait(_migrated):
    print("migrated", flush=True)
    sys.stdin.readline()
serve._tell = wait
sys.exit(main(["serve", "--port", "0"]))
"""


@pytest.mark.parametrize("shape", ["console", "json"])
def test_a_database_that_goes_away_during_the_start_is_told_in_one_sentence(
    postgres: Postgres, address: str, shape: str
) -> None:
    settings = environment(PYRAMID_DATABASE=address, PYRAMID_LOG_LEVEL="warning", PYRAMID_LOG_FORMAT=shape)
    pipe = subprocess.PIPE
    line = [sys.executable, "-c", STARTING]
    with subprocess.Popen(line, cwd=ROOT, env=settings, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "migrated\n"
        postgres.stop()
        try:
            _, told = server.communicate("\n", timeout=SECONDS)
        finally:
            postgres.start()
    assert (server.returncode, told.count("\n")) == (2, 1), told
    assert told.startswith("pyramid: postgresql://postgres:***@127.0.0.1")
    assert "refused" in told
