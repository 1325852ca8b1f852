"""A position as the integers that the search sees.

========== ============================================================================================
pyramid    28 cards (0..51) by slot, None where the card is gone
stock      the waste and then the stock as one sequence: waste bottom first (pile by pile), then the
           stock, next card first; ``at`` is where the stock begins in it
pile_of    the waste pile of each card of the sequence
allowed    for each rank pair (A-Q, 2-J, 3-10, 4-9, 5-8, 6-7) 16 bits: bit 4 * low + high is set where the
           low card of suit ``low`` and the high card of suit ``high`` may ever go together
overlaps   (slot, cover) of slots whose card adds to 13 with one that covers it, where that is allowed
redeals    redeals left, None for unlimited
========== ============================================================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.rules.board import COVERS, SLOTS, Slot
from app.rules.cards import THIRTEEN, Card, value
from app.rules.state import State

Pair = tuple[Card, Card]
"""Two cards that add to 13, the one of lower value first."""

Status = Literal["won", "lost", "unknown"]
WrittenMove = tuple[Card, ...] | Literal["draw", "redeal"]
"""A move as the searches write it: the cards of a discard (one or two), a draw or a redeal."""

GROUPS = 6
_SUITS = 4


@dataclass(frozen=True, slots=True)
class Packed:
    """A position, as the table at the top of this module tells."""

    pyramid: tuple[Card | None, ...]
    stock: tuple[Card, ...]
    at: int
    pile_of: tuple[int, ...]
    allowed: tuple[int, ...]
    overlaps: tuple[tuple[int, int], ...]
    draw: int
    piles: int
    open: bool
    overlap: bool
    goal_all: bool
    redeals: int | None


def pack(state: State) -> Packed:
    """The integers of a position."""
    rules = state.rules
    waste = [card for pile in state.waste for card in pile]
    pile_of = [number for number, pile in enumerate(state.waste) for _ in pile]
    pile_of += [place % rules.piles for place in range(len(state.stock))]
    sequence = (*waste, *state.stock)
    return Packed(
        pyramid=state.pyramid,
        stock=sequence,
        at=len(waste),
        pile_of=tuple(pile_of),
        allowed=_allowed(state, sequence, pile_of),
        overlaps=tuple(_overlaps(state)) if rules.overlap else (),
        draw=rules.draw,
        piles=rules.piles,
        open=rules.open,
        overlap=rules.overlap,
        goal_all=rules.goal == "all",
        redeals=state.redeals_left,
    )


def group_of(card: Card) -> int:
    """The rank pair of a card, 0..5: the lower of its two values, less 1. A king has none."""
    return min(value(card), THIRTEEN - value(card)) - 1


def allowed_pairs(allowed: tuple[int, ...]) -> tuple[Pair, ...]:
    """The pairs whose bits are set, in the order of groups and bits."""
    return tuple(
        (Card(THIRTEEN * (bit // _SUITS) + group), Card(THIRTEEN * (bit % _SUITS) + THIRTEEN - 2 - group))
        for group, bits in enumerate(allowed)
        for bit in range(_SUITS * _SUITS)
        if bits >> bit & 1
    )


def pair_bit(card: Card, other: Card) -> int:
    """The bit of a pair among the 16 of its group."""
    low, high = sorted((card, other), key=value)
    return 1 << (_SUITS * (low // THIRTEEN) + high // THIRTEEN)


def _allowed(state: State, sequence: tuple[Card, ...], pile_of: list[int]) -> tuple[int, ...]:
    allowed = [0] * GROUPS
    slots = [slot for slot in SLOTS if state.pyramid[slot] is not None]
    pairs = [(state.pyramid[a], state.pyramid[b]) for a in slots for b in slots if a < b and _may_meet(state, a, b)]
    pairs += [(state.pyramid[slot], card) for slot in slots for card in sequence]
    pairs += [
        (card, sequence[other])
        for place, card in enumerate(sequence)
        for other in range(place)
        if state.rules.open or pile_of[place] != pile_of[other]
    ]
    for card, other in pairs:
        if card is not None and other is not None and value(card) + value(other) == THIRTEEN:
            allowed[group_of(card)] |= pair_bit(card, other)
    return tuple(allowed)


def _may_meet(state: State, upper: Slot, lower: Slot) -> bool:
    """Whether two slots can be bare of covers together: the lower one does not cover the upper, however indirectly.

    Under overlap a direct cover can pair with what it covers.
    """
    if state.rules.overlap and lower in COVERS[upper]:
        return True
    return lower not in _UNDER[upper]


def _overlaps(state: State) -> Iterator[tuple[int, int]]:
    for slot in SLOTS:
        for cover in COVERS[slot]:
            card, over = state.pyramid[slot], state.pyramid[cover]
            if card is not None and over is not None and value(card) + value(over) == THIRTEEN:
                yield slot, cover


def _all_covers() -> tuple[frozenset[Slot], ...]:
    covers: dict[Slot, frozenset[Slot]] = {}
    for slot in reversed(SLOTS):
        covers[slot] = frozenset(COVERS[slot]).union(*(covers[cover] for cover in COVERS[slot]))
    return tuple(covers[slot] for slot in SLOTS)


_UNDER = _all_covers()
"""For each slot, all that lie on it, directly or not."""
