"""Whole deals whose fewest moves are published or were proven by a plain search."""

from functools import cache

import pytest

from app.rules.deal import Deck, read_deck
from app.rules.ruleset import read_rules
from app.rules.state import State, start
from tests.playthroughs import GOLDEN, golden_lines
from tests.solver.backends import Backend, Found, found

SETS = sorted(path.name.removesuffix(".decks.txt") for path in (GOLDEN / "solver").glob("*.decks.txt"))
CASES = [
    ("open-500", "open"),
    ("classic-400", "classic"),
    *(
        ("mixed-40", rules)
        for rules in (
            *("classic", "three-piles", "endless", "open", "strict", "king-tut", "tuts-tomb"),
            *("d1r1", "d1r1v", "d3p3r0v"),
        )
    ),
]


@cache
def decks(name: str) -> tuple[Deck, ...]:
    return tuple(map(read_deck, golden_lines(f"solver/{name}.decks")))


def cases(name: str, rules: str) -> list[tuple[int, State, Found]]:
    """The deals of a set, numbered from 1, and what is to be found."""
    file = f"{name}.{rules}" if name == "mixed-40" else f"{name}.fewest-moves"
    answers = [Found("won", int(line)) if line != "0" else Found("lost") for line in golden_lines(f"solver/{file}")]
    starts = [start(read_rules(rules), deck) for deck in decks(name)]
    return [
        (number, state, answer) for number, (state, answer) in enumerate(zip(starts, answers, strict=True), start=1)
    ]


def test_every_golden_file_of_the_solver_is_used_and_tells_its_source() -> None:
    files = sorted((GOLDEN / "solver").glob("*.txt"))
    assert len(files) == len(SETS) + len(CASES)
    assert all(path.read_text("utf-8").startswith("# source: ") for path in files)


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_the_fewest_moves_are_the_proven_ones_and_their_line_wins(compiled: Backend, name: str, rules: str) -> None:
    wrong = [(number, answer) for number, state, answer in cases(name, rules) if found(compiled, state) != answer]
    assert wrong == []


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_the_verdict_alone_is_the_same_and_its_line_wins(compiled: Backend, name: str, rules: str) -> None:
    wrong = [
        (number, answer)
        for number, state, answer in cases(name, rules)
        if found(compiled, state, quick=True).status != answer.status
    ]
    assert wrong == []
