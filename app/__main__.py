"""The command line: ``python -m app``."""

import argparse
import os
import sys
from collections.abc import Sequence
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0 for success, else as arguments.py says."""
    given = _with_command(list(sys.argv[1:] if arguments is None else arguments))
    try:
        asked = _parser(given[0]).parse_args(given)
        status = int(asked.command(asked))
        # A reader who left is noticed here, and not when Python ends.
        sys.stdout.flush()
    except ValidationError as error:
        return _told(fault_text(error))
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


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments with ``serve`` in front where no command is named."""
    named = arguments and (not arguments[0].startswith("-") or arguments[0] in {"-h", "--help", "--version"})
    return arguments if named else ["serve", *arguments]


def _parser(named: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app", description="Pyramid Solitaire, rules on the server.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar=" | ".join(COMMANDS))
    for name in [named] if named in COMMANDS else COMMANDS:
        import_module(f"app.commands.{name}").add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
