"""Tidying up: unfinished games that nobody has touched for long are removed, finished ones never.

So are players whom nobody reaches any more, where deleting them, or moving their games to another, was broken off, and
what was counted for limits that are over.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from app.play.archive.moving import Moving
from app.play.errors import Unavailable
from app.play.run import Run
from app.play.slowdown import FORGOTTEN_SECONDS
from app.store import games, limits, players

log = logging.getLogger("pyramid")

_DAY_MS = 86_400_000
_EVERY_SECONDS = 6 * 3_600
_PLAYERS_AT_ONCE = 500


class Tidying:
    """Removes games unfinished and untouched for ``days`` (0: keeps all); ``run`` runs a use case on the database."""

    def __init__(
        self,
        run: Run,
        moving: Moving,
        now: Callable[[], int],
        days: int,
    ) -> None:
        self._run = run
        self._moving = moving
        self._now = now
        self._days = days
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Tidy now, and a few times a day from then on."""
        self._task = asyncio.create_task(self._again_and_again())

    async def close(self) -> None:
        """Tidy no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def tidy(self) -> int:
        """How many games were removed; some players at a time, so that nobody waits long in between."""
        before, removed = self._now() - self._days * _DAY_MS, 0
        last = await self._run(players.last)
        for first in range(1, last + 1, _PLAYERS_AT_ONCE):
            until = first + _PLAYERS_AT_ONCE - 1
            if self._days:
                removed += await self._run(partial(games.expire, first=first, last=until, before=before))
            for player in await self._run(partial(players.unreachable, first=first, last=until)):
                await self._moving.remove(player)
        await self._run(partial(limits.forget, before=(self._now() - FORGOTTEN_SECONDS * 1_000) * 1_000))
        return removed

    async def _again_and_again(self) -> None:
        while True:
            try:
                removed = await self.tidy()
                if removed:
                    log.info("%d games unfinished for %d days were removed", removed, self._days)
            except Unavailable:
                log.warning("tidying up was put off: the database is busy")
            except Exception:
                log.exception("tidying up broke off")
            await asyncio.sleep(_EVERY_SECONDS)
