"""``python -m app config``: the settings in effect, and where each comes from."""

import argparse
import os
import shlex
from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from app.commands.arguments import OPTIONS, Commands, take_address, take_data
from app.commands.backend import on_stderr
from app.config import Settings, file_of, given, meant, unknown, variable
from app.store.database.address import masked


def add(commands: Commands) -> None:
    """The command's arguments."""
    printed = commands.add_parser("config", help="print the settings in effect, without secrets")
    take_address(printed)
    take_data(printed)
    printed.set_defaults(command=config)


def config(asked: argparse.Namespace) -> int:
    """Print each setting as its variable, with where it comes from."""
    settings = settings_of(asked, *OPTIONS)
    warn_of_unknown()
    for field in Settings.model_fields:
        setting = getattr(settings, field)
        origin = f"option --{field}" if getattr(asked, field, None) is not None else _origin(field)
        print(f"{variable(field)}={shlex.quote(_shown(setting))}  # {origin}{_whole(setting)}")
    return 0


def settings_of(asked: argparse.Namespace, *names: str) -> Settings:
    """The settings, with the options of those names that were given."""
    return Settings(**{name: getattr(asked, name) for name in names if getattr(asked, name) is not None})


def warn_of_unknown(tell: Callable[[str], None] = on_stderr) -> None:
    """Name what looks like a setting of ours and is none."""
    for name in unknown(os.environ):
        near = meant(name)
        tell(f"{name} names no setting; it has no effect.{f' Is {near} meant?' if near else ''}")


def _shown(setting: object) -> str:
    if isinstance(setting, SecretStr):
        return masked(setting.get_secret_value())
    return str(setting).lower() if isinstance(setting, bool) else str(setting)


def _whole(setting: object) -> str:
    """Where a folder lies that is named from the one that the program was started in."""
    return f": {setting.absolute()}" if isinstance(setting, Path) and not setting.is_absolute() else ""


def _origin(field: str) -> str:
    if path := file_of(field):
        return f"file {path}"
    return "environment" if given(field) else "default"
