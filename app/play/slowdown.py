"""Wrong guesses slowed down: who has guessed wrong has to wait before the next guess is looked at.

They are counted in the database, so that all servers count together and a restart forgets nothing. Each of the use
cases is a transaction of its own: a guess counts, whatever becomes of what was guessed.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from app.play.errors import TooFast
from app.play.limits import key_of
from app.store import limits
from app.store.limits import StoredLimit

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

    def wait(self, connection: Connection, who: str) -> int:
        """How many seconds somebody has to wait before his next guess."""
        kept = self._kept(connection, who)
        # A clock that was set back makes nobody wait longer than he would have.
        left = _wait(kept.count) * 1_000_000 - max(0, self._now() * 1_000 - kept.at)
        return -(-max(0, left) // 1_000_000)

    def enter(self, connection: Connection, who: str) -> None:
        """Count a guess as wrong until forgive() says otherwise. Raises TooFast for whoever has to wait still."""
        seconds = self.wait(connection, who)
        if seconds:
            raise TooFast(seconds)
        kept = self._kept(connection, who)
        limits.keep(connection, [StoredLimit(kept.key, self._now() * 1_000, kept.count + 1)])

    def forgive(self, connection: Connection, who: str) -> None:
        """The last guess was right."""
        kept = self._kept(connection, who)
        limits.keep(connection, [StoredLimit(kept.key, kept.at, max(0, kept.count - 1))])

    def _kept(self, connection: Connection, who: str) -> StoredLimit:
        key = key_of("guess", who)
        kept = limits.find(connection, [key]).get(key)
        forgotten = kept is None or self._now() * 1_000 - kept.at > FORGOTTEN_SECONDS * 1_000_000
        return StoredLimit(key, 0) if kept is None or forgotten else kept


def _wait(wrong: int) -> int:
    """Seconds to wait after so many wrong guesses."""
    return min(LONGEST_SECONDS, 2 ** min(wrong - FREE - 1, 30)) if wrong > FREE else 0
