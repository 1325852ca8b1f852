"""The laws of packing: what is packed can be read back, and no pair is allowed that can never be."""

from hypothesis import given

from app.rules.board import COVERS, SLOTS, Slot
from app.rules.cards import PACK, THIRTEEN, Card, value
from app.rules.game import Game
from app.rules.moves import Discard
from app.rules.state import State, legal_moves
from app.solver.packing import GROUPS, Packed, Pair, allowed_pairs, group_of, pack
from tests.strategies import games, positions

PAIRS = [(low, high) for low in PACK for high in PACK if value(low) < value(high) and value(low) + value(high) == 13]


def covered_by(slot: Slot) -> set[Slot]:
    """All slots that lie on one, directly or not."""
    return set(COVERS[slot]).union(*(covered_by(cover) for cover in COVERS[slot]))


def unpacked(packed: Packed, state: State) -> State:
    """The position again, from what was packed and its rule set."""
    turned = [(packed.pile_of[place], card) for place, card in enumerate(packed.stock[: packed.at])]
    piles = tuple(tuple(card for number, card in turned if number == pile) for pile in range(packed.piles))
    return State(state.rules, packed.pyramid, packed.stock[packed.at :], piles, packed.redeals)


def test_every_pair_has_a_bit_of_its_own() -> None:
    pairs: list[Pair] = []
    for bit in range(16 * GROUPS):
        allowed = [0] * GROUPS
        allowed[bit // 16] = 1 << bit % 16
        pairs += allowed_pairs(tuple(allowed))
    assert len(pairs) == 16 * GROUPS
    assert sorted(pairs) == sorted(PAIRS)


def test_the_two_cards_of_a_pair_are_of_one_group() -> None:
    assert all(group_of(low) == group_of(high) for low, high in PAIRS)


@given(state=positions())
def test_a_packed_position_is_read_back(state: State) -> None:
    assert unpacked(pack(state), state) == state


@given(state=positions())
def test_an_allowed_pair_is_of_two_cards_still_there_that_add_to_thirteen(state: State) -> None:
    there = {*state.pyramid, *state.stock, *(card for pile in state.waste for card in pile)}
    for low, high in allowed_pairs(pack(state).allowed):
        assert value(low) + value(high) == THIRTEEN
        assert {low, high} <= there


@given(state=positions())
def test_no_card_may_go_with_one_that_covers_it_except_directly_under_overlap(state: State) -> None:
    allowed = set(allowed_pairs(pack(state).allowed))
    for slot in SLOTS:
        for cover in covered_by(slot):
            pair = by_value(state.pyramid[slot], state.pyramid[cover])
            direct = state.rules.overlap and cover in COVERS[slot]
            if pair is not None and not direct:
                assert pair not in allowed


@given(state=positions())
def test_two_cards_of_one_pile_may_go_together_only_with_an_open_stock(state: State) -> None:
    packed = pack(state)
    place_of = {card: place for place, card in enumerate(packed.stock)}
    for low, high in allowed_pairs(packed.allowed):
        if low in place_of and high in place_of:
            assert state.rules.open or packed.pile_of[place_of[low]] != packed.pile_of[place_of[high]]


@given(game=games())
def test_every_pair_that_was_discarded_was_allowed_from_the_start(game: Game) -> None:
    allowed = set(allowed_pairs(pack(game.states[0]).allowed))
    discarded = {move.cards for move in game.line if isinstance(move, Discard) and len(move.cards) == 2}
    assert discarded <= allowed


@given(state=positions())
def test_every_pair_that_is_legal_now_is_allowed(state: State) -> None:
    legal = {move.cards for move in legal_moves(state) if isinstance(move, Discard) and len(move.cards) == 2}
    assert legal <= set(allowed_pairs(pack(state).allowed))


@given(state=positions())
def test_an_overlapping_pair_is_a_card_and_its_direct_cover(state: State) -> None:
    for slot, cover in pack(state).overlaps:
        assert state.rules.overlap
        assert Slot(cover) in COVERS[slot]
        assert by_value(state.pyramid[slot], state.pyramid[cover]) is not None


def by_value(one: Card | None, other: Card | None) -> tuple[Card, Card] | None:
    """Two cards as a pair, where they are one."""
    if one is None or other is None or value(one) + value(other) != THIRTEEN:
        return None
    return (one, other) if value(one) < value(other) else (other, one)
