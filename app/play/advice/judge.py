"""How good a win was: the fewest moves in which its deal can be won, found beside the game and kept with it."""

import asyncio
from contextlib import suppress
from functools import partial

from app.play.advice.coach import Coach, Verdict
from app.play.errors import TooBusy, Unavailable
from app.play.run import Run
from app.play.table import Table
from app.rules.state import start
from app.store import games

_JUDGE = "judge"
"""The name under which the solver is asked when nobody waits for the answer."""


class Judge:
    """Asks the coach about deals that were won; ``run`` runs a use case on the database."""

    def __init__(self, run: Run, coach: Coach) -> None:
        self._run = run
        self._coach = coach
        self._tasks: set[asyncio.Task[None]] = set()

    def judge_later(self, table: Table) -> None:
        """Find out about a game just won, with nobody waiting; whoever looks at it before asks himself."""
        task = asyncio.create_task(self._judge(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def fewest(self, who: str, table: Table) -> Verdict:
        """The fewest moves in which a table's deal can be won, kept with all wins of the deal. Raises TooBusy."""
        best = await self._coach.fewest(who, start(table.rules, table.deal.deck))
        if best.moves is not None:
            rules, deal = table.rules.slug, table.deal.code
            await self._run(partial(games.judge, rules=rules, deal=deal, fewest=best.moves))
        return best

    async def close(self) -> None:
        """Judge no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _judge(self, table: Table) -> None:
        # A busy solver leaves it to whoever looks at the game.
        with suppress(TooBusy, Unavailable):
            await self.fewest(_JUDGE, table)
