"""The relaxed game: whoever loses even there has lost."""

from app.rules.cards import Card
from app.solver._plain.hand import Found, Hand, Position
from app.solver.packing import Packed, Pair

MOST_RELAXED = 1 << 18
"""How many positions of the relaxed game are looked at before it is given up."""


class Relaxed(Hand):
    """The relaxed game: every stock card that is still there can be had at any time."""

    def __init__(self, packed: Packed) -> None:
        super().__init__(packed)
        self.seen: set[Position] = set()

    def advance(self) -> Found:
        """Do what needs no decision until something does; "lost" where no win is left."""
        while self.in_pyramid():
            if self.discard_exposed_kings():
                continue
            self.forget_gone()
            self.look_ahead(self.pairs)
            if not self.can_all_go():
                return "lost"
            at_hand = self.pairs_among(self.exposed() | (self.cards & self.place_of.keys()))
            self.available = [pair for pair in at_hand if not self.slot_of.keys().isdisjoint(pair)]
            if not self.available:
                return "lost"
            pair = self.forced(self.available, self.in_pyramid())
            if pair is None:
                return "choice"
            self.discard(*pair)
        return "won"

    def without_twins(self, chosen: list[Pair]) -> list[Pair]:
        """The pairs of a card less those with a stock card for which another one can stand in."""
        common = set(chosen[0]).intersection(*chosen)
        kept, met = list[Pair](), list[set[Card]]()
        for pair in chosen:
            (other,) = set(pair) - common if len(chosen) > 1 else pair[:1]
            if other in self.place_of and self.partners[other] in met:
                continue
            met += [self.partners[other]] if other in self.place_of else []
            kept.append(pair)
        return kept
