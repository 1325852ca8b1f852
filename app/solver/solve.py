"""Solving a position: can it be won, and in how few moves."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from typing import Literal, Protocol

from app.rules.moves import DRAW, REDEAL, Move, discard
from app.rules.state import State
from app.solver._plain import Search as PlainSearch
from app.solver.packing import Packed, Status, WrittenMove, pack


class Search(Protocol):
    """What both searches offer: the compiled one and its twin in plain Python."""

    nodes: int

    def run(self) -> Status:
        """Search to the end, to the budget's, or until cancelled."""

    def cancel(self) -> None:
        """Make run() end soon, from another thread."""

    def winning_line(self) -> list[WrittenMove]:
        """The moves of the win that run() found."""


@dataclass(frozen=True, slots=True)
class Won:
    """The position can be won, by ``line``; ``nodes`` positions were looked at."""

    line: tuple[Move, ...]
    nodes: int


@dataclass(frozen=True, slots=True)
class Lost:
    """No sequence of legal moves wins: the search was exhausted after ``nodes`` positions."""

    nodes: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """The budget ran out, or the search was cancelled, after ``nodes`` positions."""

    nodes: int


Answer = Won | Lost | Unknown

MOST_NODES = 3_000_000
"""The default budget: about 60 bytes a node with the compiled search, 180 MB when all of it is used."""

MOST_NODES_PLAIN = 10_000
"""What the twin in plain Python is given at the most, some 5 seconds' worth: it is about a thousand times slower."""


class Solving:
    """The solving of one position: ``run`` it once, ``cancel`` it from any thread.

    With ``fewest`` the line of a win is one of fewest moves, proven; without, any line, much sooner.
    ``nodes`` bounds how many positions are kept, and so the memory.
    """

    def __init__(self, state: State, *, fewest: bool = True, nodes: int = MOST_NODES) -> None:
        self.fewest = fewest
        self._search = _search(pack(state), nodes, quick=not fewest)

    def run(self) -> Answer:
        """What came of it. The compiled search lets other threads run meanwhile."""
        status = self._search.run()
        nodes = self._search.nodes
        match status:
            case "won":
                return Won(tuple(map(_move, self._search.winning_line())), nodes)
            case "lost":
                return Lost(nodes)
            case "unknown":
                return Unknown(nodes)

    def cancel(self) -> None:
        """Make run() return Unknown soon, within some milliseconds."""
        self._search.cancel()


def solve(state: State, *, fewest: bool = True, nodes: int = MOST_NODES) -> Answer:
    """Whether a position of any rule set can be won; see Solving."""
    return Solving(state, fewest=fewest, nodes=nodes).run()


def _move(written: WrittenMove) -> Move:
    if written == "draw":
        return DRAW
    return REDEAL if written == "redeal" else discard(*written)


def _compiled() -> Callable[[Packed, int, bool], Search] | None:
    """The compiled search, or None where it was not built."""
    found = find_spec("app.solver._search")
    if found is None or not (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES)):
        return None
    from app.solver import _search as compiled  # noqa: PLC0415 - the source must not be imported uncompiled.

    made: Callable[[Packed, int, bool], Search] = compiled.Search
    return made


_made = _compiled()

BACKEND: Literal["compiled", "plain"] = "compiled" if _made else "plain"
"""Which search answers: the compiled one, or its twin in plain Python within a smaller budget."""


def _search(packed: Packed, nodes: int, *, quick: bool) -> Search:
    if _made is not None:
        return _made(packed, nodes, quick)
    return PlainSearch(packed, min(nodes, MOST_NODES_PLAIN), quick)
