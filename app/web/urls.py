"""The addresses of pages, each built here and nowhere else."""

from app.play.table import Table
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet

SAME_PAGE = "?"
"""The page's own address: a deal's page need not repeat a deck that its address carries."""


def deal(rules: RuleSet, cards: Deal) -> str:
    """The deal link: the same cards by the same rules for everyone who opens it."""
    return f"/d/{rules.slug}/{cards.code}"


def deal_of(table: Table) -> str:
    """A link to a table's deal that does not show a given deck's face-down cards."""
    if table.deal.seed is not None:
        return deal(table.rules, table.deal)
    return f"{game(table.id)}/deal" if table.id else SAME_PAGE


def game(game_id: str) -> str:
    """A game's page, and where its actions are posted."""
    return f"/g/{game_id}"


def leave(game_id: str) -> str:
    """Where a game is given up."""
    return f"{game(game_id)}/leave"


def new(rules: RuleSet) -> str:
    """A fresh deal of a rule set."""
    return f"/new?rules={rules.slug}"
