"""Daily deals: one a day for some rule sets, always winnable, the same for everyone, and what a player makes of them.

A day begins and ends by UTC. Nobody can compute the deal of a day to come: its seed hangs on the installation's
secret, and is told only once the day has begun.
"""

import asyncio
import hashlib
import hmac
from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Literal

from sqlalchemy import Connection

from app.play.advice.coach import Coach
from app.play.errors import NotFound
from app.play.players import Players
from app.play.recent import Recent
from app.play.run import Run
from app.play.table import GameLine
from app.rules.deal import Deal, Seed, seeded
from app.rules.ruleset import NAMED, RuleSet
from app.store import dailies
from app.store import players as stored_players
from app.store.dailies import StoredDaily

DAILY_RULES = tuple(NAMED[name] for name in ("endless", "classic", "open"))
"""The rule sets that have a deal a day."""

FIRST_DAY = date(2026, 1, 1)
"""Where the calendar begins."""

Mark = Literal["in time", "late", "tried"]
"""What became of a day's deal: won in a game begun on that day, won in one begun later, or begun and not won."""

_ONE_DAY = timedelta(days=1)
_SEED_LENGTH = 32
_RUNNING_MOST = 12


@dataclass(frozen=True, slots=True)
class Streak:
    """How many days in a row were won in time: up to today or yesterday, and the most there ever were."""

    current: int = 0
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands with a day's deal: the fewest moves that he won it in, and games he can go on with."""

    mark: Mark | None = None
    moves: int | None = None
    running: tuple[GameLine, ...] = ()
    streak: Streak = Streak()


@dataclass(frozen=True, slots=True)
class Month:
    """A month of a rule set's daily deals: its first day, what became of which day, and the streak up to today."""

    first: date
    marks: dict[date, Mark]
    streak: Streak


def day_of(milliseconds: int) -> date:
    """The day, by UTC, of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).date()


def streak(won: Iterable[date], today: date) -> Streak:
    """The streak of someone who won these days' deals in time; today's, not yet won, does not break it."""
    days = set(won)
    longest = max((_days_in_a_row(days, day, _ONE_DAY) for day in days if day - _ONE_DAY not in days), default=0)
    last = today if today in days else today - _ONE_DAY
    return Streak(_days_in_a_row(days, last, -_ONE_DAY), longest)


class Dailies:
    """The daily deals of an installation; ``now`` is the time in milliseconds since 1970, ``fresh`` makes secrets."""

    def __init__(
        self, players: Players, run: Run, coach: Coach, now: Callable[[], int], fresh: Callable[[], str]
    ) -> None:
        self._players = players
        self._run = run
        self._coach = coach
        self._now = now
        self._fresh = fresh
        self._secret = b""
        self._seeds = Recent[tuple[RuleSet, date], Seed]()
        # One search at a time: whoever asks for the same day meanwhile finds its seed kept.
        self._searching = asyncio.Lock()

    def start(self, connection: Connection) -> None:
        """Read the installation's secret of the daily deals, made at its first start."""
        self._secret = stored_players.secret(connection, "daily", self._fresh()).encode()

    def today(self) -> date:
        """The day that it is, by UTC."""
        return day_of(self._now())

    async def deal(self, rules: RuleSet, day: date) -> Deal:
        """The deal of a day. Raises NotFound for a rule set without one, before FIRST_DAY, and for days to come."""
        if rules not in DAILY_RULES or not FIRST_DAY <= day <= self.today():
            raise NotFound
        seed = await self._known(rules, day)
        if seed is None:
            async with self._searching:
                seed = await self._known(rules, day) or await self._found(rules, day)
        self._seeds.keep((rules, day), seed)
        return seeded(seed)

    def standings(
        self, connection: Connection, token: str | None, day: date, deals: Iterable[tuple[RuleSet, Deal]]
    ) -> tuple[Standing, ...]:
        """How a player stands with each of a day's deals."""
        player = self._players.find(connection, token)
        if player is None:
            return tuple(Standing() for _ in deals)
        won = dailies.won(connection, player)
        return tuple(
            replace(self._standing(connection, player, day, rules, deal), streak=_streak_of(won, rules, self.today()))
            for rules, deal in deals
        )

    def running(
        self, connection: Connection, token: str | None, day: date, rules: RuleSet, deal: Deal
    ) -> tuple[GameLine, ...]:
        """A player's unfinished games of a day's deal, last touched first, 12 at most."""
        player = self._players.find(connection, token)
        return () if player is None else self._running(connection, player, day, rules, deal)

    def month(self, connection: Connection, token: str | None, rules: RuleSet, first: date) -> Month:
        """What a player made of a month; ``first`` is its first day.

        Raises NotFound for a rule set without daily deals, and for a month outside of the calendar.
        """
        if rules not in DAILY_RULES or not FIRST_DAY <= first <= self.today():
            raise NotFound
        player = self._players.find(connection, token)
        if player is None:
            return Month(first, {}, Streak())
        last = first.replace(day=monthrange(first.year, first.month)[1])
        rows = dailies.played(connection, player, rules.slug, first.isoformat(), last.isoformat())
        marks = {date.fromisoformat(row.day): _mark(row) for row in rows}
        return Month(first, marks, _streak_of(dailies.won(connection, player), rules, self.today()))

    async def _known(self, rules: RuleSet, day: date) -> Seed | None:
        seed = self._seeds.get((rules, day))
        if seed is None:
            stored = await self._run(lambda connection: dailies.find(connection, rules.slug, day.isoformat()))
            seed = Seed(stored) if stored is not None else None
        return seed

    async def _found(self, rules: RuleSet, day: date) -> Seed:
        """The first seed of a day whose deal can be won, kept for ever."""
        for number in count():
            seed = self._seed(rules, day, number)
            if await self._coach.can_be_won(rules, seed):
                break
        return Seed(await self._run(lambda connection: dailies.keep(connection, rules.slug, day.isoformat(), seed)))

    def _seed(self, rules: RuleSet, day: date, number: int) -> Seed:
        message = f"{rules.slug} {day.isoformat()} {number}".encode("ascii")
        return Seed(hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:_SEED_LENGTH])

    def _standing(self, connection: Connection, player: int, day: date, rules: RuleSet, deal: Deal) -> Standing:
        """How a player stands with a day's deal, without the streak."""
        rows = dailies.played(connection, player, rules.slug, day.isoformat(), day.isoformat())
        running = self._running(connection, player, day, rules, deal)
        return Standing(_mark(rows[0]), rows[0].moves, running) if rows else Standing(running=running)

    @staticmethod
    def _running(connection: Connection, player: int, day: date, rules: RuleSet, deal: Deal) -> tuple[GameLine, ...]:
        rows = dailies.running(connection, player, rules.slug, day.isoformat(), _RUNNING_MOST)
        return tuple(GameLine(row.id, rules, deal.seed, row.moves, row.touched_at) for row in rows)


def _days_in_a_row(days: set[date], first: date, step: timedelta) -> int:
    """How many days in a row are among ``days``, from the first one on."""
    return next(length for length in count() if first + length * step not in days)


def _in_time(row: StoredDaily) -> bool:
    return row.first_win is not None and day_of(row.first_win).isoformat() == row.day


def _mark(row: StoredDaily) -> Mark:
    return "tried" if row.first_win is None else "in time" if _in_time(row) else "late"


def _streak_of(won: list[StoredDaily], rules: RuleSet, today: date) -> Streak:
    return streak((date.fromisoformat(row.day) for row in won if row.rules == rules.slug and _in_time(row)), today)
