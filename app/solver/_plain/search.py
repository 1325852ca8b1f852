"""The search over decisions.

The compiled search and this one go the same way, "now or never": removing cards only ever exposes more, so each
discard of a winning line may be moved forward to the first moment at which it is possible. As soon as a pair is
possible, the search therefore takes it now or forbids it for ever, and draws only when nothing is undecided. The
exception is draw 3 with redeals, where which cards come out on top depends on how many are left: there a pair with a
stock card is forbidden for one pass only.
"""

from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from app.solver._plain.hand import Found, Position
from app.solver._plain.relaxed import MOST_RELAXED, Relaxed
from app.solver._plain.table import Table
from app.solver.packing import Packed, Status, WrittenMove


class Node(NamedTuple):
    """How a position was reached: from which, by which moves, after how many in all; ``bound`` moves win at best."""

    parent: Position | None
    written: tuple[WrittenMove, ...]
    moves: int
    bound: int


class Search:
    """One search from one position. ``run`` may be called once; ``cancel`` from any thread."""

    def __init__(self, packed: Packed, most_nodes: int, quick: bool) -> None:  # noqa: FBT001 - as the compiled one.
        self.nodes = 0
        self._table = Table(packed)
        self._most = most_nodes
        self._quick = quick
        self._stopped = False
        self._reached: dict[Position, Node] = {}
        self._closed: set[Position] = set()
        self._queue: list[tuple[int, int, Position]] = []
        self._queued = count()
        self._full = False
        self._goal: Position | None = None
        self._line: list[WrittenMove] | None = None

    def cancel(self) -> None:
        """Make the search end soon, with nothing found."""
        self._stopped = True

    def run(self) -> Status:
        """Search; "unknown" where the nodes ran out or it was cancelled."""
        table = self._table
        if not table.last_pass:
            found = self._relaxed(Relaxed(table.packed))
            if found is not None:
                return found
        self._reach(None, table)
        while self._queue and not (self._quick and self._goal):
            if self._stopped or self._full:
                return "unknown"
            position = heappop(self._queue)[2]
            if position in self._closed:
                continue
            if position == self._goal:
                return "won"
            self._closed.add(position)
            self.nodes += 1
            self._expand(position)
        if self._full:
            return "unknown"
        return "won" if self._goal else "lost"

    def winning_line(self) -> list[WrittenMove]:
        """The moves of the win: cards (one or two), or "draw", "redeal"."""
        if self._line is not None:
            return self._line
        steps = []
        position = self._goal
        while position is not None:
            steps.append(self._reached[position].written)
            position = self._reached[position].parent
        return [move for written in reversed(steps) for move in written]

    def _relaxed(self, game: Relaxed) -> Status | None:
        """What the relaxed game proves, if anything: lost there is lost, and won is won where they are one game."""
        found = self._play_relaxed(game)
        if found == "lost":
            return "lost"
        if found == "won" and self._quick and self._table.any_card_can_surface:
            self._line = self._table.with_draws(cards for cards in game.written if not isinstance(cards, str))
            return "won"
        return None

    def _play_relaxed(self, game: Relaxed) -> Found:
        while True:
            found = game.advance()
            if found != "choice":
                return found
            if self._stopped or len(game.seen) >= min(MOST_RELAXED, self._most):
                return "choice"
            if game.position in game.seen:
                return "lost"
            game.seen.add(game.position)
            self.nodes += 1
            chosen = game.choose()
            before, written = game.position, list(game.written)
            for pair in game.without_twins(chosen):
                game.discard(*pair)
                found = self._play_relaxed(game)
                if found != "lost":
                    return found
                game.load(before)
                game.written = written[:]
            game.pairs.difference_update(chosen)

    def _expand(self, position: Position) -> None:
        """Reach what comes of each way to decide the next pair or king: take it, or forbid it."""
        table = self._table
        table.load(position)
        table.advance()
        king, pairs = table.king_on_top, table.choose()
        for choice in ((king,), ()) if king is not None else (*pairs, ()):
            table.load(position)
            if choice:
                table.discard(*choice)
            elif king is not None:
                table.kings.discard(king)
            else:
                table.pairs.difference_update(pairs)
            self._reach(position, table)

    def _reach(self, parent: Position | None, table: Table) -> None:
        """Move on to the next decision, and note the position there as a node unless no win is left."""
        found = table.advance()
        if found == "lost":
            return
        position = table.position
        before = self._reached[parent] if parent is not None else Node(None, (), 0, 0)
        moves = before.moves + len(table.written)
        known = self._reached.get(position)
        if known and (known.moves <= moves or (self._quick and position in self._closed)):
            return
        if not known and len(self._reached) >= self._most:
            self._full = True
            return
        least = 0 if found == "won" else table.least()
        # The bound is not consistent: a child's would be lower than its parent's at times.
        bound = max(moves + least, before.bound)
        self._reached[position] = Node(parent, tuple(table.written), moves, bound)
        self._closed.discard(position)
        if found == "won" and (self._goal is None or moves < self._reached[self._goal].moves):
            self._goal = position
        # Of several weights tried on some thousand deals these find a win soonest.
        priority = 2 * least + moves + len(table.in_pyramid()) if self._quick else bound
        # Among equals the youngest goes first.
        heappush(self._queue, (priority, -next(self._queued), position))
