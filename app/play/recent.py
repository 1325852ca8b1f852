"""A bounded memory of what was kept last."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_KEPT = 2_048


def _one(_value: object) -> int:
    return 1


class Recent(Generic[K, V]):
    """The values kept last, that weigh no more than ``most`` together; the oldest is forgotten first.

    Unless ``weigh`` tells otherwise each weighs 1. The newest is kept however much it weighs.
    """

    def __init__(self, most: int = _KEPT, weigh: Callable[[V], int] = _one) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of a key, or None."""
        return self._values.get(key)

    def keep(self, key: K, value: V) -> None:
        """Keep a value as the newest."""
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._most and len(self._values) > 1:
            self._weight -= self._weigh(self._values.popitem(last=False)[1])

    def drop(self, key: K) -> None:
        """Forget the value of a key, if there is one."""
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))
