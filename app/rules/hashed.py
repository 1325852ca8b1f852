"""Values that are looked up by more often than they are made."""

from typing import ClassVar


class Hashed:
    """Keeps its hash once it has been asked for; a base for frozen dataclasses.

    One that derives from it says ``__hash__ = Hashed.__hash__``, or would get one that counts anew each time.
    """

    __slots__ = ("_hash",)
    __match_args__: ClassVar[tuple[str, ...]]
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            found = hash(tuple([getattr(self, name) for name in self.__match_args__]))
        object.__setattr__(self, "_hash", found)
        return found
