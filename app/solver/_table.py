# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The game itself, in the compiled search: draws, redeals, the waste, and how many moves are left at the least.

_table.pxd has the types.
"""

import cython
from cython.cimports.app.solver._hand import (
    ALONE,
    CHOICE,
    DEAD,
    DRAW,
    GOAL,
    REDEAL,
    Hand,
    clz,
    column_of,
    cover_high,
    cover_low,
    covered,
    ctz,
    matching,
    outer,
    pairs_of,
    popcount,
)


@cython.cclass
class Table(Hand):
    """The game itself."""

    def advance(self):
        """Do what needs no decision until something does: CHOICE, GOAL, or DEAD where no win is left."""
        # ``idle``: nothing went since a redeal.
        idle = False
        while self.slots != 0 or (self.goal_all and self.stock != 0):
            exposed = self.slots & ~covered(self.slots)
            if self.discard_exposed_kings(exposed):
                continue
            last_pass = self.redeals == 0 and not self.unlimited
            useful = self._foresee(last_pass)
            if useful < 0:
                return DEAD
            tops = self.tops()
            self.king_on_top = -1
            if self._look(exposed, tops):
                # Where pairs with stock cards are forbidden for a pass only, another pass may be better for one.
                if not self.take_forced(self.pyramid_bits | (self.stock_bits if self.goal_all else 0), self.resets):
                    return CHOICE
                idle = False
                continue
            self.king_on_top = self._undecided_king(tops, last_pass)
            if self.king_on_top >= 0:
                if not self.goal_all or self.resets:
                    return CHOICE
                self.discard_king(self.king_on_top)
                idle = False
                continue
            # Nothing is to be decided: turn the next card, if that is of use.
            if not useful and not self.goal_all:
                return DEAD
            if self.at >= self.length:
                if last_pass or self.stock == 0 or idle:
                    return DEAD
                idle = True
            self.turn()
        return GOAL

    def _foresee(self, last_pass):
        """Find out which pairs may go one day; whether one has a stock card, or -1 where no win is left."""
        self.pyramid_bits, self.stock_bits = self.slots_bits(self.slots), self.stock_bits_of(self.stock)
        present = self.pyramid_bits | self.stock_bits
        self.kings &= self.stock
        for g in range(6):
            self.allowed[g] &= outer[(present >> (8 * g)) & 255]
        if last_pass:
            self._bury()
        useful = 0
        for g in range(6):
            byte = (present >> (8 * g)) & 255
            pyramid_byte = (self.pyramid_bits >> (8 * g)) & 255
            self.future[g] = self.allowed[g]
            if self.resets and not last_pass:
                self.future[g] |= self.with_stock[g] & outer[byte]
            useful |= self.future[g] & ~outer[pyramid_byte]
            need = byte if self.goal_all else pyramid_byte
            if (
                not (cover_low[self.future[g]] >> (need & 15)) & 1
                or not (cover_high[self.future[g]] >> (need >> 4)) & 1
            ):
                return -1
        if self.goal_all and not self.resets and self.kings != (self.king_stock & self.stock):
            return -1
        return useful != 0

    def _look(self, exposed, tops):
        """Find out which pairs can go now; whether there are any."""
        shown = self.slots_bits(exposed) | self.stock_bits_of(tops)
        if self.open and self.at < self.length:
            shown |= cython.cast(cython.ulonglong, 1) << self.stock_bit[self.at]
        any_pair = 0
        for g in range(6):
            self.available[g] = self.allowed[g] & outer[(shown >> (8 * g)) & 255]
            any_pair |= self.available[g]
        if self.overlap:
            any_pair |= self.add_overlaps(exposed)
        return any_pair != 0

    def _undecided_king(self, tops, last_pass):
        """A king on the waste of which it is not decided that it stays, or -1."""
        kings = tops & self.kings
        while kings:
            king = 31 - clz(kings)
            below = self.stock & self.pile_mask[self.pile_of[king]] & ((1 << king) - 1)
            if below != 0 or self.goal_all or not last_pass:
                return king
            # Nothing lies under it, and it will not have to be drawn again: it can stay.
            kings &= ~(1 << king)
            self.kings &= ~(1 << king)
        return -1

    def turn(self):
        """Draw, or redeal where the stock is empty; with an open stock a king goes at the price of its draw."""
        if self.at >= self.length:
            self._redeal()
        elif self.open and (self.king_stock >> self.at) & 1:
            self.discard_king(self.at)
        else:
            for _ in range(self.draw):
                if self.at < self.length:
                    self.at += 1
                    self.settle()
            self.write(DRAW)

    def discard_king(self, place):
        """Discard a king of the waste or the stock."""
        self.remove_stock(place)
        self.write(self.stock_card[place] | ALONE)

    def _redeal(self):
        self.at = 0
        self.settle()
        if not self.unlimited:
            self.redeals -= 1
        if self.resets:
            # In the next pass other cards come out on top: what was forbidden with stock cards was so for this pass.
            for g in range(6):
                self.allowed[g] |= self.with_stock[g]
            self.kings = self.king_stock & self.stock
        self.write(REDEAL)

    def tops(self):
        """The exposed waste cards, as places."""
        waste = self.stock & ((1 << self.at) - 1)
        if self.piles == 1:
            return (cython.cast(cython.uint, 1) << (31 - clz(waste))) if waste else 0
        found = 0
        for pile in range(self.piles):
            cards = waste & self.pile_mask[pile]
            if cards:
                found |= cython.cast(cython.uint, 1) << (31 - clz(cards))
        return found

    def _bury(self):
        """In the last pass, forbid the pairs of waste cards that lie under one that can never leave."""
        waste = self.stock & ((1 << self.at) - 1)
        for pile in range(self.piles):
            cards = waste & self.pile_mask[pile]
            stuck = False
            while cards:
                i = 31 - clz(cards)
                cards &= ~(1 << i)
                bit = self.stock_bit[i]
                if stuck:
                    if bit >= 48:
                        self.kings &= ~(1 << i)
                    else:
                        self.allowed[bit >> 3] &= ~pairs_of(bit)
                elif bit >= 48:
                    stuck = not (self.kings >> i) & 1
                else:
                    stuck = self.allowed[bit >> 3] & pairs_of(bit) == 0

    def least(self):
        """A lower bound on the moves from here to the win, from what advance() found."""
        if self.goal_all:
            return self._least_for_all()
        matched, cards, deepest = 0, 0, -1
        for g in range(6):
            byte = (self.pyramid_bits >> (8 * g)) & 255
            if byte == 0:
                continue
            inner = matching[self.future[g] & outer[byte]]
            matched += inner
            cards += popcount(byte)
            deepest = max(
                deepest,
                self._depth(g, byte & 15, popcount(byte & 15) - inner, 4),
                self._depth(g, byte >> 4, popcount(byte >> 4) - inner, 0),
            )
        kings = popcount(cython.cast(cython.uint, (self.pyramid_bits >> 48) & 15))
        if deepest < 0:
            return cards - matched + kings
        if self.open:
            # The cards before the deepest that is needed are each drawn or discarded; with x pairs inside the pyramid
            # there are cards - x discards, cards - 2x of them with a stock card.
            return max(cards - matched, (cards + deepest + 1) // 2) + kings
        return cards - matched + kings + deepest // self.draw + 1

    def _least_for_all(self):
        kings = popcount(cython.cast(cython.uint, ((self.pyramid_bits | self.stock_bits) >> 48) & 15))
        cards = popcount(self.slots) + popcount(self.stock) - kings
        draws = 0
        if not self.open and self.at < self.length:
            draws = (popcount(self.stock >> self.at) + self.draw - 1) // self.draw
        return cards // 2 + kings + draws

    def _depth(self, g, needy, needed, partner_shift):
        """How many cards lie in the stock before the last one that some of the needy cards must pair with, or -1.

        ``needed`` partners must come from waste or stock; those in the waste are taken to be at hand.
        """
        if needed <= 0:
            return -1
        partners, places = 0, 0
        for card in range(4):
            if (needy >> card) & 1:
                partners |= (self.future[g] >> (4 * card)) & 15 if partner_shift else column_of(self.future[g] >> card)
        partners &= (self.stock_bits >> (8 * g + partner_shift)) & 15
        while partners:
            i = self.place_of_bit[8 * g + partner_shift + ctz(partners)] - 32
            partners &= partners - 1
            if i < self.at:
                needed -= 1
            else:
                places |= 1 << i
        if needed <= 0 or places == 0:
            return -1
        while needed > 1 and places & (places - 1):
            places &= places - 1
            needed -= 1
        return popcount((self.stock & ((1 << ctz(places)) - 1)) >> self.at)
