"""The two searches, and what a search found held against the rules."""

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest

from app.rules.moves import DRAW, REDEAL, Move, discard
from app.rules.state import State, apply, is_won
from app.solver import solve
from app.solver._plain import Search as PlainSearch
from app.solver.packing import Packed, Status, WrittenMove, pack

Backend = Callable[[Packed, int, bool], solve.Search]

PLENTY = 3_000_000


def _compiled() -> Backend | None:
    if solve.BACKEND == "plain":
        return None
    from app.solver._search import Search  # noqa: PLC0415 - it may not be built.

    return Search


COMPILED = _compiled()
PLAIN: Backend = PlainSearch
THERE = (PLAIN,) if COMPILED is None else (COMPILED, PLAIN)


class Found(NamedTuple):
    """What a search found; ``moves`` the length of its line, None unless won."""

    status: Status
    moves: int | None = None


def must_be_there(backend: Backend | None) -> Backend:
    """The compiled search, without which a test is skipped; under CI it fails."""
    if backend is None:
        if os.environ.get("CI"):
            pytest.fail("the compiled search is not built: pip install -e .")
        pytest.skip("the compiled search is not built")
    return backend


def found(backend: Backend, state: State, *, quick: bool = False, nodes: int = PLENTY) -> Found:
    """What a search finds; a line it gives is replayed through the rules."""
    search = backend(pack(state), nodes, quick)
    status = search.run()
    if status != "won":
        return Found(status)
    line = search.winning_line()
    assert is_won(replayed(state, line))
    return Found(status, len(line))


def replayed(state: State, line: Iterable[WrittenMove]) -> State:
    """The position after a line; the rules refuse what is not legal."""
    for written in line:
        state = apply(state, _move(written))
    return state


def _move(written: WrittenMove) -> Move:
    if written == "draw":
        return DRAW
    return REDEAL if written == "redeal" else discard(*written)
