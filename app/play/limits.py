"""How much one may do: what changes something is charged to its player and to his network, and refused above a rate.

The rule is the generic cell rate algorithm. Each charge moves the time until which a rate is used up on by what it is
worth; one that would move it further ahead than the burst is refused, and changes nothing.
"""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from app.play.errors import TooFast
from app.play.players import Players
from app.play.recent import Recent
from app.store import limits
from app.store.limits import StoredLimit

T = TypeVar("T")

ACTION, DEAR, IMPORT = 1, 10, 100
"""What is charged: for an action; for a game, a player or a link that comes into being, or a question to the solver
outside of a game; for an import."""

BURST_SECONDS = 20
"""So many seconds' worth of a rate may be charged at once; of a small one as much as an import is charged."""

_SKEW_SECONDS = 60
"""So far the clocks of two servers may be apart; what lies further ahead is of a clock that was set back since."""

_SECOND = 1_000_000
_LONGEST = 86_400 * _SECOND
"""What an action is worth at the most, a day: of an even smaller rate the times would be too large for a database."""
_KEPT = 16_384


class Rate:
    """So many actions a second in the long run; times are in microseconds."""

    __slots__ = ("_burst", "_each", "_furthest")

    def __init__(self, actions: float) -> None:
        self._each = min(_SECOND / actions, _LONGEST)
        self._burst = max(BURST_SECONDS * _SECOND, round(IMPORT * self._each))
        self._furthest = self._burst + _SKEW_SECONDS * _SECOND

    def charged(self, until: int, now: int, cost: int) -> int:
        """The time up to which the rate is used up after this charge; ``until`` is the one before. Raises TooFast."""
        after = (until if now < until <= now + self._furthest else now) + round(cost * self._each)
        early = after - now - self._burst
        if early > 0:
            raise TooFast(-(-early // _SECOND))
        return after


class Limits:
    """The limits of an installation; ``now`` is the time in milliseconds, a rate of 0 none.

    All is counted in memory. Games, players, links and imports are counted in the database as well, for all servers
    that share it; actions and questions to the solver are not.
    """

    def __init__(self, players: Players, now: Callable[[], int], player_rate: float, network_rate: float) -> None:
        self._known = players
        self._now = now
        self._player = Rate(player_rate) if player_rate else None
        self._network = Rate(network_rate) if network_rate else None
        self._players, self._networks = Recent[str, int](_KEPT), Recent[str, int](_KEPT)

    def spend(self, token: str | None, network: str, cost: int = ACTION) -> None:
        """Charge the player with a token, where there is one, and a network; less than nothing is given back.

        Raises TooFast, and charges neither then.
        """
        now, until = self._now() * 1_000, 0
        if self._player is not None and token is not None:
            until = self._player.charged(self._players.get(token) or 0, now, cost)
        if self._network is not None:
            self._networks.keep(network, self._network.charged(self._networks.get(network) or 0, now, cost))
        if until and token is not None:
            self._players.keep(token, until)

    def counted(
        self, connection: Connection, use_case: Callable[[Connection], T], token: str | None, network: str, cost: int
    ) -> T:
        """The result of a use case that is charged in its own transaction, where it raises nothing.

        Raises TooFast before anything is changed, and what the use case raises.
        """
        now, rates = self._now() * 1_000, self._rates(connection, token, network)
        before = limits.find(connection, rates)
        after = [
            StoredLimit(key, rate.charged(before[key].at if key in before else 0, now, cost))
            for key, rate in rates.items()
        ]
        result = use_case(connection)
        limits.keep(connection, after)
        return result

    def _rates(self, connection: Connection, token: str | None, network: str) -> dict[str, Rate]:
        """The rates that hold for one who asks, by the keys under which they are counted."""
        rates = {}
        if self._network is not None:
            rates[key_of("network", network)] = self._network
        player = self._known.find(connection, token) if self._player is not None else None
        if self._player is not None and player is not None:
            rates[key_of("player", str(player))] = self._player
        return rates


def key_of(kind: str, whose: str) -> str:
    """The key under which something is counted in the database: nothing can be read from it."""
    return hashlib.sha256(f"{kind} {whose}".encode()).hexdigest()
