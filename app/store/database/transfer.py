"""Carrying a whole installation from one database to another, of whatever kinds."""

import time

from sqlalchemy import Connection, Engine, Table, bindparam, delete, func, insert, select, text, update

from app.store.database.engine import patient
from app.store.errors import NotTransferred, counted
from app.store.tables import games, metadata, players

_AT_ONCE = 1_000
_PATIENCE_SECONDS = 300
_LEAVING_SECONDS = 3
"""How long PostgreSQL may still count who has just closed a connection."""

_OTHERS = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()"""

_EMPTIED = {
    "sqlite": "name a folder without a database, or move this one's file away",
    "postgresql": "name an empty one, or make this one anew: dropdb, then createdb",
}


def transfer(source: Engine, target: Engine) -> dict[str, int]:
    """Copy every row of every table, in one transaction of the target; how many there are, by table.

    Both have the newest schema. Secrets, tokens and keys are among what is copied, so that cookies, links and daily
    deals stay as they are; those that a server made at its first start, before anybody played, are replaced. Raises
    NotTransferred where the target holds a player or a game already, or the counts do not agree.
    """
    with (
        patient(source, _PATIENCE_SECONDS) as giving,
        giving.begin(),
        patient(target, _PATIENCE_SECONDS) as taking,
        taking.begin(),
    ):
        _empty(taking)
        for table in metadata.sorted_tables:
            _copy(giving, taking, table)
        _go_on_counting(taking, _highest(giving))
        counts = _counts(giving)
        if _counts(taking) != counts:
            raise NotTransferred("not as many rows arrived as were sent; nothing was kept")
    return counts


def check_unused(engine: Engine) -> None:
    """Raises NotTransferred where a server has a PostgreSQL open; SQLite's folder has a lock for that."""
    if engine.dialect.name == "sqlite":
        return
    deadline = time.monotonic() + _LEAVING_SECONDS
    # A transaction counts once; each look is one of its own.
    while _others(engine):
        if time.monotonic() > deadline:
            raise NotTransferred("a server is using the PostgreSQL database; stop all servers first")
        time.sleep(0.1)


def _others(engine: Engine) -> int:
    with patient(engine, _PATIENCE_SECONDS) as connection, connection.begin():
        return int(connection.scalar(text(_OTHERS)) or 0)


def _empty(connection: Connection) -> None:
    """Make a database empty in which nobody has played; raises NotTransferred where somebody has."""
    counts = _counts(connection)
    if counts[players.name] or counts[games.name]:
        raise NotTransferred(
            f"the database to carry to is not empty ({counted(counts[players.name], 'player')}, "
            f"{counted(counts[games.name], 'game')}); nothing was changed; {_EMPTIED[connection.dialect.name]}"
        )
    for table in reversed(metadata.sorted_tables):
        connection.execute(delete(table))


def _counts(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in metadata.sorted_tables
    }


def _copy(giving: Connection, taking: Connection, table: Table) -> None:
    merged = []
    query = select(table).order_by(*table.primary_key)
    for part in giving.execution_options(yield_per=_AT_ONCE).execute(query).mappings().partitions():
        rows = [dict(row) for row in part]
        if table is players:
            # Whom a player was merged into may come after him.
            merged += [{"this": row["id"], "into": row["merged_into"]} for row in rows if row["merged_into"]]
            rows = [{**row, "merged_into": None} for row in rows]
        taking.execute(insert(table), rows)
    if merged:
        into = update(players).where(players.c.id == bindparam("this")).values(merged_into=bindparam("into"))
        taking.execute(into, merged)


def _highest(connection: Connection) -> int:
    """The highest number that a player was ever given, even one who has left."""
    if connection.dialect.name == "sqlite":
        found = connection.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = 'players'"))
    else:
        sequence = connection.scalar(text("SELECT pg_get_serial_sequence('players', 'id')"))
        query = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608 - PostgreSQL's word.
        found = connection.scalar(text(query))
    return int(found or 0)


def _go_on_counting(connection: Connection, highest: int) -> None:
    """Give the next player the number after the highest."""
    if not highest:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = 'players'"))
        statement = "INSERT INTO sqlite_sequence (name, seq) VALUES ('players', :highest)"
    else:
        statement = "SELECT setval(pg_get_serial_sequence('players', 'id'), :highest)"
    connection.execute(text(statement), {"highest": highest})
