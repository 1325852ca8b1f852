"""``python -m app transfer``: an installation carried from SQLite to PostgreSQL, or back."""

import argparse
from pathlib import Path

from pydantic import SecretStr

from app.commands.arguments import Commands
from app.commands.config import settings_of, warn_of_unknown
from app.commands.database import address_of, own_folder
from app.store.engine import check, open_engine
from app.store.errors import NotTransferred
from app.store.schema import bring_up
from app.store.transfer import transfer as carry

_TRANSFER = """Copies everything (players, games, secrets) between the SQLite database in the data folder and the
PostgreSQL database of PYRAMID_DATABASE. The one copied to must be empty; the one copied from stays as it is. Stop the
servers first."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    carried = commands.add_parser("transfer", help="carry all to PostgreSQL, or back", description=_TRANSFER)
    carried.add_argument("to", choices=("postgresql", "sqlite"), help="where to")
    carried.add_argument("--data", type=Path, help="the folder of the SQLite database")
    carried.set_defaults(command=transfer)


def transfer(asked: argparse.Namespace) -> int:
    """Copy all rows, and print how many of each table there are on both sides."""
    settings = settings_of(asked, "data")
    warn_of_unknown()
    address = address_of(settings)
    if not address:
        raise NotTransferred("PYRAMID_DATABASE names no PostgreSQL database")
    with own_folder(settings.model_copy(update={"database": SecretStr("")})):
        engines = []
        for place in ("", address):
            check(settings.data, place)
            engine = open_engine(settings.data, address=place)
            bring_up(engine, keep=settings.backups)
            engines.append(engine)
        source, target = engines if asked.to == "postgresql" else reversed(engines)
        counts = carry(source, target)
    for table, count in counts.items():
        print(f"{count:>10,} {table}")
    print(f"carried to {asked.to}, and counted on both sides")
    return 0
