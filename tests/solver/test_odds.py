"""Counting deals: the laws of tallies, the interval against published values, and the figures that are kept."""

import json
from collections import Counter
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.deal import Seed, seeded
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import start
from app.solver.odds import (
    KEPT,
    Chunk,
    Odds,
    Plan,
    Tally,
    chunks,
    count,
    named_odds,
    odds_json,
    read_odds,
    spread,
    wilson,
)
from app.solver.solve import BACKEND, Won, solve

LENGTHS = st.lists(st.integers(15, 110), max_size=40)
"""The fewest moves of some deals."""

FIRST_200 = {
    "classic": 7,
    "three-piles": 80,
    "endless": 133,
    "open": 132,
    "strict": 130,
    "king-tut": 111,
    "tuts-tomb": 153,
}
"""How many of the deals 1 to 200 can be won."""

needs_the_compiled_search = pytest.mark.skipif(BACKEND == "plain", reason="takes minutes in plain Python")


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    """Tallies as they can come about."""
    lengths = draw(LENGTHS)
    unmeasured, lost, rest, unknown = (draw(st.integers(0, 9)) for _ in range(4))
    measured = len(lengths) + unmeasured + lost
    return Tally(
        deals=measured + rest + unknown,
        winnable=len(lengths) + unmeasured + rest,
        unknown=unknown,
        measured=measured,
        unmeasured=unmeasured,
        moves=tuple(sorted(Counter(lengths).items())),
    )


@given(tallies(), tallies(), tallies())
def test_tallies_add_up_in_any_order_and_grouping(one: Tally, two: Tally, three: Tally) -> None:
    assert (one + two) + three == one + (two + three)
    assert one + two == two + one
    assert one + Tally() == one


@given(tallies(), tallies())
def test_the_sum_of_tallies_counts_the_deals_of_both(one: Tally, two: Tally) -> None:
    both = one + two
    assert both.deals == one.deals + two.deals
    assert both.winnable == one.winnable + two.winnable
    assert Counter(dict(both.moves)) == Counter(dict(one.moves)) + Counter(dict(two.moves))


@given(st.integers(0, 10_000), st.integers(1, 5_000), st.integers(0, 6_000))
def test_chunks_cover_each_deal_once_and_in_order(first: int, deals: int, measured: int) -> None:
    made = list(chunks(Plan(NAMED["endless"], deals, first, measured)))
    numbers = [number for chunk in made for number in range(chunk.first, chunk.first + chunk.deals)]
    assert numbers == list(range(first, first + deals))
    assert sum(chunk.deals for chunk in made if chunk.fewest) == min(measured, deals)
    assert [chunk.fewest for chunk in made] == sorted((chunk.fewest for chunk in made), reverse=True)


@settings(max_examples=20, deadline=None)
@needs_the_compiled_search
@given(st.permutations(range(1, 60, 10)))
def test_chunks_in_any_order_give_what_one_gives(order: list[int]) -> None:
    rules = NAMED["open"]
    parts = sum((count(rules, Chunk(first, 10, fewest=False)) for first in order), Tally())
    assert parts == count(rules, Chunk(1, 60, fewest=False))


@pytest.mark.parametrize("rules", ["endless", "strict", "three-piles"])
@needs_the_compiled_search
def test_a_count_is_what_solving_each_deal_gives(rules: str) -> None:
    states = [start(NAMED[rules], seeded(Seed(str(number))).deck) for number in range(7, 12)]
    lengths = [len(answer.line) for state in states if isinstance(answer := solve(state), Won)]
    moves = tuple(sorted(Counter(lengths).items()))
    assert count(NAMED[rules], Chunk(7, 5, fewest=True)) == Tally(5, len(lengths), 0, 5, 0, moves)


def test_without_the_fewest_moves_only_winnable_deals_are_counted() -> None:
    tally = count(NAMED["endless"], Chunk(1, 30, fewest=False))
    assert (tally.measured, tally.moves) == (0, ())
    assert tally.winnable > 0


def test_a_deal_beyond_the_budget_is_unknown_and_not_lost() -> None:
    rules = read_rules("d1r1")
    tally, known = (count(rules, Chunk(1, 30, fewest=False), nodes) for nodes in (1, 1_000_000))
    assert tally.unknown > 0
    assert tally.winnable <= known.winnable <= tally.winnable + tally.unknown


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(hits: int, of: int, low: float, high: float) -> None:
    # source: R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 1_000_000), st.floats(0, 1))
def test_the_interval_holds_the_share_and_lies_within_0_and_1(of: int, share: float) -> None:
    hits = round(share * of)
    low, high = wilson(hits, of)
    assert 0 <= low <= hits / of <= high <= 1
    assert wilson(of - hits, of) == pytest.approx((1 - high, 1 - low))


def test_unknown_deals_widen_the_interval_on_one_side() -> None:
    odds = Odds(NAMED["classic"], 1, 10, Tally(deals=1000, winnable=40, unknown=5))
    assert odds.interval == (wilson(40, 1000)[0], wilson(45, 1000)[1])


@given(LENGTHS.filter(bool))
def test_the_spread_is_that_of_the_sorted_lengths(lengths: list[int]) -> None:
    found = spread(tuple(sorted(Counter(lengths).items())))
    assert found is not None
    assert (found.won, found.least, found.most) == (len(lengths), min(lengths), max(lengths))
    assert found.mean == pytest.approx(fmean(lengths))
    for quarter, length in enumerate(found.quartiles, 1):
        assert sum(one <= length for one in lengths) >= len(lengths) * quarter / 4
        assert sum(one < length for one in lengths) < len(lengths) * quarter / 4
        assert length in lengths


def test_no_moves_have_no_spread() -> None:
    assert spread(()) is None


@given(tallies().filter(lambda tally: tally.deals > 0), st.sampled_from([*NAMED, "d1r1"]), st.integers(0, 99))
def test_odds_are_read_back_from_json(tally: Tally, rules: str, first: int) -> None:
    odds = Odds(read_rules(rules), first, 1_000, tally)
    assert read_odds(json.loads(json.dumps(odds_json(odds)))) == odds


def test_the_command_names_what_is_not_the_default() -> None:
    tally = Tally(deals=300, winnable=1, measured=20)
    assert Odds(NAMED["open"], 5, 1_000, tally).command == (
        "python -m app odds --rules open --deals 300 --first 5 --fewest 20 --nodes 1000"
    )


def test_there_are_odds_of_every_named_rule_set() -> None:
    assert set(named_odds()) == set(NAMED)
    assert {slug: odds.rules for slug, odds in named_odds().items()} == NAMED


@pytest.mark.parametrize("slug", NAMED)
def test_the_odds_that_are_kept_agree_with_themselves(slug: str) -> None:
    odds = named_odds()[slug]
    assert odds_json(odds) == json.loads(KEPT.read_text("utf-8"))[slug]
    tally = odds.tally
    assert 0 < tally.winnable <= tally.winnable + tally.unknown <= tally.deals
    assert sum(deals for _, deals in tally.moves) + tally.unmeasured <= min(tally.winnable, tally.measured)


@pytest.mark.parametrize("slug", NAMED)
def test_the_odds_that_are_kept_are_of_enough_deals(slug: str) -> None:
    tally = named_odds()[slug].tally
    assert tally.deals >= (1_000_000 if slug in {"endless", "open", "strict", "classic"} else 10_000)
    assert tally.measured >= 10_000
    assert tally.unknown / tally.deals < 0.0001


@pytest.mark.parametrize("slug", NAMED)
@needs_the_compiled_search
def test_a_sample_of_the_deals_comes_out_as_it_did(slug: str) -> None:
    tally = count(NAMED[slug], Chunk(1, 200, fewest=False))
    assert (tally.winnable, tally.unknown) == (FIRST_200[slug], 0)
    # Many more deals cannot be far from 200 of them: five times the interval's half is once in millions.
    low, high = wilson(tally.winnable, 200)
    assert abs(named_odds()[slug].share - tally.winnable / 200) < 2.5 * (high - low)
