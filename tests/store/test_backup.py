"""Backups: made while moves are answered, whole, and put back without a loss."""

import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from app.store.database.backup import back_up, back_up_into, restore
from app.store.database.engine import FILE_NAME, open_engine
from app.store.database.schema import migrate
from app.store.errors import Newer, NoBackup
from tests.commands.run import command
from tests.store.earlier import DATABASES, counts
from tests.web.api import Api, JsonObject
from tests.web.server import Server

pytestmark = pytest.mark.sqlite

CLIENTS = 6


class Writer(threading.Thread):
    """Draws and turns back, game after game, as fast as it is answered, until it is told to stop."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.answered: dict[str, JsonObject] = {}
        self.sent: dict[str, int] = {}
        self.moves = 0
        self.stopped = threading.Event()
        self._server = server

    def run(self) -> None:
        with self._server.client() as client:
            while not self.stopped.is_set():
                self._play(Api(client))

    def _play(self, api: Api) -> None:
        game = api.create(rules="endless")
        for _ in range(40):
            self.sent[game["id"]] = game["version"] + 1
            game = api.act(game, "draw" if "draw" in game["actions"] else "redeal")
            self.answered[game["id"]] = game
            self.moves += 1


def stored(database: Path) -> dict[str, tuple[int, int]]:
    """For each game its version and how many actions it has; the file must be whole."""
    found = counts(database)
    connection = sqlite3.connect(database)
    try:
        rows = connection.execute("SELECT id, version, actions FROM games").fetchall()
    finally:
        connection.close()
    assert found["games"] == len(rows)
    return {game: (version, len(actions.split())) for game, version, actions in rows}


def answers(writers: list[Writer]) -> dict[str, int]:
    """The last version that was answered, for each game."""
    return {game: shown["version"] for writer in writers for game, shown in list(writer.answered.items())}


def test_a_backup_under_full_load_holds_every_move_answered_before_it_and_a_prefix_of_the_rest(tmp_path: Path) -> None:
    target, found = tmp_path / "backup.sqlite3", 0
    quick = {"PYRAMID_DATABASE": "", "PYRAMID_PLAYER_RATE": "0", "PYRAMID_NETWORK_RATE": "0"}
    with Server(tmp_path / "data", **quick) as server:
        writers = [Writer(server) for _ in range(CLIENTS)]
        for writer in writers:
            writer.start()
        for round_ in range(3):
            deadline = time.monotonic() + 20
            while sum(answers(writers).values()) <= found + 100:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            before = answers(writers)
            copy = target.with_stem(f"backup-{round_}")
            back_up(server.data / FILE_NAME, copy)
            sent = {game: version for writer in writers for game, version in list(writer.sent.items())}
            games = stored(copy)
            assert set(before) <= set(games)
            for game, (version, actions) in games.items():
                assert before.get(game, 0) <= version == actions <= sent.get(game, 0)
            found += sum(before.values())
        for writer in writers:
            writer.stopped.set()
        for writer in writers:
            writer.join()
        moved = sum(writer.moves for writer in writers)
    assert found > 300
    assert moved > sum(before.values())
    # Restored, it is played on.
    contents, kept = restore(copy, server.data / FILE_NAME)
    assert kept is not None
    assert stored(server.data / FILE_NAME) == games
    assert contents.games == len(games)
    assert sum(version for version, _ in stored(kept).values()) == moved
    with server, server.client() as client:
        assert Api(client).create()["version"] == 0


def a_database(folder: Path, revision: str = "0004") -> Path:
    """A database in a folder of its own, as a server that was killed leaves it: with a log."""
    folder.mkdir(parents=True)
    database = folder / FILE_NAME
    database.write_bytes((DATABASES / f"{revision}.sqlite3").read_bytes())
    return database


def leave_a_log(database: Path, name: str) -> None:
    """What a server leaves that is killed: a last change that stands in the log only."""
    live = sqlite3.connect(database, isolation_level=None)
    live.execute("PRAGMA journal_mode=WAL")
    live.execute("UPDATE players SET name = ? WHERE id = 1", (name,))
    kept = {end: database.with_name(database.name + end).read_bytes() for end in ("", "-wal")}
    live.close()
    for end, content in kept.items():
        database.with_name(database.name + end).write_bytes(content)


def name_of_the_first(database: Path) -> str:
    connection = sqlite3.connect(database)
    try:
        return str(connection.execute("SELECT name FROM players WHERE id = 1").fetchone()[0])
    finally:
        connection.close()


def test_a_backup_holds_what_stands_in_the_log_only(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    leave_a_log(database, "Ramses")
    back_up(database, tmp_path / "copy")
    assert name_of_the_first(tmp_path / "copy") == "Ramses"


def test_a_restored_database_is_not_spoilt_by_the_log_of_the_old_one_which_is_kept_with_it(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    back_up(database, tmp_path / "copy")
    name = name_of_the_first(database)
    leave_a_log(database, "Ramses")
    _, kept = restore(tmp_path / "copy", database)
    assert sorted(path.name for path in database.parent.iterdir()) == ["backups", FILE_NAME]
    assert name_of_the_first(database) == name
    assert kept is not None
    assert kept.parent == database.parent / "backups"
    assert kept.name.startswith("replaced-")
    assert name_of_the_first(kept) == "Ramses"


def test_a_damaged_database_is_kept_as_it_is_when_a_backup_takes_its_place(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    back_up(database, tmp_path / "copy")
    database.write_bytes(b"this is no database" * 100)
    _, kept = restore(tmp_path / "copy", database)
    assert kept is not None
    assert kept.read_bytes() == b"this is no database" * 100
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert counts(database) == counts(tmp_path / "copy")


def test_a_damaged_database_is_kept_with_its_log_and_both_have_their_names_at_once(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    back_up(database, tmp_path / "copy")
    leave_a_log(database, "Ramses")
    content = bytearray(database.read_bytes())
    content[:100] = bytes(100)
    database.write_bytes(content)
    log = database.with_name(f"{FILE_NAME}-wal")
    kept_log = log.read_bytes()
    _, kept = restore(tmp_path / "copy", database)
    assert kept is not None
    assert kept.read_bytes() == content
    assert all(path.name.startswith(kept.name) for path in kept.parent.iterdir())
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == kept_log
    assert sorted(path.name for path in database.parent.iterdir()) == ["backups", FILE_NAME]


def test_a_restored_file_belongs_to_whom_the_folder_belongs(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    back_up(database, tmp_path / "copy")
    if os.geteuid() == 0:
        os.chown(database.parent, 12_345, 12_345)
    _, kept = restore(tmp_path / "copy", database)
    assert kept is not None
    assert {path.stat().st_uid for path in (database, kept, kept.parent)} == {database.parent.stat().st_uid}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_in_a_folder_of_root_s_it_belongs_to_whom_the_database_before_it_belonged(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    os.chown(database, 12_345, 12_345)
    target, _ = back_up_into(database.parent / "backups", database)
    _, kept = restore(target, database)
    assert kept is not None
    assert {path.stat().st_uid for path in (database, kept, target, kept.parent)} == {12_345}


def test_where_there_was_nothing_a_backup_is_restored_and_nothing_kept(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    contents, kept = restore(DATABASES / "0001.sqlite3", tmp_path / "data" / FILE_NAME)
    assert kept is None
    assert (contents.revision, contents.players, contents.games) == ("0001", 3, 12)


def spoilt(folder: Path, kind: str) -> Path:
    """A file that is not to be restored."""
    path = folder / "spoilt.sqlite3"
    if kind in {"newer", "other"}:
        path.write_bytes((DATABASES / "0004.sqlite3").read_bytes())
        connection = sqlite3.connect(path)
        with connection:
            connection.execute(
                "UPDATE alembic_version SET version_num = '9999'" if kind == "newer" else "DROP TABLE alembic_version"
            )
        connection.close()
    elif kind == "damaged":
        content = bytearray((DATABASES / "0004.sqlite3").read_bytes())
        content[-8192:-4096] = bytes(4096)
        path.write_bytes(content)
    elif kind == "cut":
        path.write_bytes((DATABASES / "0004.sqlite3").read_bytes()[:20_000])
    elif kind == "text":
        path.write_text("no database\n" * 1000, "utf-8")
    elif kind == "empty":
        path.touch()
    elif kind == "folder":
        path.mkdir()
    return path


@pytest.mark.parametrize("kind", ["newer", "other", "damaged", "cut", "text", "empty", "folder", "missing"])
def test_what_is_no_backup_is_refused_before_anything_is_touched(tmp_path: Path, kind: str) -> None:
    database = a_database(tmp_path / "data")
    before = database.read_bytes()
    source = spoilt(tmp_path, kind)
    with pytest.raises(Newer if kind == "newer" else NoBackup) as refusal:
        restore(source, database)
    assert str(source) in str(refusal.value)
    assert [path.name for path in database.parent.iterdir()] == [FILE_NAME]
    assert database.read_bytes() == before


def test_a_backup_takes_no_other_file_s_place(tmp_path: Path) -> None:
    database = a_database(tmp_path / "data")
    (tmp_path / "copy").write_text("mine", "utf-8")
    with pytest.raises(NoBackup, match="exists already"):
        back_up(database, tmp_path / "copy")
    assert (tmp_path / "copy").read_text("utf-8") == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(NoBackup, match="exists already"):
        back_up(database, tmp_path / "link")
    with pytest.raises(NoBackup, match="no folder"):
        back_up(database, tmp_path / "no" / "copy")
    with pytest.raises(NoBackup, match=r"no file|no database"):
        back_up(tmp_path / "none", tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "data", "link"]


def test_the_commands_back_up_a_served_database_and_restore_it_once_it_is_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Server(data, PYRAMID_DATABASE="") as server, server.client() as client:
        game = Api(client).act(Api(client).create(), "draw")
        made = command("backup", str(tmp_path), "--data", str(data))
        assert made.returncode == 0, made.stderr
        assert b"1 player, 1 game, at" in made.stdout
        (copy,) = tmp_path.glob("pyramid-*.sqlite3")
        again = command("backup", str(copy), "--data", str(data))
        assert (again.returncode, again.stderr.count(b"\n")) == (1, 1)
        refused = command("restore", str(copy), "--data", str(data))
        assert (refused.returncode, refused.stderr.count(b"\n")) == (1, 1)
        assert str(data).encode() in refused.stderr
        token = client.cookies["pyramid_player"]
        Api(client).act(game, "draw")
    done = command("restore", str(copy), "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert b"replaced-" in done.stdout
    with server, server.client(Cookie=f"pyramid_player={token}") as client:
        assert Api(client).show(game["id"])["version"] == 1


def test_a_backup_of_a_later_program_is_told_so_by_the_command(tmp_path: Path) -> None:
    done = command("restore", str(spoilt(tmp_path, "newer")), "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert b"revision 9999" in done.stderr
    assert b"Traceback" not in done.stderr


def test_an_engine_opens_what_was_restored(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    restore(DATABASES / "0002.sqlite3", tmp_path / "data" / FILE_NAME)
    migrate(open_engine(tmp_path / "data"))
    assert counts(tmp_path / "data" / FILE_NAME)["games"] == 12
