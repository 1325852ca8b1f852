from dataclasses import asdict, replace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.board import COVERS, SLOTS
from app.rules.cards import PACK, Card, Unreadable, card_text, value
from app.rules.deal import Deck
from app.rules.game import Game
from app.rules.moves import DRAW, Discard, Move, action_text
from app.rules.ruleset import RuleSet
from app.rules.state import (
    IllegalMove,
    Outcome,
    Reason,
    State,
    apply,
    exposed,
    is_won,
    legal_moves,
    outcome,
    read_state,
    start,
    state_text,
)
from tests import reference
from tests.rules.tables import EVERY_MOVE, as_reference, moves, table
from tests.strategies import decks, games, positions, rule_sets


def on_table(state: State) -> list[Card]:
    """Every card in play, the stock's included."""
    cards = [*state.pyramid, *state.stock, *(card for pile in state.waste for card in pile)]
    return [card for card in cards if card is not None]


def seen(state: State) -> list[Card]:
    """The cards that lie face up."""
    face_down = state.stock[1:] if state.rules.open else state.stock
    return [card for card in on_table(state) if card not in face_down]


@given(rule_sets(), decks())
def test_a_deal_fills_the_pyramid_row_by_row_and_leaves_24_cards_as_stock(rules: RuleSet, deck: Deck) -> None:
    state = start(rules, deck)
    assert state.pyramid == deck[:28]
    assert state.stock == deck[28:]
    assert state.waste == ((),) * rules.piles
    assert (state.redeals_left, state.foundation) == (rules.redeals, 0)


@given(rule_sets(), decks())
def test_a_deal_starts_as_in_the_reference(rules: RuleSet, deck: Deck) -> None:
    position = reference.begin(cast("reference.Rules", asdict(rules)), [card_text(card) for card in deck])
    assert state_text(start(rules, deck)) == reference.position_text(rules.slug, position)


@given(games())
def test_the_52_cards_are_on_the_table_once_or_on_the_foundation(game: Game) -> None:
    state = game.state
    cards = on_table(state)
    assert len(set(cards)) == len(cards) == 52 - state.foundation
    gone = set(PACK) - set(cards)
    assert sum(map(value, gone)) % 13 == 0


@given(positions())
def test_a_draw_or_redeal_keeps_every_card_and_a_discard_takes_its_own(state: State) -> None:
    for move in legal_moves(state):
        taken = set(move.cards) if isinstance(move, Discard) else set()
        assert set(on_table(apply(state, move))) == set(on_table(state)) - taken
        assert taken <= set(seen(state))


@given(positions())
def test_the_legal_moves_are_those_of_the_reference(state: State) -> None:
    rules, position = as_reference(state)
    legal = [action_text(move) for move in legal_moves(state)]
    assert len(set(legal)) == len(legal)
    assert set(legal) == reference.legal_moves(rules, position)
    assert is_won(state) == reference.won(rules, position)


@given(positions())
def test_a_move_leads_to_the_position_of_the_reference(state: State) -> None:
    rules, position = as_reference(state)
    for move in legal_moves(state):
        expected = reference.apply(rules, position, action_text(move))
        assert state_text(apply(state, move)) == reference.position_text(state.rules.slug, expected)


@settings(max_examples=60)
@given(positions())
def test_of_every_conceivable_move_exactly_the_legal_ones_are_accepted(state: State) -> None:
    legal = set(legal_moves(state))
    for move in EVERY_MOVE:
        try:
            apply(state, move)
        except IllegalMove:
            assert move not in legal
        else:
            assert move in legal


@settings(max_examples=40)
@given(positions())
def test_a_refused_discard_tells_what_is_unseen_then_what_is_not_thirteen_then_what_is_covered(state: State) -> None:
    visible, free, legal = set(seen(state)), set(exposed(state)), set(legal_moves(state))
    for move in EVERY_MOVE:
        if isinstance(move, Discard) and move not in legal:
            expected = _refusal_of_discard(state, move.cards, visible, free)
            with pytest.raises(IllegalMove) as refused:
                apply(state, move)
            assert (refused.value.reason, refused.value.cards) == expected


def _refusal_of_discard(
    state: State, cards: tuple[Card, ...], visible: set[Card], free: set[Card]
) -> tuple[Reason, tuple[Card, ...]]:
    if is_won(state):
        return Reason.ALREADY_WON, ()
    if not set(cards) <= visible:
        return Reason.NOT_ON_TABLE, tuple(card for card in cards if card not in visible)
    if sum(map(value, cards)) != 13:
        return Reason.NOT_THIRTEEN, cards
    return Reason.COVERED, tuple(card for card in cards if card not in free)


@given(positions())
def test_legal_moves_are_kings_then_pairs_then_overlaps_then_draw_then_redeal(state: State) -> None:
    assert list(legal_moves(state)) == sorted(legal_moves(state), key=lambda move: _rank(state, move))


def _rank(state: State, move: Move) -> tuple[int, ...]:
    """Where a move belongs: its kind, then where its cards lie."""
    if not isinstance(move, Discard):
        return (3,) if move == DRAW else (4,)
    places = sorted(_place(state, card) for card in move.cards)
    if len(move.cards) == 1:
        return (0, *places)
    return (1, *places) if set(move.cards) <= set(exposed(state)) else (2, *places)


def _place(state: State, card: Card) -> int:
    """Pyramid slots 0..27, then the piles, then the open stock."""
    if card in state.pyramid:
        return state.pyramid.index(card)
    return next((28 + number for number, pile in enumerate(state.waste) if card in pile), 31)


@given(positions())
def test_exposed_cards_are_the_uncovered_ones_the_waste_tops_and_the_open_card_in_this_order(state: State) -> None:
    rules, position = as_reference(state)
    assert [card_text(card) for card in exposed(state)] == reference.exposed(rules, position)
    assert list(exposed(state)) == sorted(exposed(state), key=lambda card: _place(state, card))
    for slot in SLOTS:
        lying = [cover for cover in COVERS[slot] if state.pyramid[cover] is not None]
        assert state.pyramid[slot] is None or (state.pyramid[slot] in exposed(state)) == (not lying)


@given(positions())
def test_the_open_card_is_the_stocks_top_under_an_open_stock_only(state: State) -> None:
    expected = state.stock[0] if state.rules.open and state.stock else None
    assert state.open_card == expected


@given(positions())
def test_a_position_is_won_stuck_or_still_played(state: State) -> None:
    if is_won(state):
        assert outcome(state) == Outcome.WON
        assert legal_moves(state) == ()
    else:
        assert outcome(state) == (Outcome.PLAYING if legal_moves(state) else Outcome.STUCK)


@given(positions())
def test_a_positions_text_reads_back_as_the_position(state: State) -> None:
    assert read_state(state_text(state)) == state
    assert hash(read_state(state_text(state))) == hash(state)


@given(positions())
def test_a_positions_text_is_that_of_the_reference(state: State) -> None:
    assert state_text(state) == reference.position_text(state.rules.slug, as_reference(state)[1])


@given(positions(), st.data())
def test_a_position_with_a_card_twice_is_unreadable(state: State, data: st.DataObject) -> None:
    cards = on_table(state)
    if cards:
        double = replace(state, stock=(*state.stock, data.draw(st.sampled_from(cards))))
        with pytest.raises(Unreadable, match="no card twice"):
            read_state(state_text(double))


def test_a_positions_text_is_rules_pyramid_stock_waste_and_redeals_left() -> None:
    top, rest = "-- / -- 2c / -- -- 3c / ", " / ".join(" ".join(["--"] * row) for row in range(4, 8))
    text = f"open | {top}{rest} | 4c 5c | 6c 7c | 1"
    state = table("open", "-- / -- 2c / -- -- 3c", stock="4c 5c", waste="6c 7c", left="1")
    assert state_text(state) == text
    assert state.waste[0][-1] == PACK[6]
    assert state.stock[0] == PACK[3]


SLOTS_TEXT = " ".join(["Kd"] + ["--"] * 27)


@pytest.mark.parametrize(
    "text",
    [
        *("", "endless", f"endless | {SLOTS_TEXT} | | ", f"endless | {SLOTS_TEXT} | | | x | "),
        *(f"nonsense | {SLOTS_TEXT} | | | x", f"d3r0o | {SLOTS_TEXT} | | | 0"),
        *(f"endless | {SLOTS_TEXT} -- | | | x", f"endless | {SLOTS_TEXT[:-3]} | | | x"),
        *(f"endless | {SLOTS_TEXT} | 6x | | x", f"endless | {SLOTS_TEXT} | | 6x | x", "endless | Xx | | | x"),
        *(f"endless | {SLOTS_TEXT} | -- | | x", f"endless | {SLOTS_TEXT} | | / | x"),
        *(f"three-piles | {SLOTS_TEXT} | | | 0", f"three-piles | {SLOTS_TEXT} | | / | 0"),
        *(f"endless | {SLOTS_TEXT} | | | 0", f"endless | {SLOTS_TEXT} | | | ", f"endless | {SLOTS_TEXT} | | | X"),
        *(f"open | {SLOTS_TEXT} | | | x", f"open | {SLOTS_TEXT} | | | 3", f"open | {SLOTS_TEXT} | | | -1"),
        *(f"open | {SLOTS_TEXT} | | | ", f"open | {SLOTS_TEXT} | | | ²", f"classic | {SLOTS_TEXT} | | | 1"),
        *(f"open | {SLOTS_TEXT} | | | 01", f"d1r1 | {SLOTS_TEXT} | | | 1999"),
    ],
)
def test_what_is_no_position_is_unreadable(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        read_state(text)
    assert type(raised.value).__name__ in {"Unreadable", "IllegalRuleSet"}


def test_a_position_without_cards_is_won_whatever_the_goal() -> None:
    assert [outcome(table(rules)) for rules in ("endless", "strict")] == [Outcome.WON, Outcome.WON]
    assert moves(table("strict")) == ""
