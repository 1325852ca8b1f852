# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled search: sees integers only, and holds no GIL while it searches.

packing.py makes what it takes and reads what it gives; _plain.py is its twin in plain Python.

A node is a position in which something must be decided, with what was decided before: 24 bytes of position and
prohibitions, and 27 more for its place in the search, in the table and in the queue (see BYTES_A_NODE).
"""

import cython
from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
from cython.cimports.libc.string import memset

BYTES_A_NODE = 24 + 4 + 1 + 1 + 1 + 8 + 12
"""Position and prohibitions, parent, moves, bound, state, table, queue."""

_DEAD = cython.declare(cython.int, 0)
_BRANCH = cython.declare(cython.int, 1)
_GOAL = cython.declare(cython.int, 2)
_NONE = cython.declare(cython.uint, 0xFFFFFFFF)
_MIX_0 = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)

# By a byte of cards (low nibble: those of value v, high nibble: those of 13 - v): the 16 pairs among them.
_outer = cython.declare(cython.ushort[256])
# By 16 allowed pairs: the largest matching, and which sets of low (high) cards some matching covers.
_matching = cython.declare(cython.uchar[65536])
_cover_low = cython.declare(cython.ushort[65536])
_cover_high = cython.declare(cython.ushort[65536])
_row = cython.declare(cython.uint[8])


def _fill_tables() -> cython.void:
    r: cython.int
    byte: cython.int
    low: cython.int
    high: cython.int
    pairs: cython.int
    first: cython.int = 0
    for r in range(1, 8):
        _row[r] = ((1 << r) - 1) << first
        first += r
    for byte in range(256):
        _outer[byte] = 0
        for low in range(4):
            for high in range(4):
                if (byte >> low) & 1 and (byte >> (4 + high)) & 1:
                    _outer[byte] |= 1 << (4 * low + high)
    for pairs in range(65536):
        _cover_low[pairs] = _coverable(pairs, 4, 1)
        _cover_high[pairs] = _coverable(pairs, 1, 4)
        _matching[pairs] = 0
        for low in range(16):
            if (_cover_low[pairs] >> low) & 1 and popcount(low) > _matching[pairs]:
                _matching[pairs] = popcount(low)


@cython.cfunc
@cython.exceptval(check=False)
def _coverable(pairs: cython.int, step: cython.int, partner_step: cython.int) -> cython.int:
    """The subsets of one side (a bit each, 16) that a matching within the pairs covers, by Hall's theorem."""
    good: cython.int = 0
    subset: cython.int
    inner: cython.int
    card: cython.int
    partner: cython.int
    reach: cython.int
    fits: cython.int
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


_fill_tables()


@cython.cclass
class Search:
    """One search from one position. ``run`` may be called once; ``cancel`` from any thread."""

    # The rules.
    draw: cython.int
    piles: cython.int
    open: cython.bint
    overlap: cython.bint
    goal_all: cython.bint
    unlimited: cython.bint
    resets: cython.bint
    quick: cython.bint

    # The deal: cards by slot and by place in the sequence of waste and stock, in three forms: the card's number, its
    # bit (8 * group + 4 * side + suit; kings in the seventh byte), and tables that turn sets of places into bits.
    length: cython.int
    slot_card = cython.declare(cython.int[28])
    stock_card = cython.declare(cython.int[24])
    slot_bit = cython.declare(cython.int[28])
    stock_bit = cython.declare(cython.int[24])
    pile_of = cython.declare(cython.int[24])
    pile_mask = cython.declare(cython.uint[3])
    place_of_bit = cython.declare(cython.int[56])
    slots_to_bits = cython.declare(cython.ulonglong[512])
    stock_to_bits = cython.declare(cython.ulonglong[256])
    king_slots: cython.uint
    king_stock: cython.uint
    first_allowed = cython.declare(cython.ushort[6])
    with_stock = cython.declare(cython.ushort[6])
    overlaps: cython.int
    overlap_slot = cython.declare(cython.int[42])
    overlap_cover = cython.declare(cython.int[42])
    overlap_group = cython.declare(cython.int[42])
    overlap_pair = cython.declare(cython.ushort[42])

    first_slots: cython.uint
    first_stock: cython.uint
    first_at: cython.int
    first_redeals: cython.int

    # The position under the hand.
    slots: cython.uint
    stock: cython.uint
    at: cython.int
    redeals: cython.int
    kings: cython.uint
    allowed = cython.declare(cython.ushort[6])
    cost: cython.int
    # What advance() found there.
    future = cython.declare(cython.ushort[6])
    available = cython.declare(cython.ushort[6])
    pyramid_bits: cython.ulonglong
    stock_bits: cython.ulonglong
    king_on_top: cython.int

    # What is to be decided at the node being expanded: pairs of a group, or a king on the waste (else -1).
    group_chosen: cython.int
    pairs_chosen: cython.int
    king_chosen: cython.int

    # The line being written, if any.
    writing: cython.bint
    written: cython.int
    line = cython.declare(cython.ushort[512])

    # The nodes.
    most: cython.uint
    room: cython.uint
    count: cython.uint
    place: cython.p_ulonglong
    allowed_0: cython.p_ulonglong
    allowed_1: cython.p_ulonglong
    parent: cython.p_uint
    moves: cython.p_uchar
    bound: cython.p_uchar
    closed: cython.p_uchar
    # The table of nodes, open addressing.
    table: cython.p_uint
    table_mask: cython.uint
    # The queue: a list of entries for each priority.
    entry_node: cython.p_uint
    entry_next: cython.p_uint
    entries: cython.uint
    entry_room: cython.uint
    free_entry: cython.uint
    heads = cython.declare(cython.uint[1024])
    lowest: cython.int

    # The relaxed game: positions seen there, and the discards of its win.
    seen: cython.p_ulonglong
    seen_room: cython.uint
    seen_count: cython.uint
    relaxed_written: cython.int
    relaxed_line = cython.declare(cython.ushort[64])

    stopped: cython.int
    broke: cython.int
    goal: cython.uint
    expanded: cython.ulonglong

    def __cinit__(self):
        self.place = self.allowed_0 = self.allowed_1 = cython.NULL
        self.parent = self.table = self.entry_node = self.entry_next = cython.NULL
        self.moves = self.bound = self.closed = cython.NULL
        self.seen = cython.NULL

    def __dealloc__(self):
        free(self.place)
        free(self.allowed_0)
        free(self.allowed_1)
        free(self.parent)
        free(self.table)
        free(self.entry_node)
        free(self.entry_next)
        free(self.moves)
        free(self.bound)
        free(self.closed)
        free(self.seen)

    def __init__(self, packed, most_nodes: cython.uint, quick: cython.bint):
        """``packed`` is packing.Packed; ``quick`` stops at the first win, otherwise the win is a shortest one."""
        i: cython.int
        g: cython.int
        self.draw, self.piles, self.open = packed.draw, packed.piles, packed.open
        self.overlap, self.goal_all = packed.overlap, packed.goal_all
        self.unlimited = packed.redeals is None
        self.first_redeals = 0 if packed.redeals is None else packed.redeals
        self.resets = self.draw == 3 and self.piles == 1 and (self.unlimited or self.first_redeals > 0)
        self.quick = quick
        self.length, self.first_at = len(packed.stock), packed.at
        self.first_slots = self.first_stock = self.king_slots = self.king_stock = 0
        for i in range(3):
            self.pile_mask[i] = 0
        for i in range(28):
            card = packed.pyramid[i]
            self.slot_bit[i] = -1
            if card is not None:
                self.slot_card[i] = card
                self.slot_bit[i] = _bit_of(card)
                self.place_of_bit[self.slot_bit[i]] = i
                self.first_slots |= 1 << i
                if self.slot_bit[i] >= 48:
                    self.king_slots |= 1 << i
        for i in range(self.length):
            self.stock_card[i] = packed.stock[i]
            self.stock_bit[i] = _bit_of(packed.stock[i])
            self.place_of_bit[self.stock_bit[i]] = 32 + i
            self.first_stock |= 1 << i
            self.pile_of[i] = packed.pile_of[i]
            self.pile_mask[self.pile_of[i]] |= 1 << i
            if self.stock_bit[i] >= 48:
                self.king_stock |= 1 << i
        self._fill_bits()
        for g in range(6):
            self.first_allowed[g] = packed.allowed[g]
            stock_byte = cython.cast(cython.int, (self._stock_to_bits(self.first_stock) >> (8 * g)) & 255)
            pyramid_byte = cython.cast(cython.int, (self._slots_to_bits(self.first_slots) >> (8 * g)) & 255)
            self.with_stock[g] = _outer[stock_byte | pyramid_byte] & ~_outer[pyramid_byte] & self.first_allowed[g]
        self.overlaps = 0
        for slot, cover in packed.overlaps:
            low, high = sorted((self.slot_bit[slot] & 7, self.slot_bit[cover] & 7))
            self.overlap_slot[self.overlaps], self.overlap_cover[self.overlaps] = slot, cover
            self.overlap_group[self.overlaps] = self.slot_bit[slot] >> 3
            self.overlap_pair[self.overlaps] = 1 << (4 * low + high - 4)
            self.overlaps += 1
        self.most = most_nodes
        self.count = self.room = self.entries = self.entry_room = 0
        self.free_entry = _NONE
        self.goal = _NONE
        self.stopped = self.broke = 0
        self.expanded = 0
        self.writing = False
        self.written = 0
        self.cost = 0
        self.table_mask = 0
        self.seen_room = self.seen_count = 0
        self.relaxed_written = 0

    def cancel(self):
        """Make the search end soon, with nothing found."""
        self.stopped = 1

    def run(self):
        """Search; "won", "lost", or "unknown" where the nodes or the memory ran out or it was cancelled."""
        status: cython.int
        with cython.nogil:
            status = self._run()
        return ("lost", "won", "unknown")[status]

    @property
    def nodes(self):
        """How many nodes were expanded."""
        return self.expanded

    def winning_line(self):
        """The moves of the win: cards (one or two numbers each), or "draw", "redeal"."""
        if self.relaxed_written:
            return self._line_of_relaxed()
        path = []
        node = self.goal
        while node != _NONE:
            path.append(node)
            node = self.parent[node]
        path.reverse()
        self._write_line(path)
        return [self._move(i) for i in range(self.written)]

    def _line_of_relaxed(self):
        """The win of the relaxed game, with the draws and redeals that bring each stock card to the top."""
        line = []
        i: cython.int
        where: cython.int
        card: cython.int
        self._begin()
        for i in range(self.relaxed_written):
            for card in (self.relaxed_line[i] & 0xFF, self.relaxed_line[i] >> 8):
                where = -1 if card == 0xFF else self.place_of_bit[_bit_of(card)] - 32
                while where >= 0 and not (self._tops() >> where) & 1 and not (self.open and self.at == where):
                    if self.at < self.length:
                        self._draw()
                        line.append("draw")
                    else:
                        self._redeal()
                        line.append("redeal")
                if where >= 0:
                    self._remove_stock(where)
            self.line[0] = self.relaxed_line[i]
            line.append(self._move(0))
        return line

    def _move(self, i: cython.int):
        code: cython.int = self.line[i]
        if code == 0xFFFF:
            return "draw"
        if code == 0xFFFE:
            return "redeal"
        first: cython.int = code & 0xFF
        second: cython.int = code >> 8
        if second == 0xFF:
            return (first,)
        return (first, second)

    @cython.cfunc
    def _fill_bits(self):
        i: cython.int
        chunk: cython.int
        places: cython.int
        for chunk in range(4):
            for places in range(128):
                self.slots_to_bits[128 * chunk + places] = 0
                for i in range(7):
                    if (places >> i) & 1 and self.slot_bit[7 * chunk + i] >= 0:
                        self.slots_to_bits[128 * chunk + places] |= (
                            cython.cast(cython.ulonglong, 1) << self.slot_bit[7 * chunk + i]
                        )
            for places in range(64):
                self.stock_to_bits[64 * chunk + places] = 0
                for i in range(6):
                    if (places >> i) & 1 and 6 * chunk + i < self.length:
                        self.stock_to_bits[64 * chunk + places] |= (
                            cython.cast(cython.ulonglong, 1) << self.stock_bit[6 * chunk + i]
                        )

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _slots_to_bits(self, slots: cython.uint) -> cython.ulonglong:
        return (
            self.slots_to_bits[slots & 127]
            | self.slots_to_bits[128 + ((slots >> 7) & 127)]
            | self.slots_to_bits[256 + ((slots >> 14) & 127)]
            | self.slots_to_bits[384 + (slots >> 21)]
        )

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _stock_to_bits(self, stock: cython.uint) -> cython.ulonglong:
        return (
            self.stock_to_bits[stock & 63]
            | self.stock_to_bits[64 + ((stock >> 6) & 63)]
            | self.stock_to_bits[128 + ((stock >> 12) & 63)]
            | self.stock_to_bits[192 + (stock >> 18)]
        )

    # ---- Moving on to the next decision ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _advance(self) -> cython.int:
        """Do what needs no decision until something does: _BRANCH, _GOAL, or _DEAD where no win is left."""
        whole_pass: cython.bint = False
        present: cython.ulonglong
        exposed: cython.uint
        shown: cython.ulonglong
        g: cython.int
        byte: cython.int
        pyramid_byte: cython.int
        need: cython.int
        any_pair: cython.int
        useful: cython.int
        last_pass: cython.bint
        kings: cython.uint
        tops: cython.uint
        i: cython.int
        below: cython.uint
        while True:
            if self.slots == 0 and (not self.goal_all or self.stock == 0):
                return _GOAL
            exposed = self.slots & ~_covered(self.slots)
            kings = exposed & self.king_slots
            if kings:
                # A king of the pyramid has to go and never goes too early.
                self.slots &= ~kings
                while kings:
                    i = ctz(kings)
                    kings &= kings - 1
                    self._write(self.slot_card[i] | 0xFF00)
                continue
            last_pass = self.redeals == 0 and not self.unlimited
            self.pyramid_bits = self._slots_to_bits(self.slots)
            self.stock_bits = self._stock_to_bits(self.stock)
            self.kings &= self.stock
            present = self.pyramid_bits | self.stock_bits
            for g in range(6):
                self.allowed[g] &= _outer[(present >> (8 * g)) & 255]
            if last_pass:
                self._bury()
            useful = 0
            for g in range(6):
                byte = (present >> (8 * g)) & 255
                pyramid_byte = (self.pyramid_bits >> (8 * g)) & 255
                self.future[g] = self.allowed[g]
                if self.resets and not last_pass:
                    self.future[g] |= self.with_stock[g] & _outer[byte]
                useful |= self.future[g] & ~_outer[pyramid_byte]
                need = byte if self.goal_all else pyramid_byte
                if not (_cover_low[self.future[g]] >> (need & 15)) & 1:
                    return _DEAD
                if not (_cover_high[self.future[g]] >> (need >> 4)) & 1:
                    return _DEAD
            if self.goal_all and not self.resets and self.kings != (self.king_stock & self.stock):
                return _DEAD
            tops = self._tops()
            shown = self._slots_to_bits(exposed) | self._stock_to_bits(tops)
            if self.open and self.at < self.length:
                shown |= cython.cast(cython.ulonglong, 1) << self.stock_bit[self.at]
            any_pair = 0
            for g in range(6):
                self.available[g] = self.allowed[g] & _outer[(shown >> (8 * g)) & 255]
                any_pair |= self.available[g]
            if self.overlap:
                any_pair |= self._add_overlaps(exposed)
            if any_pair:
                if self._take_forced(exposed):
                    whole_pass = False
                    continue
                self.king_on_top = -1
                return _BRANCH
            kings = tops & self.kings
            if kings:
                i = 31 - clz(kings)
                below = self.stock & self.pile_mask[self.pile_of[i]] & ((cython.cast(cython.uint, 1) << i) - 1)
                if self.goal_all and not self.resets:
                    self._remove_stock(i)
                    self._write(self.stock_card[i] | 0xFF00)
                    whole_pass = False
                    continue
                if below == 0 and not self.goal_all and last_pass:
                    # Nothing lies under it, and it will not have to be drawn again: it can stay.
                    self.kings &= ~(cython.cast(cython.uint, 1) << i)
                    continue
                self.king_on_top = i
                return _BRANCH
            # Nothing is to be decided: turn the next card.
            if not useful and not self.goal_all:
                return _DEAD
            if self.at >= self.length:
                if last_pass or self.stock == 0 or whole_pass:
                    return _DEAD
                whole_pass = True
                self._redeal()
            elif self.open and (self.king_stock >> self.at) & 1:
                i = self.at
                self._remove_stock(i)
                self._write(self.stock_card[i] | 0xFF00)
            else:
                self._draw()

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _write(self, code: cython.int) -> cython.void:
        """Count a move, and note it where a line is being written."""
        self.cost += 1
        if self.writing:
            self.line[self.written] = code
            self.written += 1

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _settle(self) -> cython.void:
        """Let ``at`` point to the stock's next card that is still there."""
        rest: cython.uint = self.stock >> self.at if self.at < 24 else 0
        self.at = self.at + ctz(rest) if rest else self.length

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _remove_stock(self, i: cython.int) -> cython.void:
        self.stock &= ~(cython.cast(cython.uint, 1) << i)
        self._settle()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw(self) -> cython.void:
        turned: cython.int
        for turned in range(self.draw):
            if self.at < self.length:
                self.at += 1
                self._settle()
        self._write(0xFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _redeal(self) -> cython.void:
        g: cython.int
        self.at = 0
        self._settle()
        if not self.unlimited:
            self.redeals -= 1
        if self.resets:
            # In the next pass other cards come out on top: what was forbidden with stock cards was so for this pass.
            for g in range(6):
                self.allowed[g] |= self.with_stock[g]
            self.kings = self.king_stock & self.stock
        self._write(0xFFFE)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _tops(self) -> cython.uint:
        """The exposed waste cards, as places."""
        waste: cython.uint = self.stock & ((cython.cast(cython.uint, 1) << self.at) - 1)
        tops: cython.uint = 0
        pile: cython.int
        cards: cython.uint
        for pile in range(self.piles):
            cards = waste & self.pile_mask[pile]
            if cards:
                tops |= cython.cast(cython.uint, 1) << (31 - clz(cards))
        return tops

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bury(self) -> cython.void:
        """In the last pass, forbid the pairs of waste cards that lie under one that can never leave."""
        waste: cython.uint = self.stock & ((cython.cast(cython.uint, 1) << self.at) - 1)
        pile: cython.int
        cards: cython.uint
        i: cython.int
        bit: cython.int
        stuck: cython.bint
        for pile in range(self.piles):
            cards = waste & self.pile_mask[pile]
            stuck = False
            while cards:
                i = 31 - clz(cards)
                cards &= ~(cython.cast(cython.uint, 1) << i)
                bit = self.stock_bit[i]
                if stuck:
                    if bit >= 48:
                        self.kings &= ~(cython.cast(cython.uint, 1) << i)
                    else:
                        self.allowed[bit >> 3] &= ~_pairs_of(bit)
                elif bit >= 48:
                    stuck = not (self.kings >> i) & 1
                else:
                    stuck = self.allowed[bit >> 3] & _pairs_of(bit) == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_overlaps(self, exposed: cython.uint) -> cython.int:
        """Add the pairs of a card with the one card that still covers it; whether there are any."""
        i: cython.int
        slot: cython.int
        cover: cython.int
        row: cython.int
        lying: cython.uint
        found: cython.int = 0
        for i in range(self.overlaps):
            slot, cover = self.overlap_slot[i], self.overlap_cover[i]
            if (self.slots >> slot) & 1 and (exposed >> cover) & 1:
                row = _row_of(slot)
                lying = (self.slots >> (slot + row)) & 3
                if lying == 1 or lying == 2:
                    found |= self.overlap_pair[i] & self.allowed[self.overlap_group[i]]
                    self.available[self.overlap_group[i]] |= self.overlap_pair[i] & self.allowed[self.overlap_group[i]]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_forced(self, exposed: cython.uint) -> cython.bint:
        """Take a pair that is the last one left to a card that has to go; whether there was one."""
        g: cython.int
        pairs: cython.int
        pair: cython.int
        low: cython.int
        high: cython.int
        must: cython.int
        row: cython.int
        column: cython.int
        for g in range(6):
            pairs = self.available[g]
            must = ((self.pyramid_bits | (self.stock_bits if self.goal_all else 0)) >> (8 * g)) & 255
            while pairs:
                pair = ctz(pairs)
                pairs &= pairs - 1
                low, high = pair >> 2, pair & 3
                if self.resets and (self.with_stock[g] >> pair) & 1:
                    # Another pass may be better for a stock card.
                    continue
                row = self.future[g] & (15 << (4 * low))
                column = self.future[g] & (0x1111 << high)
                if ((must >> low) & 1 and row & (row - 1) == 0) or (
                    (must >> (4 + high)) & 1 and column & (column - 1) == 0
                ):
                    self._take(g, low, high)
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, g: cython.int, low: cython.int, high: cython.int) -> cython.void:
        """Discard a pair."""
        first: cython.int = self._lift(8 * g + low)
        second: cython.int = self._lift(8 * g + 4 + high)
        self._write(first | (second << 8))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lift(self, bit: cython.int) -> cython.int:
        """Take a card from where it lies; its number."""
        where: cython.int = self.place_of_bit[bit]
        if where >= 32:
            self._remove_stock(where - 32)
            return self.stock_card[where - 32]
        self.slots &= ~(cython.cast(cython.uint, 1) << where)
        return self.slot_card[where]

    # ---- How many moves are left at the least ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _least(self) -> cython.int:
        """A lower bound on the moves from here to the win, from what advance() found."""
        g: cython.int
        byte: cython.int
        low: cython.int
        high: cython.int
        inner: cython.int
        matched: cython.int = 0
        cards: cython.int = 0
        deepest: cython.int = -1
        depth: cython.int
        kings: cython.int = popcount(cython.cast(cython.uint, (self.pyramid_bits >> 48) & 15))
        if self.goal_all:
            cards = popcount(self.slots) + popcount(self.stock)
            kings += popcount(cython.cast(cython.uint, (self.stock_bits >> 48) & 15))
            return (cards - kings) // 2 + kings + self._draws_for_all()
        for g in range(6):
            byte = (self.pyramid_bits >> (8 * g)) & 255
            if byte == 0:
                continue
            low, high = byte & 15, byte >> 4
            inner = _matching[self.future[g] & _outer[byte]]
            matched += inner
            cards += popcount(byte)
            depth = self._depth(g, low, popcount(low) - inner, 4)
            if depth > deepest:
                deepest = depth
            depth = self._depth(g, high, popcount(high) - inner, 0)
            if depth > deepest:
                deepest = depth
        if deepest < 0:
            return cards - matched + kings
        if self.open:
            return kings + self._open_bound(cards, matched, deepest)
        return cards - matched + kings + (deepest + self.draw) // self.draw

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open_bound(self, cards: cython.int, matched: cython.int, deepest: cython.int) -> cython.int:
        """Discards and draws with an open stock, where a card may leave the top instead of being drawn.

        With x pairs inside the pyramid there are cards - x discards, of which cards - 2x take a stock card; the
        deepest card that is needed has ``deepest`` cards before it, each to be drawn or discarded.
        """
        by_discards: cython.int = cards - matched
        both: cython.int = (cards + deepest + 1) // 2
        return by_discards if by_discards > both else both

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draws_for_all(self) -> cython.int:
        """Draws that the goal of all cards needs at the least."""
        if self.open or self.at >= self.length:
            return 0
        return (popcount(self.stock >> self.at) + self.draw - 1) // self.draw

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _depth(self, g: cython.int, needy: cython.int, needed: cython.int, partner_shift: cython.int) -> cython.int:
        """How many cards lie in the stock before the last one that some of the needy cards must pair with, or -1.

        ``needed`` partners must come from waste or stock; those in the waste are taken to be at hand.
        """
        partners: cython.int = 0
        card: cython.int
        i: cython.int
        places: cython.uint = 0
        if needed <= 0:
            return -1
        for card in range(4):
            if (needy >> card) & 1:
                if partner_shift == 4:
                    partners |= (self.future[g] >> (4 * card)) & 15
                else:
                    partners |= _spread_column(self.future[g] >> card)
        partners &= (self.stock_bits >> (8 * g + partner_shift)) & 15
        for card in range(4):
            if (partners >> card) & 1:
                i = self.place_of_bit[8 * g + partner_shift + card] - 32
                if i < self.at:
                    needed -= 1
                else:
                    places |= cython.cast(cython.uint, 1) << i
        if needed <= 0 or places == 0:
            return -1
        while needed > 1 and places & (places - 1):
            places &= places - 1
            needed -= 1
        i = ctz(places)
        return popcount((self.stock & ((cython.cast(cython.uint, 1) << i) - 1)) >> self.at)

    # ---- Nodes, table, queue ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key_place(self) -> cython.ulonglong:
        return (
            cython.cast(cython.ulonglong, self.slots)
            | (cython.cast(cython.ulonglong, self.stock) << 28)
            | (cython.cast(cython.ulonglong, self.at) << 52)
            | (cython.cast(cython.ulonglong, self.redeals) << 57)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key_0(self) -> cython.ulonglong:
        return (
            cython.cast(cython.ulonglong, self.allowed[0])
            | (cython.cast(cython.ulonglong, self.allowed[1]) << 16)
            | (cython.cast(cython.ulonglong, self.allowed[2]) << 32)
            | (cython.cast(cython.ulonglong, self.allowed[3]) << 48)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key_1(self) -> cython.ulonglong:
        return (
            cython.cast(cython.ulonglong, self.allowed[4])
            | (cython.cast(cython.ulonglong, self.allowed[5]) << 16)
            | (cython.cast(cython.ulonglong, self.kings) << 32)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _load(self, node: cython.uint) -> cython.void:
        """Put a node's position under the hand."""
        key: cython.ulonglong = self.place[node]
        zero: cython.ulonglong = self.allowed_0[node]
        one: cython.ulonglong = self.allowed_1[node]
        self.slots = key & 0xFFFFFFF
        self.stock = (key >> 28) & 0xFFFFFF
        self.at = (key >> 52) & 31
        self.redeals = key >> 57
        self._load_allowed(zero, one)
        self.cost = self.moves[node]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _load_allowed(self, zero: cython.ulonglong, one: cython.ulonglong) -> cython.void:
        self.allowed[0] = zero & 0xFFFF
        self.allowed[1] = (zero >> 16) & 0xFFFF
        self.allowed[2] = (zero >> 32) & 0xFFFF
        self.allowed[3] = zero >> 48
        self.allowed[4] = one & 0xFFFF
        self.allowed[5] = (one >> 16) & 0xFFFF
        self.kings = one >> 32

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self) -> cython.bint:
        """Make room for more nodes; whether there is some."""
        room: cython.uint
        table: cython.p_uint
        i: cython.uint
        slot: cython.uint
        if self.room >= self.most:
            return False
        room = 1024 if self.room == 0 else self.room * 2
        if room > self.most:
            room = self.most
        self.place = cython.cast(cython.p_ulonglong, _resized(self.place, room * 8, cython.address(self.broke)))
        self.allowed_0 = cython.cast(cython.p_ulonglong, _resized(self.allowed_0, room * 8, cython.address(self.broke)))
        self.allowed_1 = cython.cast(cython.p_ulonglong, _resized(self.allowed_1, room * 8, cython.address(self.broke)))
        self.parent = cython.cast(cython.p_uint, _resized(self.parent, room * 4, cython.address(self.broke)))
        self.moves = cython.cast(cython.p_uchar, _resized(self.moves, room, cython.address(self.broke)))
        self.bound = cython.cast(cython.p_uchar, _resized(self.bound, room, cython.address(self.broke)))
        self.closed = cython.cast(cython.p_uchar, _resized(self.closed, room, cython.address(self.broke)))
        if self.broke:
            return False
        if self.table_mask + 1 < 2 * room:
            i = 2048
            while i < 2 * room:
                i *= 2
            table = cython.cast(cython.p_uint, malloc(cython.cast(cython.size_t, i) * 4))
            if table == cython.NULL:
                self.broke = 1
                return False
            memset(table, 0xFF, cython.cast(cython.size_t, i) * 4)
            free(self.table)
            self.table = table
            self.table_mask = i - 1
            for i in range(self.count):
                slot = _hash(self.place[i], self.allowed_0[i], self.allowed_1[i]) & self.table_mask
                while self.table[slot] != _NONE:
                    slot = (slot + 1) & self.table_mask
                self.table[slot] = i
        self.room = room
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach(self, parent: cython.uint, least: cython.int, goal: cython.bint) -> cython.void:
        """Note the position under the hand as a node, or that it was reached in fewer moves."""
        key: cython.ulonglong = self._key_place()
        zero: cython.ulonglong = self._key_0()
        one: cython.ulonglong = self._key_1()
        slot: cython.uint
        node: cython.uint
        bound: cython.int = self.cost + least
        if parent != _NONE and bound < self.bound[parent]:
            bound = self.bound[parent]
        if bound > 255:
            self.broke = 1
            return
        if self.count >= self.room and not self._grow():
            self.broke = 1
            return
        slot = _hash(key, zero, one) & self.table_mask
        while True:
            node = self.table[slot]
            if node == _NONE:
                break
            if self.place[node] == key and self.allowed_0[node] == zero and self.allowed_1[node] == one:
                if self.moves[node] <= self.cost or (self.quick and self.closed[node]):
                    return
                break
            slot = (slot + 1) & self.table_mask
        if node == _NONE:
            node = self.count
            self.count += 1
            self.table[slot] = node
            self.place[node] = key
            self.allowed_0[node] = zero
            self.allowed_1[node] = one
        self.parent[node] = parent
        self.moves[node] = self.cost
        self.bound[node] = bound
        self.closed[node] = 0
        if goal and (self.quick or self.goal == _NONE or self.cost < self.moves[self.goal]):
            self.goal = node
        self._enqueue(node, 3 * least + (self.cost >> 2) if self.quick else bound)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enqueue(self, node: cython.uint, priority: cython.int) -> cython.void:
        entry: cython.uint
        room: cython.uint
        if self.free_entry != _NONE:
            entry = self.free_entry
            self.free_entry = self.entry_next[entry]
        else:
            if self.entries >= self.entry_room:
                room = 1024 if self.entry_room == 0 else self.entry_room * 2
                self.entry_node = cython.cast(
                    cython.p_uint, _resized(self.entry_node, room * 4, cython.address(self.broke))
                )
                self.entry_next = cython.cast(
                    cython.p_uint, _resized(self.entry_next, room * 4, cython.address(self.broke))
                )
                if self.broke:
                    return
                self.entry_room = room
            entry = self.entries
            self.entries += 1
        self.entry_node[entry] = node
        self.entry_next[entry] = self.heads[priority]
        self.heads[priority] = entry
        if priority < self.lowest:
            self.lowest = priority

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dequeue(self) -> cython.uint:
        """The open node to go on with, or _NONE."""
        entry: cython.uint
        node: cython.uint
        while self.lowest < 1024:
            entry = self.heads[self.lowest]
            if entry == _NONE:
                self.lowest += 1
                continue
            node = self.entry_node[entry]
            self.heads[self.lowest] = self.entry_next[entry]
            self.entry_next[entry] = self.free_entry
            self.free_entry = entry
            if not self.closed[node]:
                return node
        return _NONE

    # ---- The relaxed game: every stock card that is still there can be had at any time ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _relaxed(self, depth: cython.int) -> cython.int:
        """From the position under the hand: _GOAL, _DEAD, or _BRANCH where it was given up.

        A game lost here is lost. The same search by now or never, without draws.
        """
        g: cython.int
        card: cython.int
        pair: cython.int
        pairs: cython.int
        chosen: cython.int
        found: cython.int
        slots: cython.uint
        stock: cython.uint
        zero: cython.ulonglong
        one: cython.ulonglong
        while True:
            found = self._relaxed_advance(depth)
            if found != _BRANCH:
                return found
            depth = self.relaxed_written
            if self.seen_count >= 1 << 18 or self.stopped or self.broke:
                return _BRANCH
            if not self._see():
                return _DEAD
            self._choose()
            g, chosen = self.group_chosen, self.pairs_chosen
            pairs = self._without_twins(g, chosen)
            slots, stock, zero, one = self.slots, self.stock, self._key_0(), self._key_1()
            while pairs:
                pair = ctz(pairs)
                pairs &= pairs - 1
                self._relaxed_take(g, pair >> 2, pair & 3)
                found = self._relaxed(self.relaxed_written)
                if found != _DEAD:
                    return found
                self.slots, self.stock, self.relaxed_written = slots, stock, depth
                self._load_allowed(zero, one)
            self.allowed[g] &= ~chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _relaxed_advance(self, depth: cython.int) -> cython.int:
        """Do what needs no decision in the relaxed game."""
        exposed: cython.uint
        kings: cython.uint
        present: cython.ulonglong
        shown: cython.ulonglong
        g: cython.int
        need: cython.int
        any_pair: cython.int
        while True:
            if self.slots == 0:
                return _GOAL
            exposed = self.slots & ~_covered(self.slots)
            kings = exposed & self.king_slots
            if kings:
                self.slots &= ~kings
                while kings:
                    self.relaxed_line[self.relaxed_written] = self.slot_card[ctz(kings)] | 0xFF00
                    self.relaxed_written += 1
                    kings &= kings - 1
                continue
            self.pyramid_bits = self._slots_to_bits(self.slots)
            self.stock_bits = self._stock_to_bits(self.stock)
            present = self.pyramid_bits | self.stock_bits
            shown = self._slots_to_bits(exposed) | self.stock_bits
            any_pair = 0
            for g in range(6):
                self.allowed[g] &= _outer[(present >> (8 * g)) & 255]
                self.future[g] = self.allowed[g]
                need = ((present if self.goal_all else self.pyramid_bits) >> (8 * g)) & 255
                if not (_cover_low[self.allowed[g]] >> (need & 15)) & 1:
                    return _DEAD
                if not (_cover_high[self.allowed[g]] >> (need >> 4)) & 1:
                    return _DEAD
                self.available[g] = (
                    self.allowed[g] & _outer[(shown >> (8 * g)) & 255] & ~_outer[(self.stock_bits >> (8 * g)) & 255]
                )
                any_pair |= self.available[g]
            if self.overlap:
                any_pair |= self._add_overlaps(exposed)
            if not any_pair:
                return _DEAD
            if not self._relaxed_take_forced():
                return _BRANCH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _relaxed_take_forced(self) -> cython.bint:
        g: cython.int
        pairs: cython.int
        pair: cython.int
        row: cython.int
        column: cython.int
        must: cython.int
        for g in range(6):
            pairs = self.available[g]
            must = (self.pyramid_bits >> (8 * g)) & 255
            while pairs:
                pair = ctz(pairs)
                pairs &= pairs - 1
                row = self.future[g] & (15 << (pair & 12))
                column = self.future[g] & (0x1111 << (pair & 3))
                if ((must >> (pair >> 2)) & 1 and row & (row - 1) == 0) or (
                    (must >> (4 + (pair & 3))) & 1 and column & (column - 1) == 0
                ):
                    self._relaxed_take(g, pair >> 2, pair & 3)
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _relaxed_take(self, g: cython.int, low: cython.int, high: cython.int) -> cython.void:
        first: cython.int = self._lift(8 * g + low)
        second: cython.int = self._lift(8 * g + 4 + high)
        self.relaxed_line[self.relaxed_written] = first | (second << 8)
        self.relaxed_written += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _without_twins(self, g: cython.int, pairs: cython.int) -> cython.int:
        """The pairs of a pyramid card less those with a stock card that another one can stand in for."""
        kept: cython.int = 0
        left: cython.int = pairs
        pair: cython.int
        other: cython.int
        others: cython.int
        side: cython.int = 0 if popcount(pairs & (15 << (ctz(pairs) & 12))) == popcount(pairs) else 1
        twin: cython.bint
        while left:
            pair = ctz(left)
            left &= left - 1
            twin = False
            others = kept
            while others and (self.with_stock[g] >> pair) & 1:
                other = ctz(others)
                others &= others - 1
                if not (self.with_stock[g] >> other) & 1:
                    continue
                if side == 0 and _spread_column(self.allowed[g] >> (pair & 3)) == _spread_column(
                    self.allowed[g] >> (other & 3)
                ):
                    twin = True
                if side == 1 and (self.allowed[g] >> (pair & 12)) & 15 == (self.allowed[g] >> (other & 12)) & 15:
                    twin = True
            if not twin:
                kept |= 1 << pair
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _see(self) -> cython.bint:
        """Note that the position under the hand is looked at in the relaxed game; False where it was before."""
        place: cython.ulonglong = cython.cast(cython.ulonglong, self.slots) | (
            cython.cast(cython.ulonglong, self.stock) << 28
        )
        zero: cython.ulonglong = self._key_0()
        one: cython.ulonglong = self._key_1()
        slot: cython.uint
        if 2 * self.seen_count >= self.seen_room:
            self._grow_seen()
            if self.broke:
                return True
        slot = _hash(place, zero, one) & (self.seen_room - 1)
        while self.seen[3 * slot]:
            if self.seen[3 * slot] == place and self.seen[3 * slot + 1] == zero and self.seen[3 * slot + 2] == one:
                return False
            slot = (slot + 1) & (self.seen_room - 1)
        self.seen[3 * slot], self.seen[3 * slot + 1], self.seen[3 * slot + 2] = place, zero, one
        self.seen_count += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow_seen(self) -> cython.void:
        old: cython.p_ulonglong = self.seen
        old_room: cython.uint = self.seen_room
        i: cython.uint
        slot: cython.uint
        self.seen_room = 256 if old_room == 0 else 4 * old_room
        self.seen = cython.cast(cython.p_ulonglong, calloc(3 * cython.cast(cython.size_t, self.seen_room), 8))
        if self.seen == cython.NULL:
            self.seen, self.seen_room, self.broke = old, old_room, 1
            return
        for i in range(old_room):
            if old[3 * i]:
                slot = _hash(old[3 * i], old[3 * i + 1], old[3 * i + 2]) & (self.seen_room - 1)
                while self.seen[3 * slot]:
                    slot = (slot + 1) & (self.seen_room - 1)
                self.seen[3 * slot] = old[3 * i]
                self.seen[3 * slot + 1] = old[3 * i + 1]
                self.seen[3 * slot + 2] = old[3 * i + 2]
        free(old)

    # ---- The search ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self) -> cython.int:
        """0 lost, 1 won, 2 unknown."""
        i: cython.int
        node: cython.uint
        found: cython.int
        for i in range(1024):
            self.heads[i] = _NONE
        self.lowest = 1024
        if not self._grow():
            return 2
        self._begin()
        if self.unlimited or self.first_redeals > 0:
            found = self._relaxed(0)
            if found == _DEAD:
                return 0
            if found == _GOAL and self.quick and self.unlimited and self.draw == 1 and not self.goal_all:
                # Any card of the stock can be brought to the top of the waste: the relaxed game is the game.
                return 1
            self._begin()
        self.relaxed_written = 0
        found = self._advance()
        if found == _DEAD:
            return 0
        self._reach(_NONE, 0 if found == _GOAL else self._least(), found == _GOAL)
        while True:
            if self.stopped or self.broke:
                return 2
            if self.quick and self.goal != _NONE:
                return 1
            node = self._dequeue()
            if node == _NONE:
                return 0
            if node == self.goal:
                return 1
            self.closed[node] = 1
            self.expanded += 1
            self._expand(node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, node: cython.uint) -> cython.void:
        """Reach every decision that can be made at a node."""
        choices: cython.int
        choice: cython.int
        choices = self._choices(node)
        for choice in range(choices):
            self._follow(node, choice)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choices(self, node: cython.uint) -> cython.int:
        """Choose what to decide at a node; how many ways there are to decide it."""
        writing: cython.bint = self.writing
        self.writing = False
        self._load(node)
        self._advance()
        self.writing = writing
        self.king_chosen = self.king_on_top
        if self.king_chosen >= 0:
            return 2
        self._choose()
        return popcount(self.pairs_chosen) + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.void:
        """Choose the card to decide about: one of the pyramid with the fewest ways out, if there is any."""
        g: cython.int
        card: cython.int
        pairs: cython.int
        ways: cython.int
        now: cython.int
        score: cython.int
        best: cython.int = 1000
        must: cython.int
        line: cython.int
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
                score = 4 * (now + (1 if ways > now else 0)) + ways
                if not (must >> card) & 1:
                    score += 100
                if score < best:
                    best = score
                    self.group_chosen, self.pairs_chosen = g, pairs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow(self, node: cython.uint, choice: cython.int) -> cython.void:
        """Reach what a choice at a node leads to."""
        found: cython.int = self._after(node, choice)
        if found != _DEAD:
            self._reach(node, 0 if found == _GOAL else self._least(), found == _GOAL)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after(self, node: cython.uint, choice: cython.int) -> cython.int:
        """Put the position after a choice under the hand, moved on to the next decision."""
        pairs: cython.int = self.pairs_chosen
        i: cython.int
        self._load(node)
        if self.king_chosen >= 0:
            if choice == 0:
                self._remove_stock(self.king_chosen)
                self._write(self.stock_card[self.king_chosen] | 0xFF00)
            else:
                self.kings &= ~(cython.cast(cython.uint, 1) << self.king_chosen)
        elif choice < popcount(pairs):
            for i in range(choice):
                pairs &= pairs - 1
            self._take(self.group_chosen, ctz(pairs) >> 2, ctz(pairs) & 3)
        else:
            self.allowed[self.group_chosen] &= ~pairs
        return self._advance()

    def _write_line(self, path):
        """Write the moves along a path of nodes, by making each of its choices again."""
        node: cython.uint
        child: cython.uint
        choice: cython.int
        choices: cython.int
        best: cython.int
        fewest: cython.int
        before: cython.int
        self.writing, self.written = True, 0
        self._begin()
        self._advance()
        for node, child in zip(path, path[1:]):
            choices, before, best, fewest = self._choices(node), self.written, -1, 1000
            # Two choices may lead to the same node; the shorter way is meant.
            for choice in range(choices):
                if self._after(node, choice) != _DEAD and self._is_at(child) and self.cost < fewest:
                    best, fewest = choice, self.cost
                self.written = before
            self._after(node, best)
        self.writing = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_at(self, node: cython.uint) -> cython.bint:
        return (
            self.place[node] == self._key_place()
            and self.allowed_0[node] == self._key_0()
            and self.allowed_1[node] == self._key_1()
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.void:
        """Put the position that is to be solved under the hand."""
        g: cython.int
        self.slots, self.stock, self.at, self.redeals = (
            self.first_slots,
            self.first_stock,
            self.first_at,
            self.first_redeals,
        )
        self.kings, self.cost = self.king_stock, 0
        for g in range(6):
            self.allowed[g] = self.first_allowed[g]
        self._settle()


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _covered(slots: cython.uint) -> cython.uint:
    """The slots under a card: slot s of row r lies under s + r and s + r + 1."""
    return (
        (((slots >> 1) | (slots >> 2)) & _row[1])
        | (((slots >> 2) | (slots >> 3)) & _row[2])
        | (((slots >> 3) | (slots >> 4)) & _row[3])
        | (((slots >> 4) | (slots >> 5)) & _row[4])
        | (((slots >> 5) | (slots >> 6)) & _row[5])
        | (((slots >> 6) | (slots >> 7)) & _row[6])
    )


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _row_of(slot: cython.int) -> cython.int:
    row: cython.int = 1
    while slot >= row:
        slot -= row
        row += 1
    return row


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _pairs_of(bit: cython.int) -> cython.int:
    """The pairs of its group that a card is in."""
    return (15 << (4 * (bit & 7))) if bit & 7 < 4 else (0x1111 << ((bit & 7) - 4))


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _spread_column(pairs: cython.int) -> cython.int:
    """Bits 0, 4, 8, 12 as a nibble."""
    return (pairs & 1) | ((pairs >> 3) & 2) | ((pairs >> 6) & 4) | ((pairs >> 9) & 8)


@cython.cfunc
@cython.exceptval(check=False)
def _bit_of(card: cython.int) -> cython.int:
    """The bit of a card: 8 * group + 4 * side + suit, kings 48 + suit."""
    rank: cython.int = card % 13
    suit: cython.int = card // 13
    if rank == 12:
        return 48 + suit
    return 8 * rank + suit if rank < 6 else 8 * (11 - rank) + 4 + suit


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _hash(place: cython.ulonglong, zero: cython.ulonglong, one: cython.ulonglong) -> cython.uint:
    mixed: cython.ulonglong = place * _MIX_0
    mixed ^= (mixed >> 29) ^ (zero * _MIX_1)
    mixed ^= (mixed >> 32) ^ (one * _MIX_2)
    mixed *= _MIX_0
    return cython.cast(cython.uint, mixed >> 32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _resized(memory: cython.p_void, size: cython.size_t, broke: cython.p_int) -> cython.p_void:
    """The memory with room for ``size`` bytes; where there is none it stays as it is and ``broke`` is set."""
    larger: cython.p_void = realloc(memory, size)
    if larger == cython.NULL:
        broke[0] = 1
        return memory
    return larger
