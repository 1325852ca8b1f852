"""Small tables for examples, what is asked of them, and the same for the reference: all in notation."""

from dataclasses import asdict
from itertools import combinations
from typing import cast

import pytest

from app.rules.cards import PACK
from app.rules.deal import Deck, read_deck, read_seed, shuffled
from app.rules.game import Game, actions_text, begin, play
from app.rules.moves import DRAW, REDEAL, Discard, Move, discard, read_action
from app.rules.ruleset import read_rules
from app.rules.state import IllegalMove, Reason, State, apply, legal_moves, read_state, start, state_text
from tests import reference
from tests.playthroughs import Win
from tests.reference import Position, Rules

EVERY_MOVE: tuple[Move, ...] = (
    *(DRAW, REDEAL),
    *(discard(card) for card in PACK),
    *(discard(*cards) for cards in combinations(PACK, 2)),
    *(discard(card, card) for card in PACK),
)
"""Every conceivable move: draw, redeal, each card alone, each two cards, each card with itself."""


def table(rules: str, pyramid: str = "", stock: str = "", waste: str | None = None, left: str | None = None) -> State:
    """A position: ``pyramid`` its upper rows (the rest is gone), ``left`` redeals, else as many as at the start."""
    rule_set = read_rules(rules)
    given = pyramid.replace("/", " ").split()
    slots = " ".join(given + ["--"] * (28 - len(given)))
    redeals = "x" if rule_set.redeals is None else str(rule_set.redeals)
    piles = " / ".join([""] * rule_set.piles) if waste is None else waste
    return read_state(" | ".join([rules, slots, stock, piles, redeals if left is None else left]))


def moves(state: State) -> str:
    """The legal moves in their order."""
    return actions_text(legal_moves(state))


def after(state: State, *actions: str) -> State:
    """The position after some moves."""
    for text in actions:
        state = apply(state, as_move(text))
    return state


def refusal(state: State, action: str) -> tuple[Reason, str]:
    """Why a move is refused: the reason and the cards at fault."""
    with pytest.raises(IllegalMove) as refused:
        apply(state, as_move(action))
    return refused.value.reason, actions_text([Discard((card,)) for card in refused.value.cards])


def as_move(text: str) -> Move:
    """A move from its notation."""
    action = read_action(text)
    assert isinstance(action, Move)
    return action


def dealt(win: Win) -> Deck:
    """The deck of a golden win."""
    return read_deck(win.deal) if win.is_deck else shuffled(read_seed(win.deal))


def replayed(rules: str, deck: Deck, actions: tuple[str, ...]) -> Game:
    """The game after some actions."""
    return play(begin(start(read_rules(rules), deck)), map(read_action, actions))


def as_reference(state: State) -> tuple[Rules, Position]:
    """A position's rule set and cards as the reference has them."""
    return cast("Rules", asdict(state.rules)), reference.read_position(state_text(state))
