# The types of _relaxed.py.
cimport cython

from app.solver._hand cimport Hand, bits_t, pairs_t, places_t

cdef enum:
    MOST_SEEN = 0x40000


@cython.final
cdef class Relaxed(Hand):
    # The most positions to look at, how many were, and a table of them, open addressing: three integers each.
    cdef unsigned int most, count, room
    cdef bits_t* seen
    cdef int stopped

    @cython.locals(g=cython.int, pairs=cython.int, chosen=cython.int, found=cython.int, written=cython.int,
                   place=bits_t, low=bits_t, high=bits_t)
    cdef int play(self) noexcept nogil
    @cython.locals(exposed=places_t)
    cdef int _advance(self) noexcept nogil
    @cython.locals(present=bits_t, shown=bits_t, g=cython.int, byte=cython.int, need=cython.int, any_pair=cython.int)
    cdef int _look(self, places_t exposed) noexcept nogil
    @cython.locals(kept=cython.int, one_low=cython.bint, met=pairs_t[4], twins=cython.int, pair=cython.int, bit=cython.int,
                   partners=cython.int, i=cython.int, twin=cython.bint)
    cdef int _without_twins(self, int g, int pairs) noexcept nogil
    @cython.locals(place=bits_t, low=bits_t, high=bits_t, slot=cython.uint)
    cdef bint _see(self) noexcept nogil
    @cython.locals(old=cython.p_ulonglong, old_room=cython.uint, i=cython.uint, slot=cython.uint)
    cdef bint _grow(self) noexcept nogil
    cdef void forget(self) noexcept nogil
