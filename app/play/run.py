"""How a use case reaches the database."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Run(Protocol):
    """Runs a use case on the database, a function of its connection; app/store/database/door.py tells how."""

    async def __call__(self, use_case: Callable[[Any], T]) -> T:
        """The result of a use case, once it is committed."""
