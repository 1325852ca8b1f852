"""Looking back on a finished game: where it could still be won, from where in how few moves, and what lost it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from app.play.advice.coach import WON, Coach, Verdict, inherited
from app.play.errors import NotFound, TooBusy
from app.play.recent import Recent
from app.play.table import Table
from app.rules.game import Fold, begin
from app.rules.moves import Action, Move, Redo, Undo, read_action
from app.rules.state import State, is_won

log = logging.getLogger("pyramid")

LONGEST = 1_000
"""How many actions a game may have to be looked back on."""

REPLAYED_LONGEST = 5_000
"""How many actions a game may have to be replayed at all."""

AT_ONCE = 2
"""How many look backs may be under way: each takes one place before the solver."""

SECONDS = 60.0
"""What is not known by then stays unknown."""

_BUSY_SECONDS = 0.1
_TRACKS, _KEPT = 32, 512

_UNKNOWN = Verdict(winnable=None)


@dataclass(frozen=True, slots=True)
class Step:
    """An action of a game, and the move that it made, made again (redo) or took back (undo)."""

    action: Action
    move: Move

    @property
    def forward(self) -> bool:
        """Whether a move was made by it, anew or again."""
        return not isinstance(self.action, Undo)


@dataclass(frozen=True, slots=True)
class Track:
    """A game as it went: ``states`` after 0, 1, … actions, and the ``steps`` between them."""

    states: tuple[State, ...]
    steps: tuple[Step, ...]

    @property
    def edges(self) -> Iterator[tuple[int, Step, State, State]]:
        """The steps that made a move: number of the action (1 is the first), step, position before, after."""
        for number, step in enumerate(self.steps, 1):
            if step.forward:
                yield number, step, self.states[number - 1], self.states[number]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is known of a position; ``winnable`` is None where a budget ran out. ``moves`` are the fewest to win."""

    winnable: bool | None
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class Slip:
    """A move that lost a game which could still be won.

    ``number`` is that of its action; ``again`` tells whether it was a redo; ``instead`` would have kept the game.
    ``decisive`` is the one after which it never could be won again; the others were taken back.
    """

    number: int
    move: Move
    again: bool
    instead: Move
    decisive: bool


@dataclass(frozen=True, slots=True)
class LookBack:
    """What is known of a game as it went; ``marks`` of its positions (None: not looked at yet), slips of its moves.

    The decisive slip comes first, the others as they came.
    """

    marks: tuple[Mark | None, ...]
    slips: tuple[Slip, ...]
    done: bool

    @property
    def looked(self) -> int:
        """How many positions have been looked at."""
        return sum(mark is not None for mark in self.marks)


def trace(table: Table) -> Track:
    """A game as it went."""
    fold, steps = Fold(begin(table.game.states[0])), list[Step]()
    states = [fold.state]
    for action in map(read_action, table.log.split()):
        steps.append(Step(action, fold.act(action)))
        states.append(fold.state)
    return Track(tuple(states), tuple(steps))


def look_back(track: Track, known: dict[State, Verdict], won_after: int | None, *, done: bool) -> LookBack:
    """A look back from what is known of its positions; what came after the first win is no slip."""
    marks = tuple(_mark(known.get(state)) for state in track.states)
    slips = [
        Slip(number, step.move, isinstance(step.action, Redo), line[0], decisive=False)
        for number, step, before, after in track.edges
        if won_after is None or number <= won_after
        if (line := _line(known.get(before))) and (later := known.get(after)) and later.winnable is False
    ]
    end = known.get(track.states[-1 if won_after is None else won_after])
    if slips and end is not None and end.winnable is False:
        slips = [replace(slips[-1], decisive=True), *slips[:-1]]
    return LookBack(marks, tuple(slips), done)


@dataclass(slots=True)
class _Work:
    """A look back under way."""

    table: Table
    track: Track
    known: dict[State, Verdict] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    def look_back(self, *, done: bool) -> LookBack:
        return look_back(self.track, self.known, self.table.game.won_after, done=done)


_Key = tuple[str | None, int]


class LookBacks:
    """The look backs of an installation: each is made once, in the background, for all who ask."""

    def __init__(self, coach: Coach) -> None:
        self._coach = coach
        self._tracks = Recent[_Key, Track](_TRACKS)
        self._done = Recent[_Key, LookBack](_KEPT)
        self._working: dict[_Key, _Work] = {}

    async def close(self) -> None:
        """Stop looking."""
        tasks = [work.task for work in self._working.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def track(self, table: Table) -> Track:
        """A game as it went. The table must have an id. Raises NotFound for a game beyond all measure."""
        if table.version > REPLAYED_LONGEST:
            raise NotFound("a game of more than %(most)s actions is not replayed", most=REPLAYED_LONGEST)
        track = self._tracks.get(_key(table))
        if track is None:
            # A long game takes its time; whoever plays meanwhile is not to wait for it.
            track = await asyncio.to_thread(trace, table)
            if table.version <= LONGEST:
                self._tracks.keep(_key(table), track)
        return track

    async def so_far(self, table: Table) -> LookBack:
        """What is known by now, looking on in the background. Raises NotFound, and TooBusy where too many look."""
        found = await self._find(table)
        return found if isinstance(found, LookBack) else found.look_back(done=False)

    async def whole(self, table: Table, seconds: float = SECONDS) -> LookBack:
        """The whole look back, or what is known of it after some seconds. Raises as so_far()."""
        found = await self._find(table)
        if isinstance(found, LookBack):
            return found
        if found.task is not None:
            await asyncio.wait([found.task], timeout=seconds)
        return self._done.get(_key(table)) or found.look_back(done=False)

    async def _find(self, table: Table) -> LookBack | _Work:
        """A look back that is done, or the work on it."""
        if not can_look_back(table):
            if table.over and table.version:
                raise NotFound("one cannot look back on a game of more than %(most)s actions", most=LONGEST)
            raise NotFound("one can look back on a game once it is won or given up")
        track = await self.track(table)
        key = _key(table)
        found = self._done.get(key) or self._working.get(key)
        if found is not None:
            return found
        if len(self._working) >= AT_ONCE:
            raise TooBusy
        work = self._working[key] = _Work(table, track)
        work.task = asyncio.create_task(self._work(work))
        return work

    async def _work(self, work: _Work) -> None:
        """Look at position after position, and keep what is found; what breaks off is begun again when asked for."""
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS):
                    await self._look(work)
            for state in work.track.states:
                work.known.setdefault(state, _UNKNOWN)
            self._done.keep(_key(work.table), work.look_back(done=True))
        except Exception:
            log.exception("a look back broke off")
        finally:
            del self._working[_key(work.table)]

    async def _look(self, work: _Work) -> None:
        track, known = work.track, work.known
        known[track.states[0]] = await self._verdict(work, track.states[0])
        for _number, step, before, after in track.edges:
            if after in known:
                continue
            verdict = inherited(known[before], step.move, after)
            if verdict is None or not verdict.fewest:
                asked = await self._verdict(work, after)
                verdict = asked if verdict is None or asked.fewest else verdict
            known[after] = verdict

    async def _verdict(self, work: _Work, state: State) -> Verdict:
        """What the solver finds of a position; where others ask just now, it waits for its turn."""
        if is_won(state):
            return WON
        while True:
            try:
                return await self._coach.study(f"look {work.table.id}", state)
            except TooBusy:
                await asyncio.sleep(_BUSY_SECONDS)


def can_look_back(table: Table) -> bool:
    """Whether a game is over, and not too long, to be looked back on."""
    return table.over and 0 < table.version <= LONGEST


def _mark(verdict: Verdict | None) -> Mark | None:
    return None if verdict is None else Mark(verdict.winnable, verdict.moves)


def _line(verdict: Verdict | None) -> tuple[Move, ...]:
    return (verdict.line or ()) if verdict is not None else ()


def _key(table: Table) -> _Key:
    return table.id, table.version
