"""``python -m app transfer``: an installation carried from SQLite to PostgreSQL, or back."""

import argparse

from pydantic import SecretStr
from sqlalchemy import Engine

from app.commands.arguments import Commands, take_data
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of, opened, own_folder
from app.config import Settings
from app.store.database.address import masked
from app.store.database.engine import FILE_NAME
from app.store.database.schema import bring_up, revision_of
from app.store.database.transfer import check_unused
from app.store.database.transfer import transfer as carry
from app.store.errors import NotTransferred

_TRANSFER = """Copies everything (players, games, secrets) between the SQLite database in the data folder and the
PostgreSQL database of PYRAMID_DATABASE. In the one copied to nobody may have played yet; the one copied from is brought
to the schema of this version, and stays as it is otherwise. Stop the servers first, of either database."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    carried = commands.add_parser("transfer", help="carry all to PostgreSQL, or back", description=_TRANSFER)
    carried.add_argument("to", choices=("postgresql", "sqlite"), help="where to")
    take_data(carried, "the folder of the SQLite database")
    carried.set_defaults(command=transfer)


def transfer(asked: argparse.Namespace) -> int:
    """Copy all rows, and print how many of each table there are on both sides."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    if not address_of(settings):
        raise NotTransferred("PYRAMID_DATABASE names no PostgreSQL database")
    counts = _to_postgresql(settings) if asked.to == "postgresql" else _to_sqlite(settings)
    for table, count in counts.items():
        print(f"{count:>10,} {table}")
    print(f"carried to {asked.to}, and counted on both sides")
    return 0


def _to_postgresql(settings: Settings) -> dict[str, int]:
    here = settings.model_copy(update={"database": SecretStr("")})
    file = settings.data / FILE_NAME
    if not file.exists():
        raise NotTransferred(f"there is no database {file.absolute()}; PYRAMID_DATA or --data names its folder")
    with own_folder(here), opened(settings) as target, opened(here) as source:
        check_unused(target)
        return _carried(source, target, settings.backups)


def _to_sqlite(settings: Settings) -> dict[str, int]:
    here = settings.model_copy(update={"database": SecretStr("")})
    with opened(settings) as source:
        if revision_of(source) is None:
            raise NotTransferred(f"there is no game's database at {masked(address_of(settings))}")
        check_unused(source)
        with own_folder(here), opened(here) as target:
            return _carried(source, target, settings.backups)


def _carried(source: Engine, target: Engine, keep: int) -> dict[str, int]:
    """Copy all rows, once both databases are of this version."""
    for engine in (source, target):
        bring_up(engine, keep=keep)
    return carry(source, target)
