"""What commands share in reading their arguments."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from app.rules.cards import Unreadable
from app.rules.ruleset import IllegalRuleSet, RuleSet, read_rules

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no other name.

WRONG = 1
"""The exit status of a command that refuses what was asked for, or that found something wrong."""
UNREADABLE = 2
"""That of one that was given what cannot be read, opened or reached."""

RULES = "a rule set: endless, classic, … or a code such as d1r2o"
MOST_NODES_ASKED = 100_000_000


OPTIONS = ("host", "port", "data")
"""The settings that options give as well."""

DATA = "the folder of the database"


def take_data(parser: argparse.ArgumentParser, told: str = DATA) -> None:
    """The option that names the data folder."""
    parser.add_argument("--data", type=named, help=told)


def take_address(parser: argparse.ArgumentParser, told: str = "the port to listen on") -> None:
    """The options that name where the server listens."""
    parser.add_argument("--host", help="the address to listen on")
    parser.add_argument("--port", type=int, help=told)


def named(text: str) -> Path:
    """A file or folder. No name at all, as of a variable that is not set, would be the folder one is in."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def rules(text: str) -> RuleSet:
    """A rule set, from its slug or its code."""
    try:
        return read_rules(text)
    except (Unreadable, IllegalRuleSet) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def number(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number between two."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {least} to {most}")
        return int(text)

    return read
