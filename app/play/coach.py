"""What the solver tells a player: whether a position can still be won, how, and the way back to where it could.

A verdict that is known or found at once stands beside the move; anything longer is solved on a thread of its own,
one question at a time, within a budget of positions and of seconds.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from threading import Timer
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from app.play.errors import TooBusy
from app.play.recent import Recent
from app.rules.deal import Deal, Seed, seeded
from app.rules.game import Game, actions_text
from app.rules.moves import Discard, Move, read_move
from app.rules.ruleset import RuleSet
from app.rules.state import State, is_won, legal_moves, start, state_text
from app.solver.solve import BACKEND, Lost, Solving, Unknown, Won, solve
from app.store import verdicts
from app.store.verdicts import StoredVerdict

__all__ = ["BACKEND", "Coach", "Hint", "Verdict"]

AT_ONCE_NODES = 300
"""What is searched beside a move: well under a millisecond."""

DRAWN_NODES = 50_000
"""What is searched of a fresh deal; one that needs more is passed over."""

VERDICT_NODES, FEWEST_NODES = 400_000, 2_000_000
VERDICT_SECONDS, FEWEST_SECONDS = 2.0, 10.0
WAITING_MOST, WAITING_EACH = 8, 2
"""How many questions may wait for the solver, of all players together and of each."""

_KNOWN = 16_384


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a position.

    ``winnable`` is None where a budget ran out. ``line`` wins; it is one of fewest moves where ``fewest``.
    """

    winnable: bool | None
    line: tuple[Move, ...] | None = None
    fewest: bool = False

    @property
    def moves(self) -> int | None:
        """The fewest moves to win, where they are known."""
        return len(self.line) if self.fewest and self.line is not None else None


@dataclass(frozen=True, slots=True)
class Hint:
    """A move to make: from a winning line where ``verdict`` knows one, else just a legal one (None without any)."""

    move: Move | None
    verdict: Verdict


Run = Callable[[Callable[[Connection], Any]], Awaitable[Any]]


class Coach:
    """The solver's side of play; ``run`` runs a use case on the database."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known = Recent[State, Verdict](_KNOWN)
        self._solver = ThreadPoolExecutor(max_workers=1, thread_name_prefix="solver")
        self._asking: Counter[str] = Counter()
        self._solving: Solving | None = None

    def close(self) -> None:
        """Stop solving."""
        if self._solving is not None:
            self._solving.cancel()
        self._solver.shutdown(cancel_futures=True)

    def at_once(self, game: Game) -> Verdict | None:
        """What is known of a game's position, or found within about half a millisecond; else None."""
        known = self._known.get(game.state) or self._inherited(game)
        if known is None:
            found = _verdict(Solving(game.state, fewest=False, nodes=AT_ONCE_NODES))
            known = found if found.winnable is not None else None
        if known is not None:
            self._known.keep(game.state, known)
        return known

    async def verdict(self, who: str, state: State) -> Verdict:
        """Whether a position can still be won. Raises TooBusy where too many ask."""
        return await self._look_up(state, want_fewest=False) or await self._solve(who, state, want_fewest=False)

    async def fewest(self, who: str, state: State) -> Verdict:
        """The fewest moves to win, with such a line; within the budget. Raises TooBusy where too many ask."""
        known = await self._look_up(state, want_fewest=True)
        if known is not None:
            return known
        best = await self._solve(who, state, want_fewest=True)
        return best if best.winnable is not None else await self.verdict(who, state)

    async def hint(self, who: str, state: State) -> Hint:
        """A move that keeps the position winnable, where the solver knows one. Raises TooBusy."""
        known = await self.verdict(who, state)
        if known.winnable and not known.fewest:
            # A shorter way is worth a moment, not a long one.
            known = await self._solve(who, state, want_fewest=True, nodes=VERDICT_NODES, or_else=known)
        return Hint(known.line[0] if known.line else _plain_hint(state), known)

    def known_way_back(self, game: Game) -> int | None:
        """As way_back(), from what is known already; None where that does not tell."""
        for back in range(1, game.at + 1):
            known = self._known.get(game.states[game.at - back])
            if known is None or known.winnable is None:
                return None
            if known.winnable:
                return back
        return None

    async def way_back(self, who: str, game: Game) -> int | None:
        """How many undos lead to the last position of the line that can be won; None where none is known to.

        A position after a lost one is lost: the last winnable one is found by halving.
        """
        low, high = -1, game.at
        while high - low > 1:
            middle = (low + high) // 2
            if (await self.verdict(who, game.states[middle])).winnable:
                low = middle
            else:
                high = middle
        return game.at - low if low >= 0 else None

    async def winnable_deal(self, who: str, rules: RuleSet, fresh_seed: Callable[[], str]) -> Deal | None:
        """A fresh deal that can be won, or None where none was found in time. Raises TooBusy."""
        deadline = monotonic() + VERDICT_SECONDS

        def work() -> Deal | None:
            while monotonic() < deadline:
                deal = seeded(Seed(fresh_seed()))
                if isinstance(solve(start(rules, deal.deck), fewest=False, nodes=DRAWN_NODES), Won):
                    return deal
            return None

        async with self._place(who):
            return await asyncio.get_running_loop().run_in_executor(self._solver, work)

    def _inherited(self, game: Game) -> Verdict | None:
        """What the position before tells: lost stays lost, and a move along the line leaves the rest of it."""
        if is_won(game.state):
            return Verdict(winnable=True, line=(), fewest=True)
        if not game.at:
            return None
        before, move = self._known.get(game.states[game.at - 1]), game.line[game.at - 1]
        if before is not None and before.winnable is False:
            return before
        if before is not None and before.line and before.line[0] == move:
            return replace(before, line=before.line[1:])
        return None

    async def _look_up(self, state: State, *, want_fewest: bool) -> Verdict | None:
        """What memory or the database knows, if it is enough."""
        known = self._known.get(state)
        if known is None:
            stored: StoredVerdict | None = await self._run(lambda connection: verdicts.find(connection, _key(state)))
            known = _from_stored(stored) if stored is not None else None
            if known is not None:
                self._known.keep(state, known)
        if known is not None and (known.winnable is False or known.fewest or not want_fewest):
            return known
        return None

    async def _solve(
        self, who: str, state: State, *, want_fewest: bool, nodes: int | None = None, or_else: Verdict | None = None
    ) -> Verdict:
        """What the solver finds within the budget, kept for the next who asks; ``or_else`` where it finds nothing."""
        budget = nodes or (FEWEST_NODES if want_fewest else VERDICT_NODES)
        async with self._place(who):
            solving = Solving(state, fewest=want_fewest, nodes=budget)
            found = await self._in_time(solving, FEWEST_SECONDS if want_fewest else VERDICT_SECONDS)
        if found.winnable is None:
            return or_else or found
        self._known.keep(state, found)
        stored = _to_stored(state, found)
        await self._run(lambda connection: verdicts.keep(connection, stored))
        return found

    @asynccontextmanager
    async def _place(self, who: str) -> AsyncIterator[None]:
        """A place among those who wait for the solver: one question, and one more that waits for it. Raises TooBusy."""
        if self._asking[who] >= WAITING_EACH or self._asking.total() >= WAITING_MOST:
            raise TooBusy
        self._asking[who] += 1
        try:
            yield
        finally:
            self._asking[who] -= 1
            self._asking += Counter()  # Forget whoever asks no more.

    async def _in_time(self, solving: Solving, seconds: float) -> Verdict:
        def work() -> Verdict:
            self._solving = solving
            timer = Timer(seconds, solving.cancel)
            timer.start()
            try:
                return _verdict(solving)
            finally:
                timer.cancel()

        return await asyncio.get_running_loop().run_in_executor(self._solver, work)


def _verdict(solving: Solving) -> Verdict:
    match solving.run():
        case Won(line=line):
            return Verdict(winnable=True, line=line, fewest=solving.fewest)
        case Lost():
            return Verdict(winnable=False, fewest=True)
        case Unknown():
            return Verdict(winnable=None)


def _plain_hint(state: State) -> Move | None:
    """A legal move where nothing better is known: a discard rather than a draw."""
    moves = legal_moves(state)
    discards = [move for move in moves if isinstance(move, Discard)]
    return next(iter(discards or moves), None)


def _key(state: State) -> str:
    return hashlib.sha256(state_text(state).encode()).hexdigest()


def _to_stored(state: State, verdict: Verdict) -> StoredVerdict:
    line = actions_text(verdict.line) if verdict.line is not None else None
    return StoredVerdict(_key(state), bool(verdict.winnable), line, verdict.fewest)


def _from_stored(stored: StoredVerdict) -> Verdict:
    line = None if stored.line is None else tuple(map(read_move, stored.line.split()))
    return Verdict(stored.winnable, line, stored.fewest)
