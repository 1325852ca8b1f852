"""``python -m app solve``: decks in, one a line, and an answer out for each."""

import argparse
import io
import json
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TextIO

from app.commands.arguments import MOST_NODES_ASKED, RULES, UNREADABLE, Commands, named, number, rules
from app.commands.backend import warn_if_plain
from app.commands.progress import Bar
from app.rules.cards import Unreadable
from app.rules.deal import read_deck
from app.rules.moves import action_text
from app.rules.ruleset import RuleSet
from app.rules.state import State, start
from app.solver.solve import MOST_NODES, Lost, Solving, Unknown, Won
from app.solver.solve import Answer as Found

STANDARD_INPUT = Path("-")

_SOLVE = """Reads decks, one a line: 52 cards, the pyramid row by row from the top, then the stock; blank lines and
lines that begin with # are skipped. Writes one JSON object for each, in order: verdict (winnable, lost, or unknown
where the budget ran out), moves (the fewest, null where only some line was found within the budget) and line, nodes,
ms (of the search). A line that is no deck is answered
by {"error", "line_number"} in its place, told on standard error as well, and makes the exit status 2."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    solved = commands.add_parser("solve", help="say of decks whether and how they can be won", description=_SOLVE)
    solved.add_argument("--rules", required=True, type=rules, metavar="RULES", help=RULES)
    solved.add_argument("--verdict-only", action="store_true", help="no fewest moves, no line: sooner answered")
    solved.add_argument(
        "--nodes",
        type=number(1, MOST_NODES_ASKED),
        default=MOST_NODES,
        help="the budget for each deck: how many nodes the search may keep, about 60 bytes each (%(default)s)",
    )
    solved.add_argument(
        "file", nargs="?", type=named, default=STANDARD_INPUT, metavar="FILE", help="- is standard input"
    )
    solved.set_defaults(command=solve)


def solve(asked: argparse.Namespace) -> int:
    """Answer decks, one a line; 2 where a line was no deck."""
    warn_if_plain()
    faults = solve_lines(asked.file, asked.rules, fewest=not asked.verdict_only, nodes=asked.nodes)
    return UNREADABLE if faults else 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a deck.

    Where it can be won and more than the verdict was asked for, ``line`` wins, and has the fewest ``moves``; None for
    these means that they were not found within the budget.
    """

    verdict: Literal["winnable", "lost", "unknown"]
    moves: int | None
    line: tuple[str, ...] | None
    nodes: int
    ms: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What is said of a line that is no deck; lines are counted from 1, skipped ones included."""

    error: str
    line_number: int


def answers(lines: Iterable[str], rules: RuleSet, *, fewest: bool, nodes: int) -> Iterator[Answer | Fault]:
    """What is to be said of each line, in order; blank ones and those that begin with ``#`` are skipped."""
    # The search runs in a thread, so that Ctrl+C is heard meanwhile.
    with ThreadPoolExecutor(1) as thread:
        for number, line in enumerate(lines, 1):
            if not _has_deck(line):
                continue
            try:
                position = start(rules, read_deck(line))
            except Unreadable as error:
                yield Fault(error=str(error), line_number=number)
                continue
            yield _answer(position, thread, fewest=fewest, nodes=nodes)


def solve_lines(path: Path, rules: RuleSet, *, fewest: bool, nodes: int) -> int:
    """Answer the decks of a file (``-`` for standard input) on standard output; how many lines were no deck."""
    faults = 0
    lines, decks = _read(path)
    with Bar(decks, "decks") as bar:
        for answer in answers(lines, rules, fewest=fewest, nodes=nodes):
            with bar.aside():
                if isinstance(answer, Fault):
                    faults += 1
                    sys.stderr.write(f"pyramid: line {answer.line_number}: {answer.error}\n")
                sys.stdout.write(json.dumps(asdict(answer)) + "\n")
                sys.stdout.flush()
            bar.move(1)
    return faults


def _answer(position: State, thread: ThreadPoolExecutor, *, fewest: bool, nodes: int) -> Answer:
    """What is said of a deck: where the budget is too small for the fewest moves, at least whether it can be won."""
    began = time.perf_counter()
    found = _found(Solving(position, fewest=fewest, nodes=nodes), thread)
    seen = found.nodes
    proven = fewest and isinstance(found, Won)
    if fewest and isinstance(found, Unknown):
        found = _found(Solving(position, fewest=False, nodes=nodes), thread)
        seen += found.nodes
    ms = round((time.perf_counter() - began) * 1000, 3)
    match found:
        case Won(line=line):
            told = tuple(map(action_text, line)) if fewest else None
            return Answer("winnable", len(line) if proven else None, told, seen, ms)
        case Lost():
            return Answer("lost", None, None, seen, ms)
        case Unknown():
            return Answer("unknown", None, None, seen, ms)


def _found(solving: Solving, thread: ThreadPoolExecutor) -> Found:
    try:
        return thread.submit(solving.run).result()
    except KeyboardInterrupt:
        solving.cancel()
        raise


def _read(path: Path) -> tuple[Iterable[str], int | None]:
    """The lines, and how many decks there are in them where that can be known beforehand."""
    if path == STANDARD_INPUT:
        return _standard_input(), None
    lines = path.read_text("utf-8-sig", errors="replace").split("\n")
    return lines, sum(map(_has_deck, lines))


def _standard_input() -> TextIO:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    return sys.stdin


def _has_deck(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
