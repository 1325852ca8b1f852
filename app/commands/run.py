"""Running a command, and telling what came in its way."""

import argparse
import os
import sys
from importlib import import_module

from pydantic import ValidationError

from app import __version__
from app.commands.arguments import UNREADABLE, WRONG
from app.commands.faults import fault_text
from app.config import NoText, Twice
from app.rules.cards import Unreadable
from app.rules.ruleset import IllegalRuleSet
from app.store.errors import StoreError

COMMANDS = (
    "serve",
    "config",
    "migrate",
    "backup",
    "restore",
    "transfer",
    "healthcheck",
    "doctor",
    "deal",
    "solve",
    "odds",
)
"""Each is a module of app/commands. Only the one that is asked for is loaded: most of them need little of the rest."""

_NOBODY_READS = 141
"""As of a program that SIGPIPE ended."""


def run(given: list[str]) -> int:
    """Run the command that the arguments begin with; the exit status: 0 for success, else as arguments.py says."""
    try:
        asked = _parser(given[0]).parse_args(given)
        status = int(asked.command(asked))
        # A reader who left is noticed here, and not when Python ends.
        sys.stdout.flush()
    except ValidationError as error:
        return _told(fault_text(error, vars(asked)))
    except BrokenPipeError:
        # Python would find the broken pipe once more when it ends, and say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NOBODY_READS
    except OSError as error:
        return _told(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except StoreError as error:
        return _told(str(error), WRONG)
    except (Unreadable, IllegalRuleSet, Twice, NoText) as error:
        return _told(str(error))
    return status


def _told(sentence: str, status: int = UNREADABLE) -> int:
    print(f"pyramid: {' '.join(sentence.splitlines())}", file=sys.stderr)
    return status


def _parser(named: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app", description="Pyramid Solitaire, rules on the server.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar=" | ".join(COMMANDS))
    for name in [named] if named in COMMANDS else COMMANDS:
        import_module(f"app.commands.{name}").add(commands)
    return parser
