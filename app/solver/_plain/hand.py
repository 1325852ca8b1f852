"""A position under the hand: what the game and the relaxed game have in common."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from app.rules.board import COVERS, SLOTS
from app.rules.cards import PACK, THIRTEEN, Card, value
from app.rules.moves import is_king
from app.solver.packing import Packed, Pair, WrittenMove, allowed_pairs, group_of

Found = Literal["won", "lost", "choice"]
"""What comes next when nothing more can be done without a decision."""


LOW = frozenset(card for card in PACK if 2 * value(card) < THIRTEEN)
HIGH = frozenset(card for card in PACK if THIRTEEN < 2 * value(card) < 2 * THIRTEEN)
"""The cards that are the lower and the higher one of their pairs."""


class Position(NamedTuple):
    """A node: the cards still there, where the stock begins, the pairs and waste kings that may still go."""

    cards: frozenset[Card]
    at: int
    redeals: int
    pairs: frozenset[Pair]
    kings: frozenset[Card]


class Hand:
    """A position under the hand, its moves written down: what the game and the relaxed game have in common."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self.slot_of = {card: slot for slot in SLOTS if (card := packed.pyramid[slot]) is not None}
        self.place_of = {card: place for place, card in enumerate(packed.stock)}
        self.covers = {
            card: {over for cover in COVERS[slot] if (over := packed.pyramid[cover]) is not None}
            for card, slot in self.slot_of.items()
        }
        self.all_pairs = allowed_pairs(packed.allowed)
        self.cards = {*self.slot_of, *self.place_of}
        self.at = packed.at
        self.redeals = packed.redeals or 0
        self.pairs = set(self.all_pairs)
        self.kings = {card for card in self.place_of if is_king(card)}
        self.partners: dict[Card, set[Card]] = {}
        self.available: list[Pair] = []
        self.written: list[WrittenMove] = []

    @property
    def position(self) -> Position:
        """The position as a node."""
        return Position(frozenset(self.cards), self.at, self.redeals, frozenset(self.pairs), frozenset(self.kings))

    def load(self, position: Position) -> None:
        """Put a node's position under the hand, nothing written."""
        self.cards, self.pairs, self.kings = set(position.cards), set(position.pairs), set(position.kings)
        self.at, self.redeals = position.at, position.redeals
        self.written = []

    def discard(self, *cards: Card) -> None:
        """Discard a king or a pair."""
        self.cards.difference_update(cards)
        self.written.append(cards)
        while self.at < len(self.packed.stock) and self.packed.stock[self.at] not in self.cards:
            self.at += 1

    def in_pyramid(self) -> set[Card]:
        """The cards of the pyramid that are still there."""
        return self.cards & self.slot_of.keys()

    def exposed(self) -> set[Card]:
        """The exposed cards of the pyramid."""
        return {card for card in self.in_pyramid() if not self.covers[card] & self.cards}

    def needed(self) -> set[Card]:
        """The cards that have to go."""
        return self.cards if self.packed.goal_all else self.in_pyramid()

    def discard_exposed_kings(self) -> bool:
        """Discard the kings that nothing covers; whether there were any. They have to go and never go too early."""
        kings = sorted(filter(is_king, self.exposed()), key=self.slot_of.__getitem__)
        for king in kings:
            self.discard(king)
        return bool(kings)

    def forget_gone(self) -> None:
        """Forbid what can no longer be, as cards are gone."""
        self.pairs = {pair for pair in self.pairs if self.cards.issuperset(pair)}
        self.kings &= self.cards

    def look_ahead(self, future: Iterable[Pair]) -> None:
        """Note with whom each card may still go."""
        self.partners = {card: set() for card in self.cards}
        for low, high in future:
            self.partners[low].add(high)
            self.partners[high].add(low)

    def can_all_go(self) -> bool:
        """Whether each card that has to go can have a partner of its own: the low cards can, and the high cards can."""
        needed = self.needed()
        return all(self.most_matched(needed & side, self.cards) == len(needed & side) for side in (LOW, HIGH))

    def most_matched(self, side: Iterable[Card], others: AbstractSet[Card]) -> int:
        """How many of some cards, all low or all high, can have a partner of their own among the others."""
        taken: dict[Card, Card] = {}

        def place(card: Card, asked: set[Card]) -> bool:
            for other in self.partners[card] & others - asked:
                asked.add(other)
                if other not in taken or place(taken[other], asked):
                    taken[other] = card
                    return True
            return False

        return sum(place(card, set()) for card in side)

    def pairs_among(self, shown: set[Card]) -> list[Pair]:
        """The allowed pairs among some cards, and under overlap those of a card with the one that still covers it."""
        pairs = {pair for pair in self.pairs if shown.issuperset(pair)}
        if self.packed.overlap:
            exposed = self.exposed()
            pairs |= {
                pair
                for pair in self.pairs
                for card, cover in (pair, pair[::-1])
                if cover in exposed and card in self.covers and self.covers[card] & self.cards == {cover}
            }
        return [pair for pair in self.all_pairs if pair in pairs]

    def forced(self, pairs: Iterable[Pair], needed: AbstractSet[Card]) -> Pair | None:
        """The first of some available pairs that is the last one left to a card that has to go."""
        last = {card for card in needed if len(self.partners[card]) == 1}
        return next((pair for pair in pairs if not last.isdisjoint(pair)), None)

    def choose(self) -> list[Pair]:
        """The available pairs of the card to decide about: one that has to go and has the fewest ways out."""
        needed, best, chosen = self.needed(), 1_000, list[Pair]()
        for card in sorted({card for pair in self.available for card in pair}, key=_order):
            now = [pair for pair in self.available if card in pair]
            ways = len(self.partners[card])
            score = 4 * (len(now) + (ways > len(now))) + ways + (0 if card in needed else 100)
            if score < best:
                best, chosen = score, now
        return chosen


def _order(card: Card) -> tuple[int, bool, Card]:
    """The order in which equally good cards are chosen."""
    return group_of(card), card in HIGH, card
