# The types of _search.py.
cimport cython

from app.solver._hand cimport bits_t
from app.solver._relaxed cimport Relaxed
from app.solver._table cimport Table

cdef enum:
    NONE = 0xFFFFFFFF
    PRIORITIES = 1024

cdef void* resized(void* memory, size_t size, int* broke) noexcept nogil


@cython.final
cdef class Search:
    cdef Table table
    cdef Relaxed relaxed
    cdef bint quick
    cdef int stopped
    # Whether there was no room, or no memory, for another node.
    cdef int full
    cdef unsigned int goal
    cdef unsigned long long expanded
    # The win of the relaxed game, where it is the game.
    cdef bint relaxed_won
    # The king that is decided about at the node being expanded, else -1.
    cdef int king_chosen

    # The nodes.
    cdef unsigned int most, room, count
    cdef bits_t* place
    cdef bits_t* low
    cdef bits_t* high
    cdef unsigned int* parent
    cdef unsigned short* moves
    cdef unsigned short* bound
    cdef unsigned char* closed
    # The table of nodes, open addressing.
    cdef unsigned int* slots
    cdef unsigned int mask
    # The queue: a list of entries for each priority, and one of entries to use again.
    cdef unsigned int* entry_node
    cdef unsigned int* entry_next
    cdef unsigned int entries, entry_room, free_entry
    cdef unsigned int[1024] heads
    cdef int lowest

    @cython.locals(found=cython.int, node=cython.uint)
    cdef int _run(self, Table table, Relaxed relaxed) noexcept nogil
    @cython.locals(i=cython.int, choices=cython.int, found=cython.int)
    cdef void _expand(self, Table table, unsigned int node) noexcept nogil
    @cython.locals(writing=cython.bint)
    cdef int _choices(self, Table table, unsigned int node) noexcept nogil
    @cython.locals(pairs=cython.int, i=cython.int)
    cdef int _follow(self, Table table, unsigned int node, int choice) noexcept nogil
    cdef void _load(self, Table table, unsigned int node) noexcept nogil
    @cython.locals(before=cython.int, best=cython.int, fewest=cython.int, choices=cython.int, choice=cython.int)
    cdef void _write_step(self, Table table, unsigned int node, unsigned int child) noexcept nogil
    cdef bint _is_at(self, Table table, unsigned int node) noexcept nogil

    @cython.locals(place=bits_t, low=bits_t, high=bits_t, bound=cython.int, node=cython.uint)
    cdef void _reach(self, Table table, unsigned int parent, int least, bint goal) noexcept nogil
    @cython.locals(slot=cython.uint, node=cython.uint)
    cdef unsigned int _slot_of(self, bits_t place, bits_t low, bits_t high) noexcept nogil
    @cython.locals(room=cython.uint, broke=cython.p_int)
    cdef bint _grow(self) noexcept nogil
    @cython.locals(size=cython.uint, i=cython.uint, slots=cython.p_uint)
    cdef bint _grow_table(self, unsigned int least) noexcept nogil

    @cython.locals(entry=cython.uint)
    cdef void _enqueue(self, unsigned int node, int priority) noexcept nogil
    @cython.locals(room=cython.uint, broke=cython.p_int)
    cdef bint _grow_queue(self) noexcept nogil
    @cython.locals(entry=cython.uint, node=cython.uint)
    cdef unsigned int _dequeue(self) noexcept nogil
