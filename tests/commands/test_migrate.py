"""python -m app migrate, on either kind of database; and the commands that know SQLite only."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from app.store.database.engine import FILE_NAME
from app.store.database.revision import HEAD
from tests.commands.run import arguments_of, command
from tests.postgres import Postgres
from tests.store.earlier import counts, laid
from tests.web.server import ROOT, environment


def test_an_old_database_is_migrated_and_it_is_told_from_what_to_what_and_where_the_old_one_is(tmp_path: Path) -> None:
    before = counts(laid("0002", tmp_path))
    done = command("migrate", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (backup,) = (tmp_path / "backups").iterdir()
    assert f"was at revision 0002; it is now at {HEAD}" in done.stdout.decode()
    assert str(backup) in done.stdout.decode()
    assert counts(backup) == before
    assert {name: counts(tmp_path / FILE_NAME)[name] for name in before} == before
    assert b"nothing to do" in command("migrate", "--data", str(tmp_path)).stdout


@pytest.mark.parametrize("name", ["a?b", "a%20b#c", "a:b@c"])
def test_the_database_is_in_the_folder_whatever_its_name_would_mean_in_an_address(tmp_path: Path, name: str) -> None:
    done = command("migrate", folder=tmp_path, PYRAMID_DATA=name)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert counts(tmp_path / name / FILE_NAME)["games"] == 0


def test_of_servers_that_migrate_one_postgresql_at_once_one_does_and_all_go_on(postgres: Postgres) -> None:
    settings = environment(PYRAMID_DATABASE=postgres.create("three"))
    started = [
        subprocess.Popen(arguments_of("migrate"), cwd=ROOT, env=settings, stdout=subprocess.PIPE) for _ in range(3)
    ]
    for process in started:
        told, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert HEAD.encode() in told


def test_a_postgresql_of_a_later_version_is_refused_in_one_sentence(postgres: Postgres) -> None:
    address = postgres.create("later")
    assert command("migrate", PYRAMID_DATABASE=address).returncode == 0
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for name in ("migrate", "serve"):
        done = command(name, PYRAMID_DATABASE=address, PYRAMID_PORT="0")
        assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
        assert b"is at revision 9999" in done.stderr
    looked = command("doctor", PYRAMID_DATABASE=address)
    assert looked.returncode == 1
    assert b"WRONG    database PostgreSQL answers, at revision 9999" in looked.stdout


@pytest.mark.parametrize(("name", "tool"), [("backup", b"pg_dump"), ("restore", b"pg_restore")])
def test_what_is_for_sqlite_only_names_postgresql_s_own_program(tmp_path: Path, name: str, tool: bytes) -> None:
    done = command(name, str(tmp_path / "file"), PYRAMID_DATABASE="postgresql://me@127.0.0.1:9/name")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert tool in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_command_loads_no_other(tmp_path: Path) -> None:
    program = (
        "import sys; from app.__main__ import main; main(['migrate', '--data', sys.argv[1]]); "
        "sys.exit(','.join(sorted({'fastapi', 'app.commands.solve', 'app.commands.serve'} & set(sys.modules))) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path], cwd=ROOT, env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
