"""Wrong guesses slowed down: who has guessed wrong has to wait before the next guess is looked at."""

from collections.abc import Callable

from app.play.errors import TooFast
from app.play.recent import Recent

FREE = 5
"""So many wrong guesses cost nothing: hands slip."""

LONGEST_SECONDS = 300
FORGOTTEN_SECONDS = 3_600


class Slowdown:
    """Wrong guesses by whoever made them; ``now`` is the time in milliseconds.

    From the sixth on the wait doubles with each, from one second to five minutes; after an hour without one all is
    forgotten.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._wrong = Recent[str, tuple[int, int]]()

    def wait(self, who: str) -> int:
        """How many seconds somebody has to wait before his next guess."""
        count, last = self._count(who)
        # A clock that was set back makes nobody wait longer than he would have.
        left = _wait(count) * 1_000 - max(0, self._now() - last)
        return -(-max(0, left) // 1_000)

    def enter(self, who: str) -> None:
        """Count a guess as wrong until forgive() says otherwise. Raises TooFast for whoever has to wait still."""
        seconds = self.wait(who)
        if seconds:
            raise TooFast(seconds)
        self._wrong.keep(who, (self._count(who)[0] + 1, self._now()))

    def forgive(self, who: str) -> None:
        """The last guess was right."""
        count, last = self._count(who)
        self._wrong.keep(who, (max(0, count - 1), last))

    def _count(self, who: str) -> tuple[int, int]:
        count, last = self._wrong.get(who) or (0, 0)
        return (0, 0) if self._now() - last > FORGOTTEN_SECONDS * 1_000 else (count, last)


def _wait(wrong: int) -> int:
    """Seconds to wait after so many wrong guesses."""
    return min(LONGEST_SECONDS, 2 ** min(wrong - FREE - 1, 30)) if wrong > FREE else 0
