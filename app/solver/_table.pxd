# The types of _table.py.
cimport cython

from app.solver._hand cimport Hand, bits_t, places_t


@cython.final
cdef class Table(Hand):
    # The king on the waste that is to be decided about, else -1.
    cdef int king_on_top

    @cython.locals(idle=cython.bint, last_pass=cython.bint, useful=cython.int, exposed=places_t)
    cdef int advance(self) noexcept nogil
    @cython.locals(present=bits_t, g=cython.int, byte=cython.int, pyramid_byte=cython.int, need=cython.int,
                   useful=cython.int)
    cdef int _foresee(self, bint last_pass) noexcept nogil
    @cython.locals(shown=bits_t, g=cython.int, any_pair=cython.int)
    cdef bint _look(self, places_t exposed, places_t tops) noexcept nogil
    @cython.locals(king=cython.int, below=places_t, kings=places_t)
    cdef int _undecided_king(self, places_t tops, bint last_pass) noexcept nogil
    cdef void turn(self) noexcept nogil
    cdef void discard_king(self, int place) noexcept nogil
    @cython.locals(g=cython.int)
    cdef void _redeal(self) noexcept nogil
    @cython.locals(waste=places_t, found=places_t, pile=cython.int, cards=places_t)
    cdef places_t tops(self) noexcept nogil
    @cython.locals(waste=places_t, pile=cython.int, cards=places_t, i=cython.int, bit=cython.int, stuck=cython.bint)
    cdef void _bury(self) noexcept nogil
    @cython.locals(g=cython.int, byte=cython.int, inner=cython.int, matched=cython.int, cards=cython.int,
                   deepest=cython.int, kings=cython.int)
    cdef int least(self) noexcept nogil
    @cython.locals(kings=cython.int, cards=cython.int, draws=cython.int)
    cdef int _least_for_all(self) noexcept nogil
    @cython.locals(partners=cython.int, card=cython.int, i=cython.int, places=places_t)
    cdef int _depth(self, int g, int needy, int needed, int partner_shift) noexcept nogil
