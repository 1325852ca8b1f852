"""The reference is itself held to what can be told without it."""

import pytest

from app.rules.cards import PACK, card_text
from app.rules.deal import Seed, shuffled
from app.rules.state import state_text
from tests import reference
from tests.playthroughs import Win, wins
from tests.rules.tables import dealt, replayed, table


@pytest.mark.parametrize(
    ("rules", "pyramid", "stock", "waste", "moves"),
    [
        ("endless", "", "2c", "3c", 0),
        ("endless", "Kc", "2c", "3c", 1),
        ("endless", "6c", "2c 3c 7d", "", 4),
        ("endless", "6c", "2c 3c", "7d 4c", 5),
        ("classic", "6c", "2c 3c", "7d 4c", None),
        ("classic", "6c / 7d --", "", "", None),
        ("tuts-tomb", "6c / 7d --", "", "", 1),
        ("king-tut", "6c", "2c 7d 3c 4c", "", None),
        ("king-tut", "6c", "2c 3c 7d 4c", "", 2),
        ("open", "6c", "7d 3c", "", 1),
        ("strict", "6c", "7d Kc", "", 2),
        ("strict", "6c", "7d 3c", "", None),
        ("three-piles", "6c / 6d --", "2c 7d 3c", " / / ", None),
        ("three-piles", "6c / 6d --", "7c 7d 2c", " / / ", 3),
    ],
)
def test_the_slow_search_finds_the_fewest_moves(
    rules: str, pyramid: str, stock: str, waste: str, moves: int | None
) -> None:
    position = reference.read_position(state_text(table(rules, pyramid, stock, waste)))
    assert reference.fewest_moves(reference.NAMED[rules], position) == moves


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_the_slow_search_wins_the_end_of_a_golden_win_at_least_as_fast(win: Win) -> None:
    late = replayed(win.rules, dealt(win), win.actions[:-6]).state
    moves = reference.fewest_moves(reference.NAMED[win.rules], reference.read_position(state_text(late)))
    assert moves is not None
    assert 1 <= moves <= 6


def test_the_slow_search_gives_up_after_so_many_positions() -> None:
    position = reference.begin(reference.NAMED["endless"], [card_text(card) for card in shuffled(Seed("any"))])
    with pytest.raises(reference.TooMany):
        reference.fewest_moves(reference.NAMED["endless"], position, most=200)


def test_the_reference_refuses_what_is_not_legal() -> None:
    position = reference.begin(reference.NAMED["endless"], [card_text(card) for card in PACK])
    with pytest.raises(reference.Refused):
        reference.apply(reference.NAMED["endless"], position, "redeal")
