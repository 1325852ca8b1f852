"""How good a win was: the fewest moves in which its deal can be won, found beside the game and kept with it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from sqlalchemy import Connection

from app.play.advice.coach import Coach, Verdict
from app.play.errors import TooBusy, Unavailable
from app.play.players import token_hash
from app.play.recent import Recent
from app.play.run import Run
from app.play.table import Table
from app.rules.deal import read_deal
from app.rules.ruleset import read_rules
from app.rules.state import start
from app.store import games, records

log = logging.getLogger("pyramid")

AT_ONCE = 50
"""How many wins of a player are judged after one look at his statistics."""

_JUDGE = "judge"
"""The name under which the solver is asked when nobody waits for the answer."""


class Judge:
    """Asks the coach about deals that were won; ``run`` runs a use case on the database."""

    def __init__(self, run: Run, coach: Coach) -> None:
        self._run = run
        self._coach = coach
        self._tasks: set[asyncio.Task[None]] = set()
        self._going_through: asyncio.Task[None] | None = None
        # Down to when a player's wins were gone through: what stays unknown must not keep out what is older.
        self._gone_through = Recent[str, int]()

    def judge_later(self, table: Table) -> None:
        """Find out about a game just won, with nobody waiting; whoever looks at it before asks himself."""
        self._start(partial(self._judge, table.rules.slug, table.deal.code))

    def judge_wins_later(self, token: str) -> None:
        """Find out about wins of the player with a token that are not judged yet; for one player at a time.

        Such are imported ones, and those won while the solver was busy. Nobody waits for it.
        """
        if self._going_through is None or self._going_through.done():
            self._going_through = self._start(partial(self._go_through, token_hash(token)))

    async def fewest(self, who: str, table: Table) -> Verdict:
        """The fewest moves in which a table's deal can be won, kept with all wins of the deal. Raises TooBusy."""
        return await self._fewest(who, table.rules.slug, table.deal.code)

    async def close(self) -> None:
        """Judge no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        task = asyncio.create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _judge(self, rules: str, deal: str) -> None:
        # What another win of the deal has been found to take needs no search.
        if not await self._run(partial(_known, rules=rules, deal=deal)):
            await self._fewest(_JUDGE, rules, deal)

    async def _go_through(self, player: str) -> None:
        """Judge some wins of the player with the hash of a token, begun last first; the next time goes on there."""
        before = self._gone_through.get(player)
        wins = await self._run(partial(records.unjudged, token_hash=player, most=AT_ONCE, before=before))
        for win in wins:
            await self._judge(win.rules, win.deal)
            self._gone_through.keep(player, win.begun_at)
        if len(wins) < AT_ONCE:
            self._gone_through.drop(player)

    async def _fewest(self, who: str, rules: str, deal: str) -> Verdict:
        best = await self._coach.fewest(who, start(read_rules(rules), read_deal(deal).deck))
        if best.moves is not None:
            await self._run(partial(games.judge, rules=rules, deal=deal, fewest=best.moves))
        return best


def _known(connection: Connection, rules: str, deal: str) -> bool:
    """Whether the fewest moves of a deal are known from a win of it; they are then kept with all."""
    fewest = games.judged(connection, rules, deal)
    if fewest is not None:
        games.judge(connection, rules, deal, fewest)
    return fewest is not None


async def _quietly(work: Callable[[], Awaitable[None]]) -> None:
    """Work for which nobody waits."""
    try:
        await work()
    except (TooBusy, Unavailable):
        # A busy solver leaves it to whoever looks at the game or at his statistics.
        pass
    except Exception:
        log.exception("judging wins broke off")
