"""``python -m app deal``: a deal's opening table, or its whole deck, in text."""

import argparse

from app.commands.arguments import RULES, Commands
from app.rules.deal import deck_text, read_deal
from app.rules.ruleset import read_rules
from app.rules.show import table_text
from app.rules.state import start


def add(commands: Commands) -> None:
    """The command's arguments."""
    dealt = commands.add_parser("deal", help="print a deal's opening table, or its deck")
    dealt.add_argument("rules", metavar="RULES", help=RULES)
    dealt.add_argument("seed", metavar="SEED", help="a seed (after -- where it begins with -), or a whole deck")
    dealt.add_argument("--deck", action="store_true", help="print all 52 cards in a line, as “solve” reads them")
    dealt.set_defaults(command=deal)


def deal(asked: argparse.Namespace) -> int:
    """Print the opening table of a deal, or its deck."""
    rules, deck = read_rules(asked.rules), read_deal(asked.seed).deck
    print(deck_text(deck) if asked.deck else table_text(start(rules, deck)))
    return 0
