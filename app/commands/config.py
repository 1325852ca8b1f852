"""``python -m app config``: the settings in effect, and where each comes from."""

import argparse
import os
import re
import shlex
from collections.abc import Callable

from pydantic import SecretStr

from app.commands.arguments import Commands
from app.commands.backend import on_stderr
from app.config import Settings, unknown, variable

_PASSWORDS = re.compile(r"(?<=//)([^@?]*?):[^?]*(?=@)|(?<=\?).*")
"""In the address of a database: between the user and the host, and among the parameters, of which none is shown."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    commands.add_parser("config", help="print the settings in effect, without secrets").set_defaults(command=config)


def config(asked: argparse.Namespace) -> int:
    """Print each setting as its variable, with where it comes from."""
    settings = settings_of(asked)
    warn_of_unknown()
    for field in Settings.model_fields:
        print(f"{variable(field)}={shlex.quote(_shown(getattr(settings, field)))}  # {_origin(field)}")
    return 0


def settings_of(asked: argparse.Namespace, *names: str) -> Settings:
    """The settings, with the options of those names that were given."""
    return Settings(**{name: getattr(asked, name) for name in names if getattr(asked, name) is not None})


def warn_of_unknown(tell: Callable[[str], None] = on_stderr) -> None:
    """Name what looks like a setting of ours and is none."""
    for name in unknown(os.environ):
        tell(f"{name} names no setting; it has no effect.")


def _shown(setting: object) -> str:
    if isinstance(setting, SecretStr):
        return _PASSWORDS.sub(_masked, setting.get_secret_value())
    return str(setting).lower() if isinstance(setting, bool) else str(setting)


def _masked(found: "re.Match[str]") -> str:
    return "***" if found[1] is None else f"{found[1]}:***"


def _origin(field: str) -> str:
    # The environment's names are read in either case, as Windows has them.
    given = {name.upper(): text for name, text in os.environ.items()}
    if variable(field) in given:
        return "environment"
    path = os.environ.get(f"{variable(field)}_FILE")
    return f"file {path}" if path else "default"
