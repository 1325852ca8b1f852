"""The game itself: draws, redeals, the waste, and how many moves are left at the least."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from math import ceil

from app.rules.cards import PACK, Card
from app.rules.moves import is_king
from app.solver._plain.hand import HIGH, LOW, Found, Hand
from app.solver.packing import GROUPS, Packed, WrittenMove, group_of


class Table(Hand):
    """The game itself."""

    def __init__(self, packed: Packed) -> None:
        super().__init__(packed)
        self.start = self.position
        self.unlimited = packed.redeals is None
        self.resets = packed.draw > 1 and (self.unlimited or self.redeals > 0)
        self.with_stock = [pair for pair in self.all_pairs if not self.place_of.keys().isdisjoint(pair)]
        self.groups = [frozenset(card for card in PACK if group_of(card) == group) for group in range(GROUPS)]
        self.king_on_top: Card | None = None

    @property
    def last_pass(self) -> bool:
        """Whether no redeal is left."""
        return not self.unlimited and self.redeals == 0

    @property
    def any_card_can_surface(self) -> bool:
        """Whether every stock card can be brought to the top of the waste: the relaxed game is then the game."""
        return self.unlimited and self.packed.draw == 1 and not self.packed.goal_all

    def advance(self) -> Found:
        """Do what needs no decision until something does; "lost" where no win is left."""
        idle = False
        while self.needed():
            if self.discard_exposed_kings():
                continue
            self._foresee()
            if not self.can_all_go():
                return "lost"
            self.available = self.pairs_among(self.exposed() | self.exposed_stock())
            self.king_on_top = None if self.available else self._undecided_king()
            must_go = self._forced_discard()
            if must_go:
                self.discard(*must_go)
                idle = False
            elif self.available or self.king_on_top is not None:
                return "choice"
            elif self._is_over(idle=idle):
                return "lost"
            else:
                idle = idle or self.at == len(self.packed.stock)
                self.turn()
        return "won"

    def turn(self) -> None:
        """Draw, or redeal where the stock is empty; with an open stock a king goes at the price of its draw."""
        stock = self.packed.stock
        if self.at == len(stock):
            self._redeal()
        elif self.packed.open and is_king(stock[self.at]):
            self.discard(stock[self.at])
        else:
            for _ in range(self.packed.draw):
                self.at = self._settled(self.at + 1)
            self.written.append("draw")

    def exposed_stock(self) -> set[Card]:
        """The tops of the waste piles, and the stock's own where it lies open."""
        stock = self.packed.stock
        tops = {self.packed.pile_of[place]: stock[place] for place in range(self.at) if stock[place] in self.cards}
        return {*tops.values(), *(stock[self.at : self.at + 1] if self.packed.open else ())}

    def least(self) -> int:
        """A lower bound on the moves from here to the win, from what advance() found."""
        needed = self.needed()
        kings = sum(map(is_king, needed))
        cards = len(needed) - kings
        if self.packed.goal_all:
            draws = 0 if self.packed.open else len(self._stock_from(self.at)) / self.packed.draw
            return cards // 2 + kings + ceil(draws)
        together, deepest = self._at_best()
        discards = cards - together
        if deepest < 0:
            return discards + kings
        if self.packed.open:
            # The cards before the deepest that is needed are each drawn or discarded; with x pairs inside the pyramid
            # there are cards - x discards, cards - 2x of them with a stock card.
            return max(discards, (cards + deepest + 1) // 2) + kings
        return discards + kings + deepest // self.packed.draw + 1

    def with_draws(self, discards: Iterable[tuple[Card, ...]]) -> list[WrittenMove]:
        """Discards that are possible with every stock card at hand, with the draws and redeals that bring it there."""
        self.load(self.start)
        for cards in discards:
            while not self.exposed_stock() >= self.place_of.keys() & cards:
                self.turn()
            self.discard(*cards)
        return self.written

    def _foresee(self) -> None:
        """Forbid what can no longer be; the future holds as well what the next redeal allows again."""
        self.forget_gone()
        if self.last_pass:
            self._bury()
        again = self.with_stock if self.resets and not self.last_pass else ()
        self.look_ahead(self.pairs.union(pair for pair in again if self.cards.issuperset(pair)))

    def _bury(self) -> None:
        """In the last pass, forbid the pairs of waste cards that lie under one that can never leave."""
        stuck = set[int]()
        # Pile by pile, each from its top.
        for place in sorted(range(self.at), key=lambda place: (self.packed.pile_of[place], -place)):
            card, pile = self.packed.stock[place], self.packed.pile_of[place]
            if card not in self.cards:
                continue
            if pile in stuck:
                self.pairs = {pair for pair in self.pairs if card not in pair}
                self.kings.discard(card)
            elif card not in self.kings and not any(card in pair for pair in self.pairs):
                stuck.add(pile)

    def _forced_discard(self) -> tuple[Card, ...] | None:
        """The pair that is the last one left to a card that has to go, or a king on the waste that has to.

        Where pairs with stock cards are forbidden for a pass only, another pass may be better for them.
        """
        if self.king_on_top is not None:
            return (self.king_on_top,) if self.packed.goal_all and not self.resets else None
        pairs = (pair for pair in self.available if not (self.resets and pair in self.with_stock))
        return self.forced(pairs, self.needed())

    def _undecided_king(self) -> Card | None:
        """A king on the waste of which it is not decided that it stays."""
        for king in sorted(self.exposed_stock() & self.kings, key=self.place_of.__getitem__, reverse=True):
            place = self.place_of[king]
            if place >= self.at:
                continue
            under = any(
                self.packed.pile_of[other] == self.packed.pile_of[place] and self.packed.stock[other] in self.cards
                for other in range(place)
            )
            if under or self.packed.goal_all or not self.last_pass:
                return king
            # It need not be drawn again, and nothing lies under it.
            self.kings.discard(king)
        return None

    def _is_over(self, *, idle: bool) -> bool:
        """Whether turning further cards is of no use; ``idle``: nothing went since a redeal."""
        stock = self.cards & self.place_of.keys()
        if not self.packed.goal_all and not any(self.partners[card] for card in stock):
            return True
        return self.at == len(self.packed.stock) and (self.last_pass or idle or not self._stock_from(0))

    def _redeal(self) -> None:
        self.at = self._settled(0)
        self.redeals -= not self.unlimited
        if self.resets:
            # In the next pass other cards come out on top: what was forbidden with stock cards was so for this pass.
            self.pairs.update(self.with_stock)
            self.kings = {card for card in self.place_of if is_king(card)}
        self.written.append("redeal")

    def _settled(self, at: int) -> int:
        """The first place from ``at`` on whose card is still there."""
        return self.place_of[self._stock_from(at)[0]] if self._stock_from(at) else len(self.packed.stock)

    def _stock_from(self, place: int) -> list[Card]:
        return [card for card in self.packed.stock[place:] if card in self.cards]

    def _at_best(self) -> tuple[int, int]:
        """How many pairs can go inside the pyramid at the most, and how deep in the stock the rest reaches at least."""
        in_pyramid = self.in_pyramid()
        together, deepest = 0, -1
        for group in self.groups:
            low, high = in_pyramid & group & LOW, in_pyramid & group & HIGH
            most = self.most_matched(low, high)
            together += most
            deepest = max(deepest, self._deepest(low, len(low) - most), self._deepest(high, len(high) - most))
        return together, deepest

    def _deepest(self, needy: AbstractSet[Card], needed: int) -> int:
        """How many cards lie in the stock before the last one that some needy cards must pair with, or -1.

        ``needed`` partners must come from waste or stock; those in the waste are taken to be at hand.
        """
        partners = set[Card]().union(*(self.partners[card] for card in needy))
        places = sorted(self.place_of[card] for card in partners & self.place_of.keys())
        ahead = [place for place in places if place >= self.at]
        wanted = needed - (len(places) - len(ahead))
        if wanted <= 0 or not ahead:
            return -1
        last = ahead[min(wanted, len(ahead)) - 1]
        return sum(self.place_of[card] < last for card in self._stock_from(self.at))
