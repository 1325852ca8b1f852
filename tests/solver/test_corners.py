"""Positions at the edges of the rules, answered by both searches."""

import pytest

from app.rules.deal import Seed, shuffled
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import start
from app.solver.packing import pack
from tests.rules.tables import table
from tests.solver.backends import Backend, Found, found

LOST = Found("lost")


def won(moves: int) -> Found:
    return Found("won", moves)


@pytest.mark.parametrize("quick", [False, True], ids=["fewest", "verdict"])
@pytest.mark.parametrize(
    ("rules", "pyramid", "stock", "waste", "left", "expected"),
    [
        pytest.param("endless", "", "2c", "3c", None, won(0), id="a won position needs no move"),
        pytest.param("strict", "", "", "", None, won(0), id="an empty table is won"),
        pytest.param("strict", "", "Kc", "", None, won(1), id="under strict the stock must go too"),
        pytest.param("strict", "", "2c 3c", "", None, LOST, id="what has no partner never goes"),
        pytest.param("endless", "Kc", "", "", None, won(1), id="a king goes alone"),
        pytest.param("endless", "6c", "", "", None, LOST, id="a card without a partner"),
        pytest.param("classic", "6c", "7d", "", None, won(2), id="a draw and a pair"),
        pytest.param("classic", "6c", "", "7d Kc", None, won(2), id="a king on the waste leaves"),
        pytest.param("classic", "6c", "", "7d Kc Kd Kh", None, won(4), id="kings above kings leave"),
        pytest.param("classic", "6c", "", "7d Kc 2c", None, LOST, id="a king under a card that stays"),
        pytest.param("classic", "6c", "7d", "Kc", None, won(2), id="a king on the waste may stay"),
        pytest.param("classic", "6c", "7c 3c", "7d 4c", None, won(2), id="the last pass reaches what comes"),
        pytest.param("classic", "6c", "2c 3c", "7d 4c", None, LOST, id="the last pass never comes back"),
        pytest.param("d1r1", "6c", "2c 3c", "7d 4c", "1", won(5), id="one redeal is left"),
        pytest.param("d1r1", "6c", "2c 3c", "7d 4c", "0", LOST, id="no redeal is left any more"),
        pytest.param("endless", "6c", "2c 3c", "7d 4c", None, won(5), id="redeals without end"),
        pytest.param("open", "6c", "7d", "", None, won(1), id="an open stock needs no draw"),
        pytest.param("open", "6c", "Kc 7d", "", None, won(2), id="an open king goes at the price of its draw"),
        pytest.param("open", "", "Kc 7d", "", None, won(0), id="a finished game need not touch an open king"),
        pytest.param("strict", "6c", "Kc 7d", "", None, won(2), id="an open king has to go"),
        pytest.param("strict", "6c", "8c 7d", "5c", None, won(2), id="the open card pairs with the waste"),
        pytest.param("king-tut", "6c", "2c 7d 3c 4c", "", None, LOST, id="by threes it never comes up"),
        pytest.param("king-tut", "6c", "2c 3c 7d 4c", "", None, won(2), id="by threes it comes up first"),
        pytest.param("king-tut", "6c", "2c 7d Kc 4c", "", None, won(3), id="a king above it leaves first"),
        pytest.param("three-piles", "6c / 6d --", "2c 7d 3c", " / / ", None, LOST, id="one partner for two"),
        pytest.param("three-piles", "6c / 6d --", "7c 7d 2c", " / / ", None, won(3), id="two tops at once"),
        pytest.param("three-piles", "6c", "", "7d 8c / 5c / ", None, won(2), id="two tops pair"),
        pytest.param("three-piles", "6c", "", "7d 8c / 5c 2c / Jc", None, won(3), id="two tops pair, thrice"),
        pytest.param("three-piles", "6c", "", "7d 8c / 5c 2c / ", None, LOST, id="a gap in the third pile"),
        pytest.param("three-piles", "6c", "2c Kd Qc", " / 7d / Ac", None, won(1), id="a gap in the first pile"),
        pytest.param("three-piles", "6c", "2c Kd Jc", "3h / 7d Ks / ", None, won(2), id="a king on a pile"),
        pytest.param("classic", "6c / 7d --", "", "", None, LOST, id="a card never pairs with what covers it"),
        pytest.param("d1r0v", "6c / 7d --", "", "", None, won(1), id="under overlap it does"),
        pytest.param("d1r0v", "6c / 7d 8c", "5c", "", None, won(3), id="its other cover goes first"),
        pytest.param("d1r0v", "6c / 7d 8c / 5c 5d 4c", "5h 9h", "", None, LOST, id="the cover is covered for good"),
    ],
)
def test_a_corner_of_the_rules(  # noqa: PLR0913, PLR0917 - a row of the table above.
    backend: Backend,
    rules: str,
    pyramid: str,
    stock: str,
    waste: str,
    left: str | None,
    expected: Found,
    quick: bool,  # noqa: FBT001 - a column of the table above.
) -> None:
    state = table(rules, pyramid, stock, waste if waste or rules != "three-piles" else " / / ", left)
    result = found(backend, state, quick=quick)
    assert result.status == expected.status
    assert quick or result == expected


@pytest.mark.parametrize("rules", NAMED.values(), ids=NAMED.keys())
def test_a_search_out_of_nodes_does_not_know(backend: Backend, rules: RuleSet) -> None:
    deals = [start(rules, shuffled(Seed(str(number)))) for number in range(12)]
    assert {found(backend, deal, nodes=3).status for deal in deals} <= {"unknown", "lost"}
    assert "unknown" in {found(backend, deal, nodes=3).status for deal in deals}


def test_a_larger_budget_changes_no_answer_that_was_found(compiled: Backend) -> None:
    for rules in NAMED.values():
        for number in range(6):
            state = start(rules, shuffled(Seed(str(number))))
            full = found(compiled, state)
            for nodes in (1, 10, 100, 1_000):
                assert found(compiled, state, nodes=nodes) in {full, Found("unknown")}
                assert found(compiled, state, nodes=nodes, quick=True).status in {full.status, "unknown"}


def test_no_more_nodes_are_looked_at_than_the_budget_allows(backend: Backend) -> None:
    for rules in NAMED.values():
        search = backend(pack(start(rules, shuffled(Seed("13")))), 20, False)  # noqa: FBT003 - as it is built.
        search.run()
        # The relaxed game may look at as many again.
        assert search.nodes <= 40
