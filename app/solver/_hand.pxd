# The types of _hand.py, and the compiler's own bit counts.
cimport cython

cdef extern from *:
    int clz "__builtin_clz"(unsigned int) noexcept nogil
    int ctz "__builtin_ctz"(unsigned int) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int) noexcept nogil

ctypedef unsigned short pairs_t
ctypedef unsigned int places_t
ctypedef unsigned long long bits_t

# What comes next when nothing more can be done without a decision.
cdef enum:
    DEAD
    CHOICE
    GOAL

# Written moves, as packing.py tells, and the most of them that a search goes through with.
cdef enum:
    ALONE = 0xFF00
    REDEAL = 0xFFFE
    DRAW = 0xFFFF
    MOST_MOVES = 1000

cdef pairs_t[256] outer
cdef unsigned char[65536] matching
cdef pairs_t[65536] cover_low
cdef pairs_t[65536] cover_high

@cython.locals(byte=cython.int, low=cython.int, high=cython.int, pairs=cython.int)
cdef int _fill_tables() except -1
@cython.locals(good=cython.int, subset=cython.int, inner=cython.int, card=cython.int, partner=cython.int,
               reach=cython.int, fits=cython.int)
cdef int _coverable(int pairs, int step, int partner_step) noexcept nogil

cdef int bit_of(int card) noexcept nogil
cdef int pairs_of(int bit) noexcept nogil
cdef int column_of(int pairs) noexcept nogil
cdef places_t covered(places_t slots) noexcept nogil
@cython.locals(mix=bits_t)
cdef unsigned int mixed(bits_t place, bits_t low, bits_t high) noexcept nogil


cdef class Hand:
    # The rules.
    cdef int draw, piles
    cdef bint open, overlap, goal_all, unlimited, resets
    # The deal: cards by slot and by place, their bits, and tables that turn sets of places into bits.
    cdef int length
    cdef int[28] slot_card
    cdef int[24] stock_card
    cdef int[28] slot_bit
    cdef int[24] stock_bit
    cdef int[24] pile_of
    cdef places_t[3] pile_mask
    cdef int[56] place_of_bit
    cdef bits_t[512] slots_table
    cdef bits_t[256] stock_table
    cdef places_t king_slots, king_stock
    cdef pairs_t[6] with_stock
    cdef int overlaps
    cdef int[42] overlap_slot
    cdef int[42] overlap_cover
    cdef int[42] overlap_group
    cdef int[42] overlap_pair
    # The position at the start, and the one under the hand.
    cdef places_t first_slots, first_stock
    cdef int first_at, first_redeals
    cdef pairs_t[6] first_allowed
    cdef places_t slots, stock, kings
    cdef int at, redeals
    cdef pairs_t[6] allowed
    # What is known there: the cards still there, the pairs that may go one day, and those that can go now.
    cdef bits_t pyramid_bits, stock_bits
    cdef pairs_t[6] future
    cdef pairs_t[6] available
    # What is to be decided there.
    cdef int group_chosen, pairs_chosen
    # The moves made, and whether they are written down.
    cdef int cost
    cdef bint writing
    cdef int written
    cdef pairs_t[2048] line

    @cython.locals(i=cython.int)
    cdef int _take_in(self, packed) except -1
    @cython.locals(i=cython.int, chunk=cython.int, places=cython.int)
    cdef int _fill_places(self) except -1
    @cython.locals(g=cython.int)
    cdef int _take_in_pairs(self, packed) except -1
    @cython.locals(g=cython.int)
    cdef void begin(self) noexcept nogil
    cdef bits_t slots_bits(self, places_t slots) noexcept nogil
    cdef bits_t stock_bits_of(self, places_t stock) noexcept nogil
    cdef bits_t key_place(self) noexcept nogil
    cdef bits_t key_low(self) noexcept nogil
    cdef bits_t key_high(self) noexcept nogil
    cdef void load(self, bits_t place, bits_t low, bits_t high) noexcept nogil
    cdef void write(self, int code) noexcept nogil
    @cython.locals(rest=places_t)
    cdef void settle(self) noexcept nogil
    cdef void remove_stock(self, int place) noexcept nogil
    @cython.locals(kings=places_t)
    cdef bint discard_exposed_kings(self, places_t exposed) noexcept nogil
    @cython.locals(first=cython.int, second=cython.int)
    cdef void take(self, int g, int low, int high) noexcept nogil
    @cython.locals(where=cython.int)
    cdef int _lift(self, int bit) noexcept nogil
    @cython.locals(i=cython.int, slot=cython.int, row=cython.int, lying=places_t, found=cython.int, pair=cython.int)
    cdef int add_overlaps(self, places_t exposed) noexcept nogil
    @cython.locals(g=cython.int, pairs=cython.int, pair=cython.int, row=cython.int, column=cython.int, must=cython.int)
    cdef bint take_forced(self, bits_t needed, bint but_stock) noexcept nogil
    @cython.locals(g=cython.int, card=cython.int, pairs=cython.int, now=cython.int, ways=cython.int, score=cython.int,
                   best=cython.int, must=cython.int, line=cython.int)
    cdef void choose(self) noexcept nogil
