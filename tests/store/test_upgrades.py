"""Databases of every schema there has been come to the newest one with all that is in them."""

import json
import sqlite3
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from app.commands.migrate import migrated_text
from app.config import Settings
from app.main import create_app
from app.store.database import schema
from app.store.database.engine import FILE_NAME, open_engine
from app.store.database.revision import HEAD, MIGRATIONS, REVISIONS
from app.store.database.schema import bring_up, migrate
from app.store.errors import Newer, NoBackup, NotMigrated
from tests.conftest import new_client
from tests.store.earlier import DATABASES, KEPT, counts, laid
from tests.web.server import ROOT, Server

pytestmark = pytest.mark.sqlite

MARKS = {
    "0001.json": "308fc718036f767ba4fbb7c81bc19c0decd5b78866cd70f366ee19794165b665",
    "0001.sqlite3": "48cde31f1dc1e42ae9d9fd2cb2c7ec9990f969b1b3d257388a69c149d02a46bf",
    "0002.json": "3178c2a129f7b77e689a47da108895aa0807544944a9da28600df07ebeb4538e",
    "0002.sqlite3": "b771f7ca041bf04fe41a1163fa03aed2efff0577fb0e86603329e1da9ae45090",
    "0003.json": "910822cbc09f5509a49d17ea8ed139bc39a0bde6300c988374ba878867b01e1e",
    "0003.sqlite3": "5fdda3aec5a2530e68cc6bb82819d30c809f4ab0d1e6749a8e12b2946f85f4af",
    "0004.json": "3ba3e7570a2dd7eed8fece934387b4efe092be7731e1b941296df6f2bc9b541a",
    "0004.sqlite3": "feb12dac6f4005dee3f69a604a4d8f41c65dc4a38506fff3786943cbcede2312",
    "0005.json": "27b050ff365050cc106c7705d6893b31504de35647a9e2f8ffc1577b83dce73c",
    "0005.sqlite3": "4dd9fd6eea60ad349d89601718d2a84fd6dbeee1f0250b0a8aae4f9785a7eccc",
}
"""SHA-256 of what is kept: a database of another day is another one, and would show less than this one does."""

KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from app.store.database.engine import open_engine
from app.store.database.schema import bring_up

engine, left = open_engine(Path(sys.argv[1])), [int(sys.argv[2])]

@event.listens_for(engine, "after_cursor_execute")
def count(_connection, _cursor, statement, *_others):
    if statement.split()[0] in {"CREATE", "ALTER", "INSERT", "UPDATE", "DROP"}:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

bring_up(engine, keep=5)
"""


def test_a_database_of_every_earlier_schema_is_kept() -> None:
    assert set(REVISIONS) - {HEAD} <= set(KEPT)
    assert all((DATABASES / f"{revision}.sqlite3").stat().st_size < 60_000 for revision in KEPT)


def test_what_is_kept_of_earlier_schemas_stays_as_it_is() -> None:
    found = [path for path in DATABASES.iterdir() if path.name[0].isdigit()]
    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in found} == MARKS


@pytest.mark.parametrize("revision", KEPT)
def test_a_kept_database_has_rows_in_every_table(revision: str, tmp_path: Path) -> None:
    assert all(counts(laid(revision, tmp_path)).values())


@pytest.mark.parametrize("revision", KEPT)
def test_an_old_database_comes_to_the_newest_schema_with_all_its_rows(revision: str, tmp_path: Path) -> None:
    database = laid(revision, tmp_path)
    before = counts(database)
    engine = open_engine(tmp_path)
    done = bring_up(engine, keep=5)
    assert (done.before, done.after) == (revision, HEAD)
    after = counts(database)
    assert {name: after.get(name) for name in before} == before
    if revision != HEAD:
        assert done.backup is not None
        assert counts(done.backup) == before
    # The very schema that a new database gets.
    fresh = open_engine(tmp_path / "fresh")
    migrate(fresh)
    with engine.connect() as one, fresh.connect() as other:
        described = "SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name"
        assert one.exec_driver_sql(described).all() == other.exec_driver_sql(described).all()


@pytest.mark.parametrize("revision", KEPT)
def test_the_players_of_an_old_database_find_their_games_as_they_were(revision: str, tmp_path: Path) -> None:
    laid(revision, tmp_path)
    engine = open_engine(tmp_path)
    bring_up(engine, keep=5)
    players = json.loads((DATABASES / f"{revision}.json").read_text("utf-8"))
    found = 0
    with new_client(create_app(Settings(data=tmp_path, unfinished_days=0))) as client:
        for player in players:
            client.cookies.clear()
            client.cookies.set("pyramid_player", player["token"])
            for game_id, then in player["games"].items():
                now = client.get(f"/api/v1/games/{game_id}").json()
                running = then["status"] == "playing"
                assert {name: now.get(name) for name in then if not (running and name == "seconds")} == {
                    name: value for name, value in then.items() if not (running and name == "seconds")
                }
                found += 1
                assert client.get(f"/g/{game_id}").status_code == 200
            assert client.get("/me/games").text.count("/g/") >= 4
    assert found == 12


def test_the_last_migration_of_an_old_database_can_be_taken_back_and_run_again(tmp_path: Path) -> None:
    database = laid(REVISIONS[-2], tmp_path)
    before = counts(database)
    engine = open_engine(tmp_path)
    migrate(engine)
    migrate(engine, lambda config: command.downgrade(config, "-1"))
    assert counts(database) == before
    migrate(engine)
    assert {name: counts(database)[name] for name in before} == before


def test_at_the_newest_schema_nothing_of_alembic_is_loaded(tmp_path: Path) -> None:
    migrate(open_engine(tmp_path))
    program = (
        "import sys; from pathlib import Path; from app.store.database.engine import open_engine; "
        "from app.store.database.schema import bring_up; bring_up(open_engine(Path(sys.argv[1])), keep=1); "
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, tmp_path], cwd=ROOT, check=False).returncode == 0
    assert not (tmp_path / "backups").exists()


def test_the_backups_before_migrations_are_kept_in_part_and_others_all(tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "replaced-20200101T000000Z.sqlite3").touch()
    made = []
    for _ in range(4):
        laid("0001", tmp_path)
        engine = open_engine(tmp_path)
        made.append(bring_up(engine, keep=2).backup)
        engine.dispose()
    assert sorted(backups.glob("pre-*")) == sorted(made[-2:])
    assert len(list(backups.iterdir())) == 3


def test_a_database_of_a_later_version_is_refused_in_one_sentence(tmp_path: Path) -> None:
    database = laid("0004", tmp_path)
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    before = counts(database)
    with pytest.raises(Newer) as refusal:
        bring_up(open_engine(tmp_path), keep=5)
    assert str(refusal.value) == (
        f"the database is at revision 9999, this version knows up to {HEAD}; run a newer version, or restore a backup"
    )
    assert not (tmp_path / "backups").exists()
    done = subprocess.run(
        [sys.executable, "-m", "app", "serve", "--port", "0", "--data", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"pyramid: {refusal.value}\n"
    # SQLite's header tells by now that there may be a log; the rows are what they were.
    assert counts(database) == before


def test_a_migration_that_fails_changes_nothing_and_names_the_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = laid("0001", tmp_path)
    before = counts(database)

    def broken(config: object) -> None:
        command.upgrade(config, "0003")  # type: ignore[arg-type]
        raise RuntimeError("no more room\nfor it")

    monkeypatch.setattr(schema, "_upgrade", broken)
    with pytest.raises(NotMigrated) as failure:
        bring_up(open_engine(tmp_path), keep=5)
    (backup,) = (tmp_path / "backups").iterdir()
    told = str(failure.value)
    assert "\n" not in told
    assert all(word in told for word in ("0001", HEAD, "RuntimeError: no more room for it", str(backup)))
    assert counts(database) == counts(backup) == before
    monkeypatch.undo()
    assert bring_up(open_engine(tmp_path), keep=5).before == "0001"


def test_a_migration_that_fails_at_the_start_ends_the_server_before_it_listens(tmp_path: Path) -> None:
    database = laid("0003", tmp_path)
    connection = sqlite3.connect(database)
    with connection:
        # What the next migration is to add is there already.
        connection.execute("ALTER TABLE games ADD COLUMN paused_at BIGINT")
    connection.close()
    done = subprocess.run(
        [sys.executable, "-m", "app", "serve", "--port", "0", "--data", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    (backup,) = (tmp_path / "backups").iterdir()
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "paused_at" in done.stderr
    assert str(backup) in done.stderr


def test_a_damaged_database_is_not_migrated(tmp_path: Path) -> None:
    database = laid("0003", tmp_path)
    whole = bytearray(database.read_bytes())
    end = len(whole)
    whole[end - 8192 : end - 4096] = bytes(4096)
    database.write_bytes(whole)
    with pytest.raises(NoBackup, match=r"damaged|malformed"):
        bring_up(open_engine(tmp_path), keep=5)
    assert not list(tmp_path.glob("backups/*"))


@pytest.mark.parametrize("statement", [1, 9, 30])
def test_after_a_kill_in_the_middle_of_a_migration_the_next_start_completes_it(tmp_path: Path, statement: int) -> None:
    folder = tmp_path / "data"
    before = counts(laid("0001", folder))
    killed = subprocess.run([sys.executable, "-c", KILLED, folder, str(statement)], cwd=ROOT, check=False)
    assert killed.returncode == -9
    assert counts(folder / FILE_NAME) == before
    with Server(folder, PYRAMID_DATABASE="") as server, server.client() as client:
        assert client.get("/").status_code == 200
    after = counts(folder / FILE_NAME)
    # The server has made a secret that there was not yet.
    assert {name: after[name] for name in before} == {**before, "secrets": 2}
    assert [path.name[:8] for path in (folder / "backups").iterdir()] == [f"pre-{HEAD}"] * 2


def test_what_was_done_is_told(tmp_path: Path) -> None:
    engine = open_engine(tmp_path)
    assert migrated_text(bring_up(engine, keep=5)) == f"the database was empty; it is now at revision {HEAD}"
    assert "nothing to do" in migrated_text(bring_up(engine, keep=5))


def test_the_revisions_are_those_that_alembic_finds() -> None:

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    walked = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(walked)) == REVISIONS
