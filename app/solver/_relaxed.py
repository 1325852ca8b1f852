# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The relaxed game, in the compiled search: whoever loses even there has lost. _relaxed.pxd has the types."""

import cython
from cython.cimports.app.solver._hand import (
    CHOICE,
    DEAD,
    GOAL,
    Hand,
    column_of,
    cover_high,
    cover_low,
    covered,
    ctz,
    mixed,
    outer,
)
from cython.cimports.libc.stdlib import calloc, free


@cython.cclass
class Relaxed(Hand):
    """The relaxed game: every stock card that is still there can be had at any time. Its discards are written down."""

    def __dealloc__(self):
        free(self.seen)

    def __init__(self, packed, most_nodes: cython.uint):
        super().__init__(packed)
        self.most = min(cython.cast(cython.uint, MOST_SEEN), most_nodes)
        self.writing = True

    def forget(self):
        """Give the memory back."""
        free(self.seen)
        self.seen = cython.NULL
        self.room = 0

    def play(self):
        """From the position under the hand: GOAL, DEAD, or CHOICE where it was given up."""
        while True:
            found = self._advance()
            if found != CHOICE:
                return found
            if self.count >= self.most or self.stopped or (2 * self.count >= self.room and not self._grow()):
                return CHOICE
            if not self._see():
                return DEAD
            self.choose()
            g, chosen, written = self.group_chosen, self.pairs_chosen, self.written
            pairs = self._without_twins(g, chosen)
            place, low, high = self.key_place(), self.key_low(), self.key_high()
            while pairs:
                self.take(g, ctz(pairs) >> 2, ctz(pairs) & 3)
                pairs &= pairs - 1
                found = self.play()
                if found != DEAD:
                    return found
                self.load(place, low, high)
                self.written = written
            self.allowed[g] &= ~chosen

    def _advance(self):
        """Do what needs no decision."""
        while self.slots != 0:
            exposed = self.slots & ~covered(self.slots)
            if self.discard_exposed_kings(exposed):
                continue
            if not self._look(exposed):
                return DEAD
            if not self.take_forced(self.pyramid_bits, False):  # noqa: FBT003 - C functions take no keywords.
                return CHOICE
        return GOAL

    def _look(self, exposed):
        """Find out which pairs can go; whether there are any, and each card that has to go can have a partner."""
        self.pyramid_bits, self.stock_bits = self.slots_bits(self.slots), self.stock_bits_of(self.stock)
        present = self.pyramid_bits | self.stock_bits
        shown = self.slots_bits(exposed) | self.stock_bits
        any_pair = 0
        for g in range(6):
            byte = (present >> (8 * g)) & 255
            need = byte if self.goal_all else (self.pyramid_bits >> (8 * g)) & 255
            self.allowed[g] &= outer[byte]
            self.future[g] = self.allowed[g]
            if not (cover_low[self.allowed[g]] >> (need & 15)) & 1:
                return False
            if not (cover_high[self.allowed[g]] >> (need >> 4)) & 1:
                return False
            self.available[g] = (
                self.allowed[g] & outer[(shown >> (8 * g)) & 255] & ~outer[(self.stock_bits >> (8 * g)) & 255]
            )
            any_pair |= self.available[g]
        if self.overlap:
            any_pair |= self.add_overlaps(exposed)
        return any_pair != 0

    def _without_twins(self, g, pairs):
        """The pairs of a card less those with a stock card for which another one can stand in."""
        kept, twins = pairs, 0
        one_low = pairs & (15 << (ctz(pairs) & 12)) == pairs
        while pairs:
            pair = ctz(pairs)
            pairs &= pairs - 1
            if one_low:
                bit = 4 + (pair & 3)
                partners = column_of(self.allowed[g] >> (pair & 3))
            else:
                bit = pair >> 2
                partners = (self.allowed[g] >> (pair & 12)) & 15
            if self.place_of_bit[8 * g + bit] < 32:
                continue
            twin = False
            for i in range(twins):
                twin = twin or met[i] == partners
            if twin:
                kept &= ~(1 << pair)
            else:
                met[twins] = partners
                twins += 1
        return kept

    def _see(self):
        """Note that the position under the hand is looked at; False where it was before."""
        place, low, high = self.key_place(), self.key_low(), self.key_high()
        slot = mixed(place, low, high) & (self.room - 1)
        while self.seen[3 * slot]:
            if self.seen[3 * slot] == place and self.seen[3 * slot + 1] == low and self.seen[3 * slot + 2] == high:
                return False
            slot = (slot + 1) & (self.room - 1)
        self.seen[3 * slot], self.seen[3 * slot + 1], self.seen[3 * slot + 2] = place, low, high
        self.count += 1
        return True

    def _grow(self):
        """Make the table larger; whether there was memory for it."""
        old, old_room = self.seen, self.room
        self.room = 256 if old_room == 0 else 4 * old_room
        self.seen = cython.cast(cython.p_ulonglong, calloc(3 * cython.cast(cython.size_t, self.room), 8))
        if self.seen == cython.NULL:
            self.seen, self.room = old, old_room
            return False
        for i in range(old_room):
            if old[3 * i]:
                slot = mixed(old[3 * i], old[3 * i + 1], old[3 * i + 2]) & (self.room - 1)
                while self.seen[3 * slot]:
                    slot = (slot + 1) & (self.room - 1)
                self.seen[3 * slot], self.seen[3 * slot + 1] = old[3 * i], old[3 * i + 1]
                self.seen[3 * slot + 2] = old[3 * i + 2]
        free(old)
        return True
