"""The compiled search and its twin in plain Python, side by side."""

import pytest
from hypothesis import given, settings

from app.rules.deal import Seed, shuffled
from app.rules.game import Game
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import start
from app.solver.packing import pack
from tests.solver.backends import PLAIN, THERE, Backend, found
from tests.strategies import RULE_SETS, games

BUDGET = 250


@pytest.mark.parametrize("quick", [False, True], ids=["fewest", "verdict"])
@pytest.mark.parametrize("rules", NAMED.values(), ids=NAMED.keys())
def test_both_find_the_same_on_whole_deals_and_look_at_as_many_nodes(
    compiled: Backend,
    rules: RuleSet,
    quick: bool,  # noqa: FBT001 - a parameter of the test.
) -> None:
    for number in range(1, 8):
        packed = pack(start(rules, shuffled(Seed(str(number)))))
        searches = [backend(packed, BUDGET, quick) for backend in (compiled, PLAIN)]
        assert searches[0].run() == searches[1].run(), number
        assert searches[0].nodes == searches[1].nodes, number


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.slug)
def test_both_find_the_same_under_every_rule_set(compiled: Backend, rules: RuleSet) -> None:
    state = start(rules, shuffled(Seed(f"twin-{rules.code}")))
    for quick in (False, True):
        assert found(compiled, state, quick=quick, nodes=40) == found(PLAIN, state, quick=quick, nodes=40)


@settings(max_examples=40)
@given(game=games())
def test_both_find_the_same_in_positions_of_games(game: Game) -> None:
    assert len({found(backend, game.state, nodes=60) for backend in THERE}) == 1
