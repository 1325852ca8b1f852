"""Values that are looked up by more often than they are made."""


class Hashed:
    """Keeps its hash once it has been asked for; ``_compared`` gives what equal values have in common.

    A dataclass that derives from it says ``__hash__ = Hashed.__hash__``, or would get one that counts anew each time.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            found = hash(self._compared())
        object.__setattr__(self, "_hash", found)
        return found

    def _compared(self) -> tuple[object, ...]:
        raise NotImplementedError
