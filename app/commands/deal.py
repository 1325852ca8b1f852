"""``python -m app deal``: a deal's opening table, in text."""

import argparse

from app.commands.arguments import RULES, Commands
from app.rules.deal import read_deal
from app.rules.ruleset import read_rules
from app.rules.show import table_text
from app.rules.state import start


def add(commands: Commands) -> None:
    """The command's arguments."""
    dealt = commands.add_parser("deal", help="print a deal's opening table")
    dealt.add_argument("rules", metavar="RULES", help=RULES)
    dealt.add_argument("seed", metavar="SEED", help="a seed, or a whole deck without spaces")
    dealt.set_defaults(command=deal)


def deal(asked: argparse.Namespace) -> int:
    """Print the opening table of a deal."""
    print(table_text(start(read_rules(asked.rules), read_deal(asked.seed).deck)))
    return 0
