# What _search.py needs from C, and the compiler's own bit counts.
cdef extern from *:
    int clz "__builtin_clz"(unsigned int) noexcept nogil
    int ctz "__builtin_ctz"(unsigned int) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int) noexcept nogil
