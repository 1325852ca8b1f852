"""``python -m app transfer``: a house carried to PostgreSQL and back, with all that is in it."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from app.store.database.engine import open_engine
from app.store.database.schema import migrate
from app.store.database.transfer import transfer
from app.store.errors import NotTransferred
from app.store.tables import metadata
from tests.commands.run import command
from tests.postgres import Postgres
from tests.store.earlier import laid
from tests.web.api import Api
from tests.web.server import Server

# A PostgreSQL of their own is started in either run; once is enough.
pytestmark = pytest.mark.sqlite


def contents(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with engine.connect() as connection:
        found = {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
        }
    engine.dispose()
    return found


def furnish(server: Server) -> tuple[str, str]:
    """Something in every table that matters; a player's token and the id of his game."""
    with server.client() as client, server.client() as left:
        api = Api(client)
        game = api.act(api.create(seed="a"), "draw", "Kc", "6c+7d")
        client.get("/api/v1/deals/classic/a/solution")
        client.get("/daily/endless")
        # The last player leaves, and his number with him.
        Api(left).create(seed="b")
        same_site = {"Sec-Fetch-Site": "same-origin"}
        assert left.post("/you/delete", data={"sure": "yes"}, headers=same_site).status_code in {200, 303}
        return str(client.cookies["pyramid_player"]), str(game["id"])


def test_a_house_is_carried_to_postgresql_and_back_with_all_that_is_in_it(postgres: Postgres, tmp_path: Path) -> None:
    address = postgres.create("carried")
    with Server(tmp_path / "here") as server:
        token, game_id = furnish(server)
    before = contents(open_engine(tmp_path / "here"))
    settings = {"PYRAMID_DATA": str(tmp_path / "here"), "PYRAMID_DATABASE": address}
    there = command("transfer", "postgresql", **settings)
    assert there.returncode == 0, there.stderr
    for table, rows in before.items():
        assert f"{len(rows):,} {table}\n".encode() in there.stdout
    assert contents(open_engine(Path(), address=address)) == before
    assert contents(open_engine(tmp_path / "here")) == before

    again = command("transfer", "postgresql", **settings)
    assert (again.returncode, again.stderr.count(b"\n")) == (1, 1)
    assert b"not empty (1 player, 1 game)" in again.stderr
    assert b"createdb" in again.stderr

    with Server(tmp_path / "unused", PYRAMID_DATABASE=address) as server:
        with server.client(Cookie=f"pyramid_player={token}") as client:
            assert Api(client).act(Api(client).show(game_id), "draw")["version"] == 4
        with server.client() as client:
            Api(client).create(seed="c")
        ids = [row[0] for row in contents(open_engine(Path(), address=address))["players"]]
    # The number of the player who has left was not given again.
    assert ids == [1, 3]

    settings["PYRAMID_DATA"] = str(tmp_path / "back")
    back = command("transfer", "sqlite", **settings)
    assert back.returncode == 0, back.stderr
    assert contents(open_engine(tmp_path / "back")) == contents(open_engine(Path(), address=address))
    with Server(tmp_path / "back") as server, server.client(Cookie=f"pyramid_player={token}") as client:
        assert Api(client).act(Api(client).show(game_id), "draw")["version"] == 5
        with server.client() as fresh:
            Api(fresh).create(seed="d")
    assert [row[0] for row in contents(open_engine(tmp_path / "back"))["players"]] == [1, 3, 4]


def test_without_an_address_nothing_is_carried(tmp_path: Path) -> None:
    done = command("transfer", "postgresql", PYRAMID_DATA=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, b"pyramid: PYRAMID_DATABASE names no PostgreSQL database\n")


def test_an_address_that_leads_nowhere_is_told_without_its_password(tmp_path: Path) -> None:
    laid("0004", tmp_path)
    address = "postgresql://someone:hush@127.0.0.1:1/none"
    for to in ("postgresql", "sqlite"):
        done = command("transfer", to, PYRAMID_DATA=str(tmp_path), PYRAMID_DATABASE=address)
        assert done.returncode == 2
        assert b"127.0.0.1" in done.stderr
        assert b"hush" not in done.stderr
        assert b"Traceback" not in done.stderr


def test_from_where_no_database_is_nothing_is_carried_and_none_is_made(postgres: Postgres, tmp_path: Path) -> None:
    settings = {"PYRAMID_DATA": str(tmp_path / "none"), "PYRAMID_DATABASE": postgres.create("nothing")}
    for to in ("postgresql", "sqlite"):
        done = command("transfer", to, **settings)
        assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
        assert (str(tmp_path / "none") if to == "postgresql" else "127.0.0.1").encode() in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_postgresql_on_which_nobody_has_played_yet_counts_as_empty_once_no_server_has_it(
    postgres: Postgres, tmp_path: Path
) -> None:
    address = postgres.create("begun")
    with Server(tmp_path / "here", PYRAMID_DATABASE="") as server:
        furnish(server)
    before = contents(open_engine(tmp_path / "here"))
    settings = {"PYRAMID_DATA": str(tmp_path / "here"), "PYRAMID_DATABASE": address}
    with Server(tmp_path / "unused", PYRAMID_DATABASE=address) as server, server.client() as client:
        client.get("/daily/endless")
        for to in ("postgresql", "sqlite"):
            refused = command("transfer", to, **settings)
            assert (refused.returncode, refused.stderr.count(b"\n")) == (1, 1)
            assert b"a server is using the PostgreSQL database" in refused.stderr
    assert contents(open_engine(Path(), address=address))["secrets"] not in ([], before["secrets"])
    done = command("transfer", "postgresql", **settings)
    assert done.returncode == 0, done.stderr
    assert contents(open_engine(Path(), address=address)) == before


def test_where_fewer_rows_arrive_than_were_sent_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    laid("0004", tmp_path / "here")
    source, target = (open_engine(tmp_path / name) for name in ("here", "there"))
    for engine in (source, target):
        migrate(engine)
    with target.begin() as connection:
        # A database that takes one verdict and no more.
        lost = "WHEN (SELECT count(*) FROM verdicts) = 1 BEGIN SELECT RAISE(IGNORE); END"
        connection.exec_driver_sql(f"CREATE TRIGGER lose BEFORE INSERT ON verdicts {lost}")
    before = contents(source)
    with pytest.raises(NotTransferred, match="not as many rows"):
        transfer(source, target)
    assert contents(source) == before
    assert not any(contents(target).values())
    with target.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER lose")
    assert transfer(source, target) == {name: len(rows) for name, rows in before.items()}
    assert contents(target) == before
