"""Late positions of every rule set, answered as well by looking at every position there is."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.rules.ruleset import RuleSet
from app.rules.state import State, state_text
from tests import reference
from tests.rules.tables import as_reference
from tests.solver.backends import THERE, Backend, Found, found
from tests.solver.late import answered, late
from tests.strategies import RULE_SETS, randomness, rule_sets

EACH = 5
"""How many late positions of each rule set."""


def late_positions() -> st.SearchStrategy[State]:
    return st.builds(late, randomness(), rule_sets())


def answer(moves: int | None) -> Found:
    return Found("lost") if moves is None else Found("won", moves)


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.slug)
def test_a_search_agrees_with_a_look_at_every_position(backend: Backend, rules: RuleSet) -> None:
    for state, moves in answered(rules, EACH):
        assert found(backend, state) == answer(moves), state_text(state)
        assert found(backend, state, quick=True).status == answer(moves).status, state_text(state)


def test_a_third_of_the_late_positions_and_more_can_be_won() -> None:
    moves = [moves for rules in RULE_SETS for _, moves in answered(rules, EACH)]
    assert sum(bool(count) for count in moves) > len(moves) / 3
    assert sum(count is None for count in moves) > len(moves) / 3
    assert max(filter(None, moves)) > 15


@settings(max_examples=60)
@given(state=late_positions())
def test_a_search_agrees_with_the_reference(state: State) -> None:
    try:
        moves = reference.fewest_moves(*as_reference(state), most=400)
    except reference.TooMany:
        assume(False)  # noqa: FBT003 - hypothesis takes it by place.
    for backend in THERE:
        assert found(backend, state) == answer(moves)
        assert found(backend, state, quick=True).status == answer(moves).status
