"""A bounded memory of what was used last."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_KEPT = 4_096


class Recent(Generic[K, V]):
    """The values kept last, ``most`` of them; the oldest is forgotten first."""

    def __init__(self, most: int = _KEPT) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of a key, or None."""
        return self._values.get(key)

    def keep(self, key: K, value: V) -> None:
        """Keep a value as the newest."""
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._values.popitem(last=False)
