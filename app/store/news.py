"""What happens in a transaction, for whoever counts it: told once it is committed, forgotten where it is not."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from app.rules.ruleset import RuleSet

Event = Literal["begun", "move", "won", "left"]
News = list[tuple[Event, RuleSet]]


class _Here(threading.local):
    """What was noted on this thread; None while nobody listens."""

    news: News | None = None


_here = _Here()


def note(event: Event, rules: RuleSet) -> None:
    """Note that something happens in the transaction that is under way on this thread."""
    if _here.news is not None:
        _here.news.append((event, rules))


@contextmanager
def heard() -> Iterator[News]:
    """What is noted on this thread within the block, in order."""
    news: News = []
    _here.news = news
    try:
        yield news
    finally:
        _here.news = None
