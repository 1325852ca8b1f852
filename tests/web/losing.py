"""Deals that can be lost by a move, and deals that cannot be won."""

import pytest

from app.rules.deal import read_deal
from app.rules.moves import action_text
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import State, apply, legal_moves, start
from app.solver.solve import Lost, Won, solve


def blunder() -> tuple[str, str, list[str]]:
    """Rules, seed and moves of a game that the last of the moves loses for good, while moves are left."""
    for number in range(1, 200):
        state = start(NAMED["open"], read_deal(str(number)).deck)
        if not isinstance(solve(state, fewest=False), Won):
            continue
        found = losing_move(state)
        if found is not None:
            return "open", str(number), [*found]
    pytest.fail("no deal can be lost by a move")


def losing_move(state: State) -> list[str] | None:
    line = []
    for _ in range(30):
        for move in legal_moves(state):
            after = apply(state, move)
            if legal_moves(after) and isinstance(solve(after, fewest=False), Lost):
                return [*line, action_text(move)]
        answer = solve(state, fewest=False)
        if not isinstance(answer, Won) or not answer.line:
            return None
        state = apply(state, answer.line[0])
        line.append(action_text(answer.line[0]))
    return None


def unwinnable(rules: str) -> str:
    """The seed of a deal that cannot be won."""
    deals = (str(number) for number in range(1, 500))
    return next(seed for seed in deals if isinstance(solve(start(read_rules(rules), read_deal(seed).deck)), Lost))


RULES, LOSABLE, TO_LOSS = blunder()
