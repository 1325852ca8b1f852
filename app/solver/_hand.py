# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A position under the hand, in the compiled search: what the game and the relaxed game have in common.

Sees integers only; packing.py tells what they mean, _hand.pxd their types.
"""

import cython


def _fill_tables():
    """Fill the tables by a byte of cards and by 16 pairs.

    ``outer`` has the pairs among the cards of a byte; ``cover_low`` and ``cover_high`` which sets of low or high cards
    (a bit each) some matching within the pairs covers; ``matching`` how many pairs the largest matching has.
    """
    for byte in range(256):
        outer[byte] = 0
        for low in range(4):
            for high in range(4):
                if (byte >> low) & 1 and (byte >> (4 + high)) & 1:
                    outer[byte] |= 1 << (4 * low + high)
    for pairs in range(65536):
        cover_low[pairs] = _coverable(pairs, 4, 1)
        cover_high[pairs] = _coverable(pairs, 1, 4)
        matching[pairs] = 0
        for low in range(16):
            if (cover_low[pairs] >> low) & 1 and popcount(low) > matching[pairs]:
                matching[pairs] = popcount(low)
    return 0


def _coverable(pairs, step, partner_step):
    """The subsets of one side (a bit each, 16) that a matching within the pairs covers, by Hall's theorem."""
    good = 0
    for subset in range(16):
        fits = 1
        for inner in range(1, 16):
            if inner & subset != inner:
                continue
            reach = 0
            for card in range(4):
                if (inner >> card) & 1:
                    for partner in range(4):
                        if (pairs >> (card * step + partner * partner_step)) & 1:
                            reach |= 1 << partner
            if popcount(reach) < popcount(inner):
                fits = 0
                break
        good |= fits << subset
    return good


def bit_of(card):
    """The bit of a card."""
    rank: cython.int = card % 13
    suit: cython.int = card // 13
    if rank == 12:
        return 48 + suit
    return 8 * rank + suit if rank < 6 else 8 * (11 - rank) + 4 + suit


def pairs_of(bit):
    """The pairs of its group that a card is in."""
    return (15 << (4 * (bit & 7))) if bit & 7 < 4 else (0x1111 << ((bit & 7) - 4))


def column_of(pairs):
    """Bits 0, 4, 8, 12 as a nibble: the low cards in the pairs of one high card."""
    return (pairs & 1) | ((pairs >> 3) & 2) | ((pairs >> 6) & 4) | ((pairs >> 9) & 8)


def covered(slots):
    """The slots under a card: slot s of row r lies under s + r and s + r + 1."""
    return (
        (((slots >> 1) | (slots >> 2)) & 0x0000001)
        | (((slots >> 2) | (slots >> 3)) & 0x0000006)
        | (((slots >> 3) | (slots >> 4)) & 0x0000038)
        | (((slots >> 4) | (slots >> 5)) & 0x00003C0)
        | (((slots >> 5) | (slots >> 6)) & 0x0007C00)
        | (((slots >> 6) | (slots >> 7)) & 0x01F8000)
    )


def mixed(place, low, high):
    """The hash of a node's three integers."""
    mix = place * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)
    mix ^= (mix >> 29) ^ (low * cython.cast(cython.ulonglong, 0xBF58476D1CE4E5B9))
    mix ^= (mix >> 32) ^ (high * cython.cast(cython.ulonglong, 0x94D049BB133111EB))
    mix *= cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)
    return cython.cast(cython.uint, mix >> 32)


@cython.cclass
class Hand:
    """A position and how to change it; the moves that do so are counted, and written down on demand."""

    def __init__(self, packed):
        """``packed`` is packing.Packed."""
        self.draw, self.piles, self.open = packed.draw, packed.piles, packed.open
        self.overlap, self.goal_all = packed.overlap, packed.goal_all
        self.unlimited = packed.redeals is None
        self.first_redeals = 0 if packed.redeals is None else packed.redeals
        self.resets = self.draw == 3 and self.piles == 1 and (self.unlimited or self.first_redeals > 0)
        self._take_in(packed)
        self._fill_places()
        self._take_in_pairs(packed)
        self.begin()

    def _take_in(self, packed):
        """Note where each card lies."""
        self.length, self.first_at = len(packed.stock), packed.at
        for i in range(28):
            card = packed.pyramid[i]
            self.slot_bit[i] = -1
            if card is not None:
                self.slot_card[i] = card
                self.slot_bit[i] = bit_of(card)
                self.place_of_bit[self.slot_bit[i]] = i
                self.first_slots |= 1 << i
                if self.slot_bit[i] >= 48:
                    self.king_slots |= 1 << i
        for i in range(self.length):
            self.stock_card[i] = packed.stock[i]
            self.stock_bit[i] = bit_of(self.stock_card[i])
            self.place_of_bit[self.stock_bit[i]] = 32 + i
            self.first_stock |= 1 << i
            self.pile_of[i] = packed.pile_of[i]
            self.pile_mask[self.pile_of[i]] |= 1 << i
            if self.stock_bit[i] >= 48:
                self.king_stock |= 1 << i
        return 0

    def _fill_places(self):
        """Fill the tables that turn 7 slots, or 6 places of the stock, into the bits of their cards."""
        for chunk in range(4):
            for places in range(128):
                for i in range(7):
                    if (places >> i) & 1 and self.slot_bit[7 * chunk + i] >= 0:
                        self.slots_table[128 * chunk + places] |= (
                            cython.cast(cython.ulonglong, 1) << self.slot_bit[7 * chunk + i]
                        )
            for places in range(64):
                for i in range(6):
                    if (places >> i) & 1 and 6 * chunk + i < self.length:
                        self.stock_table[64 * chunk + places] |= (
                            cython.cast(cython.ulonglong, 1) << self.stock_bit[6 * chunk + i]
                        )
        return 0

    def _take_in_pairs(self, packed):
        """Note which pairs may ever go, which of them have a stock card, and which lie over each other."""
        pyramid = self.slots_bits(self.first_slots)
        present = pyramid | self.stock_bits_of(self.first_stock)
        for g in range(6):
            self.first_allowed[g] = packed.allowed[g]
            self.with_stock[g] = (
                outer[(present >> (8 * g)) & 255] & ~outer[(pyramid >> (8 * g)) & 255] & self.first_allowed[g]
            )
        for slot, cover in packed.overlaps:
            low, high = sorted((self.slot_bit[slot] & 7, self.slot_bit[cover] & 7))
            self.overlap_slot[self.overlaps], self.overlap_cover[self.overlaps] = slot, cover
            self.overlap_group[self.overlaps] = self.slot_bit[slot] >> 3
            self.overlap_pair[self.overlaps] = 1 << (4 * low + high - 4)
            self.overlaps += 1
        return 0

    def begin(self):
        """Put the position that is to be solved under the hand."""
        self.slots, self.stock, self.at = self.first_slots, self.first_stock, self.first_at
        self.redeals, self.kings, self.cost = self.first_redeals, self.king_stock, 0
        for g in range(6):
            self.allowed[g] = self.first_allowed[g]

    def slots_bits(self, slots):
        """The bits of the cards in some slots."""
        return (
            self.slots_table[slots & 127]
            | self.slots_table[128 + ((slots >> 7) & 127)]
            | self.slots_table[256 + ((slots >> 14) & 127)]
            | self.slots_table[384 + (slots >> 21)]
        )

    def stock_bits_of(self, stock):
        """The bits of the cards in some places of waste and stock."""
        return (
            self.stock_table[stock & 63]
            | self.stock_table[64 + ((stock >> 6) & 63)]
            | self.stock_table[128 + ((stock >> 12) & 63)]
            | self.stock_table[192 + (stock >> 18)]
        )

    def key_place(self):
        """Where the cards lie, as a node has it."""
        return (
            cython.cast(cython.ulonglong, self.slots)
            | (cython.cast(cython.ulonglong, self.stock) << 28)
            | (cython.cast(cython.ulonglong, self.at) << 52)
            | (cython.cast(cython.ulonglong, self.redeals) << 57)
        )

    def key_low(self):
        """The allowed pairs of the first four groups, as a node has them."""
        return (
            cython.cast(cython.ulonglong, self.allowed[0])
            | (cython.cast(cython.ulonglong, self.allowed[1]) << 16)
            | (cython.cast(cython.ulonglong, self.allowed[2]) << 32)
            | (cython.cast(cython.ulonglong, self.allowed[3]) << 48)
        )

    def key_high(self):
        """The allowed pairs of the other two groups and the kings, as a node has them."""
        return (
            cython.cast(cython.ulonglong, self.allowed[4])
            | (cython.cast(cython.ulonglong, self.allowed[5]) << 16)
            | (cython.cast(cython.ulonglong, self.kings) << 32)
        )

    def load(self, place, low, high):
        """Put a node's position under the hand."""
        self.slots = place & 0xFFFFFFF
        self.stock = (place >> 28) & 0xFFFFFF
        self.at = (place >> 52) & 31
        self.redeals = place >> 57
        self.allowed[0] = low & 0xFFFF
        self.allowed[1] = (low >> 16) & 0xFFFF
        self.allowed[2] = (low >> 32) & 0xFFFF
        self.allowed[3] = low >> 48
        self.allowed[4] = high & 0xFFFF
        self.allowed[5] = (high >> 16) & 0xFFFF
        self.kings = high >> 32

    def write(self, code):
        """Count a move, and note it where a line is being written."""
        self.cost += 1
        if self.writing:
            self.line[self.written] = code
            self.written += 1

    def settle(self):
        """Let ``at`` point to the stock's next card that is still there."""
        rest = self.stock >> self.at if self.at < 24 else 0
        self.at = self.at + ctz(rest) if rest else self.length

    def remove_stock(self, place):
        """Take a card from waste or stock."""
        self.stock &= ~(cython.cast(cython.uint, 1) << place)
        self.settle()

    def discard_exposed_kings(self, exposed):
        """Discard the kings that nothing covers; whether there were any. They have to go and never go too early."""
        kings = exposed & self.king_slots
        if not kings:
            return False
        self.slots &= ~kings
        while kings:
            self.write(self.slot_card[ctz(kings)] | ALONE)
            kings &= kings - 1
        return True

    def take(self, g, low, high):
        """Discard a pair."""
        first = self._lift(8 * g + low)
        second = self._lift(8 * g + 4 + high)
        self.write(first | (second << 8))

    def _lift(self, bit):
        """Take a card from where it lies; its number."""
        where = self.place_of_bit[bit]
        if where >= 32:
            self.remove_stock(where - 32)
            return self.stock_card[where - 32]
        self.slots &= ~(cython.cast(cython.uint, 1) << where)
        return self.slot_card[where]

    def add_overlaps(self, exposed):
        """Add the pairs of a card with the one card that still covers it; whether there are any."""
        found = 0
        for i in range(self.overlaps):
            slot, row = self.overlap_slot[i], 1
            if not (self.slots >> slot) & 1 or not (exposed >> self.overlap_cover[i]) & 1:
                continue
            while row * (row + 1) // 2 <= slot:
                row += 1
            lying = (self.slots >> (slot + row)) & 3
            if lying != 3:
                pair = self.overlap_pair[i] & self.allowed[self.overlap_group[i]]
                self.available[self.overlap_group[i]] |= pair
                found |= pair
        return found

    def take_forced(self, needed, but_stock):
        """Take a pair that is the last one left to a card that has to go; whether there was one."""
        for g in range(6):
            pairs = self.available[g]
            if but_stock:
                pairs &= ~self.with_stock[g]
            must = (needed >> (8 * g)) & 255
            while pairs:
                pair = ctz(pairs)
                pairs &= pairs - 1
                row = self.future[g] & (15 << (pair & 12))
                column = self.future[g] & (0x1111 << (pair & 3))
                if ((must >> (pair >> 2)) & 1 and row & (row - 1) == 0) or (
                    (must >> (4 + (pair & 3))) & 1 and column & (column - 1) == 0
                ):
                    self.take(g, pair >> 2, pair & 3)
                    return True
        return False

    def choose(self):
        """Choose the card to decide about: one that has to go and has the fewest ways out."""
        best = 1000
        self.pairs_chosen = 0
        for g in range(6):
            if self.available[g] == 0:
                continue
            must = ((self.pyramid_bits | (self.stock_bits if self.goal_all else 0)) >> (8 * g)) & 255
            for card in range(8):
                line = (15 << (4 * card)) if card < 4 else (0x1111 << (card - 4))
                pairs = self.available[g] & line
                if pairs == 0:
                    continue
                now = popcount(pairs)
                ways = popcount(self.future[g] & line)
                score = 4 * (now + (1 if ways > now else 0)) + ways + (0 if (must >> card) & 1 else 100)
                if score < best:
                    best = score
                    self.group_chosen, self.pairs_chosen = g, pairs


_fill_tables()
