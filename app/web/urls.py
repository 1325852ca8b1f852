"""The addresses of pages, each built here and nowhere else."""

from app.play.table import Table
from app.rules.cards import Card, card_text
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet

_SAME_PAGE = "?"
"""A page's own address: a deal's page need not repeat a deck that its address carries."""


def deal(rules: RuleSet, cards: Deal) -> str:
    """The deal link: the same cards by the same rules for everyone who opens it.

    Two seeds stand in the query: browsers drop ``.`` and ``..`` from a path, however they are written.
    """
    return f"/d/{rules.slug}?seed={cards.code}" if cards.code in {".", ".."} else f"/d/{rules.slug}/{cards.code}"


def deal_of(table: Table) -> str:
    """A link to a table's deal that does not show a given deck's face-down cards."""
    if table.deal.seed is not None:
        return deal(table.rules, table.deal)
    return f"{game(table.id)}/deal" if table.id else _SAME_PAGE


def play(table: Table) -> str:
    """Where a table's actions are posted: to its game, or to the deal's page before there is one."""
    return game(table.id) if table.id else deal_of(table)


def game(game_id: str) -> str:
    """A game's page, and where its actions are posted."""
    return f"/g/{game_id}"


def leave(game_id: str) -> str:
    """Where a game is given up."""
    return f"{game(game_id)}/leave"


def new(rules: RuleSet) -> str:
    """A fresh deal of a rule set."""
    return f"/new?rules={rules.slug}"


def with_choice(page: str, card: Card | None) -> str:
    """A page's address with the card that is chosen on it, where one is."""
    if card is None:
        return page
    return f"{page}{'&' if '?' in page else '?'}chosen={card_text(card)}"
