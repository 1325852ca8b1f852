"""What the solver tells a player: whether a position can still be won, how, and the way back to where it could.

A verdict that is known or found at once stands beside the move; anything longer is solved on a thread of its own,
one question at a time, within a budget of positions and of seconds.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from threading import Timer
from time import monotonic
from typing import TypeVar

from app.play.errors import TooBusy
from app.play.recent import Recent
from app.play.run import Run
from app.rules.deal import Deal, Seed, seeded
from app.rules.game import Game, actions_text
from app.rules.moves import Discard, Move, read_move
from app.rules.ruleset import RuleSet
from app.rules.state import State, is_won, legal_moves, start, state_text
from app.solver.solve import BACKEND, Lost, Solving, Unknown, Won, solve
from app.store import verdicts
from app.store.verdicts import StoredVerdict

__all__ = ["BACKEND", "STRANGER", "WON", "Coach", "Hint", "Verdict", "inherited"]

T = TypeVar("T")

AT_ONCE_NODES = 300
"""What is searched beside a move: well under a millisecond."""

DRAWN_NODES = 50_000
"""What is searched of a fresh deal; one that needs more is passed over."""

DAILY_NODES = 1_000_000
"""What is searched of a deal that may become a daily one; hardly any needs a twentieth of it."""

VERDICT_NODES, FEWEST_NODES = 400_000, 2_000_000
STUDY_NODES = 200_000
VERDICT_SECONDS, FEWEST_SECONDS = 2.0, 10.0
WAITING_MOST, WAITING_EACH, WAITING_STRANGERS = 8, 2, 4
"""How many questions may wait for the solver: of all together, of each, and of those who ask outside of a game."""

STRANGER = "at "
"""How the name of one begins who asks outside of a game: by the network that he comes from."""

_KNOWN = 8_192


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


WON = Verdict(winnable=True, line=(), fewest=True)
"""What is known of a position that is won."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move to make: from a winning line where ``verdict`` knows one, else just a legal one (None without any)."""

    move: Move | None
    verdict: Verdict


class Coach:
    """The solver's side of play; ``run`` runs a use case on the database."""

    def __init__(self, run: Run, on_search: Callable[[float], None] | None = None) -> None:
        """``on_search`` hears how many seconds each search took that was not made at once."""
        self._run = run
        self._on_search = on_search
        self._known = Recent[State, Verdict](_KNOWN)
        # What was given up, with which budget: asking again would find no more.
        self._given_up = Recent[tuple[State, bool, int], Verdict](_KNOWN)
        self._solver = ThreadPoolExecutor(max_workers=1, thread_name_prefix="solver")
        self._asking: Counter[str] = Counter()
        self._solving: Solving | None = None

    def close(self) -> None:
        """Stop solving."""
        if self._solving is not None:
            self._solving.cancel()
        self._solver.shutdown(cancel_futures=True)

    @property
    def waiting(self) -> int:
        """How many questions the solver has, the one that it searches included."""
        return self._asking.total()

    def at_once(self, game: Game) -> Verdict | None:
        """What is known of a game's position, or found within about half a millisecond; else None."""
        known = self._known.get(game.state) or self._from_before(game)
        if known is None and BACKEND == "compiled":
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

    async def known_fewest(self, state: State) -> Verdict | None:
        """What fewest() would say without asking the solver, or None."""
        return await self._look_up(state, want_fewest=True)

    async def study(self, who: str, state: State) -> Verdict:
        """The fewest moves to win, else whether it can be won, each within a small budget; kept in memory only.

        For one who has many questions: each is a short one, so that others come in between. Raises TooBusy.
        """
        known = self._known.get(state)
        if known is not None and known.fewest:
            return known
        best = await self._solve(who, state, want_fewest=True, nodes=STUDY_NODES, keep=False)
        if best.winnable is not None:
            return best
        return known or await self._solve(who, state, want_fewest=False, nodes=STUDY_NODES, keep=False)

    async def hint(self, who: str, state: State) -> Hint:
        """A move that keeps the position winnable, where the solver knows one. Raises TooBusy."""
        known = await self.verdict(who, state)
        if known.winnable and not known.fewest:
            # A shorter way is worth a moment, not a long one.
            with suppress(TooBusy):
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

    async def way_back(self, who: str, game: Game) -> tuple[int | None, bool]:
        """How many undos lead to the last position of the line that can be won, and whether that is proven.

        None where none is known to. A position after a lost one is lost: the last winnable one is found by halving.
        Proven without one means that the deal itself cannot be won. Raises TooBusy.
        """
        low, high, sure = -1, game.at, True
        while high - low > 1:
            middle = (low + high) // 2
            winnable = (await self.verdict(who, game.states[middle])).winnable
            sure = sure and winnable is not None
            low, high = (middle, high) if winnable else (low, middle)
        return (game.at - low if low >= 0 else None), sure

    async def winnable_deal(self, who: str, rules: RuleSet, fresh_seed: Callable[[], str]) -> Deal | None:
        """A fresh deal that can be won, or None where none was found in time. Raises TooBusy."""

        def work() -> Deal | None:
            deadline = monotonic() + VERDICT_SECONDS
            while monotonic() < deadline:
                deal = seeded(Seed(fresh_seed()))
                if isinstance(solve(start(rules, deal.deck), fewest=False, nodes=DRAWN_NODES), Won):
                    return deal
            return None

        async with self._place(who):
            return await self._apart(work)

    async def can_be_won(self, rules: RuleSet, seed: Seed) -> bool:
        """Whether a deal can be won, as far as DAILY_NODES tell. It is asked for everybody, and waits its turn."""

        def work() -> bool:
            self._solving = Solving(start(rules, seeded(seed).deck), fewest=False, nodes=DAILY_NODES)
            return isinstance(self._solving.run(), Won)

        return await self._apart(work)

    def _from_before(self, game: Game) -> Verdict | None:
        """What is known of a game's position by the one before."""
        if not game.at:
            return WON if is_won(game.state) else None
        return inherited(self._known.get(game.states[game.at - 1]), game.line[game.at - 1], game.state)

    async def _look_up(self, state: State, *, want_fewest: bool) -> Verdict | None:
        """What memory or the database knows, if it is enough."""
        known = self._known.get(state)
        if known is None:
            stored: StoredVerdict | None = await self._run(lambda connection: verdicts.find(connection, _key(state)))
            known = _from_stored(stored) if stored is not None else None
            if known is not None:
                self._known.keep(state, known)
        return self._enough(known, want_fewest=want_fewest)

    @staticmethod
    def _enough(known: Verdict | None, *, want_fewest: bool) -> Verdict | None:
        """What is known, if it answers the question."""
        return known if known is not None and (known.fewest or not want_fewest) else None

    async def _solve(  # noqa: PLR0913 - what is asked, and what becomes of the answer.
        self,
        who: str,
        state: State,
        *,
        want_fewest: bool,
        nodes: int | None = None,
        or_else: Verdict | None = None,
        keep: bool = True,
    ) -> Verdict:
        """What the solver finds within the budget, kept for the next who asks; ``or_else`` where it finds nothing."""
        budget = nodes or (FEWEST_NODES if want_fewest else VERDICT_NODES)
        given_up = self._given_up.get((state, want_fewest, budget))
        if given_up is not None:
            return or_else or given_up
        async with self._place(who):
            # Somebody else may have asked the same meanwhile.
            known = self._enough(self._known.get(state), want_fewest=want_fewest)
            if known is not None:
                return known
            solving = Solving(state, fewest=want_fewest, nodes=budget)
            found = await self._in_time(solving, FEWEST_SECONDS if want_fewest else VERDICT_SECONDS)
        if found.winnable is None:
            self._given_up.keep((state, want_fewest, budget), found)
            return or_else or found
        self._known.keep(state, found)
        if keep:
            stored = _to_stored(state, found)
            await self._run(lambda connection: verdicts.keep(connection, stored))
        return found

    @asynccontextmanager
    async def _place(self, who: str) -> AsyncIterator[None]:
        """A place among those who wait for the solver: one question, and one more that waits for it. Raises TooBusy."""
        strangers = sum(count for asker, count in self._asking.items() if asker.startswith(STRANGER))
        full = self._asking.total() >= WAITING_MOST or (who.startswith(STRANGER) and strangers >= WAITING_STRANGERS)
        if full or self._asking[who] >= WAITING_EACH:
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

        return await self._apart(work)

    async def _apart(self, work: Callable[[], T]) -> T:
        """What comes of some work on the solver's thread."""
        on_search = self._on_search
        if on_search is None:
            return await asyncio.get_running_loop().run_in_executor(self._solver, work)

        def timed() -> T:
            began = monotonic()
            try:
                return work()
            finally:
                on_search(monotonic() - began)

        return await asyncio.get_running_loop().run_in_executor(self._solver, timed)


def inherited(before: Verdict | None, move: Move, after: State) -> Verdict | None:
    """What the position before tells: lost stays lost, and a move along the line leaves the rest of it."""
    if is_won(after):
        return WON
    if before is None or before.winnable is False:
        return before
    return replace(before, line=before.line[1:]) if before.line and before.line[0] == move else None


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
