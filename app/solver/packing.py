"""A position as the integers that the searches see, and what their bits mean.

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

The compiled search has sets of cards as 52 bits: bit 8 * group + suit for the low cards of a rank pair, 4 more for the
high ones, 48 + suit for kings. So a byte holds the eight cards of a group, as ``allowed`` has their pairs. A node is
three integers of 64 bits, and 25 to 41 bytes more for its place in the search, in the table and in the queue (and the
relaxed game keeps 262,144 positions at the most, in up to 25 MB):

========== ============================================================================================
place      slots still there (28 bits), places of the sequence still there (24), ``at`` (5), redeals left
low        ``allowed`` of the first four groups, 16 bits each
high       ``allowed`` of the other two groups (16 bits each), places of the kings that may still go (24)
========== ============================================================================================

It writes a move in 16 bits: the two cards of a pair, the low one in the low byte; a king with 0xFF in the high byte;
0xFFFE a redeal, 0xFFFF a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.rules.board import COVERS, SLOTS, Slot
from app.rules.cards import PACK, THIRTEEN, Card, value
from app.rules.ruleset import RuleSet
from app.rules.state import State

Pair = tuple[Card, Card]
"""Two cards that add to 13, the one of lower value first."""

Status = Literal["won", "lost", "unknown"]
WrittenMove = tuple[Card, ...] | Literal["draw", "redeal"]
"""A move as the searches write it: the cards of a discard (one or two), a draw or a redeal."""

GROUPS = 6
_SUITS = 4
_GONE = -1


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


def _allowed(state: State, sequence: tuple[Card, ...], pile_of: list[int]) -> tuple[int, ...]:
    """The allowed pairs, looked for group by group: this is done beside every move."""
    where = [_GONE] * len(PACK)
    for slot, card in enumerate(state.pyramid):
        if card is not None:
            where[card] = slot
    for place, card in enumerate(sequence, start=len(SLOTS)):
        where[card] = place
    allowed = []
    for group in range(GROUPS):
        lows, highs = where[group::THIRTEEN], where[THIRTEEN - 2 - group :: THIRTEEN]
        bits = 0
        for low, at in enumerate(lows):
            for high, other in enumerate(highs):
                if _GONE not in {at, other} and _may_meet(state.rules, pile_of, at, other):
                    bits |= 1 << (_SUITS * low + high)
        allowed.append(bits)
    return tuple(allowed)


def _may_meet(rules: RuleSet, pile_of: list[int], at: int, other: int) -> bool:
    """Whether two places (a slot, or 28 and a place of the sequence) can ever be exposed together.

    Two slots can unless one covers the other, however indirectly; under overlap a direct cover can pair with what it
    covers. Two cards of the stock can on different piles, or as an open stock's top and the waste's.
    """
    upper, lower = (at, other) if at < other else (other, at)
    if lower < len(SLOTS):
        return lower not in _UNDER[upper] or (rules.overlap and lower in COVERS[upper])
    if upper < len(SLOTS):
        return True
    return rules.open or pile_of[upper - len(SLOTS)] != pile_of[lower - len(SLOTS)]


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
