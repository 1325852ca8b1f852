from dataclasses import asdict, astuple
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import Unreadable
from app.rules.ruleset import DEFAULT, NAMED, IllegalRuleSet, RuleSet, read_rules
from tests import reference
from tests.strategies import GOALS, RULE_SETS, rule_sets


def test_there_are_136_rule_sets() -> None:
    assert len(RULE_SETS) == len(set(RULE_SETS)) == 136


def test_every_other_combination_is_refused() -> None:
    redeals = (None, *range(-1, 12))
    legal = {astuple(rules) for rules in RULE_SETS}
    for switches in product((0, 1, 2, 3, 4), (0, 1, 2, 3), redeals, (False, True), (False, True), GOALS):
        try:
            rules = RuleSet(*switches)
        except IllegalRuleSet:
            assert switches not in legal
        else:
            assert astuple(rules) in legal


@pytest.mark.parametrize(
    ("switches", "reason"),
    [
        ({"draw": 0}, "draw is 1 or 3"),
        ({"draw": 2}, "draw is 1 or 3"),
        ({"draw": 4}, "draw is 1 or 3"),
        ({"draw": 3, "piles": 2, "redeals": 0}, "piles is 1 or 3"),
        ({"piles": 0}, "piles is 1 or 3"),
        ({"redeals": -1}, "redeals is 0 to 9, or unlimited"),
        ({"redeals": 10}, "redeals is 0 to 9, or unlimited"),
        ({"goal": "foundation"}, "goal is pyramid or all"),
        ({"piles": 3, "redeals": 0}, "three waste piles need draw 3"),
        ({"draw": 3, "piles": 3}, "three waste piles allow no redeal"),
        ({"draw": 3, "piles": 3, "redeals": 1}, "three waste piles allow no redeal"),
        ({"draw": 3, "open": True}, "an open stock needs draw 1"),
    ],
)
def test_an_illegal_rule_set_is_refused_with_its_reason(switches: dict[str, object], reason: str) -> None:
    with pytest.raises(IllegalRuleSet) as refused:
        RuleSet(**switches)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("d1p3r0", "three waste piles need draw 3"),
        ("d3p3rx", "three waste piles allow no redeal"),
        ("d3p3r2va", "three waste piles allow no redeal"),
        ("d3r0o", "an open stock needs draw 1"),
        ("d3p3r0o", "an open stock needs draw 1"),
    ],
)
def test_the_code_of_an_illegal_rule_set_is_refused_with_its_reason(code: str, reason: str) -> None:
    with pytest.raises(IllegalRuleSet) as refused:
        read_rules(code)
    assert str(refused.value) == reason


@given(rule_sets())
def test_a_code_and_a_slug_read_back_as_the_rule_set(rules: RuleSet) -> None:
    assert read_rules(rules.code) == read_rules(rules.slug) == rules


def test_no_two_rule_sets_share_a_code_or_a_slug() -> None:
    assert len({rules.code for rules in RULE_SETS}) == len({rules.slug for rules in RULE_SETS}) == 136


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (RuleSet(), "d1rx"),
        (RuleSet(redeals=0), "d1r0"),
        (RuleSet(redeals=2, open=True, goal="all"), "d1r2oa"),
        (RuleSet(redeals=9, open=True, overlap=True, goal="all"), "d1r9ova"),
        (RuleSet(draw=3, overlap=True), "d3rxv"),
        (RuleSet(draw=3, piles=3, redeals=0), "d3p3r0"),
        (RuleSet(draw=3, piles=3, redeals=0, overlap=True, goal="all"), "d3p3r0va"),
    ],
)
def test_a_code_tells_the_switches_in_a_fixed_order(rules: RuleSet, code: str) -> None:
    assert rules.code == code


def test_the_named_rule_sets_are_those_of_the_rules_page_in_its_order() -> None:
    assert {slug: asdict(rules) for slug, rules in NAMED.items()} == reference.NAMED
    assert list(NAMED) == list(reference.NAMED)


def test_a_named_rule_set_is_called_by_its_name_and_any_other_by_its_code() -> None:
    assert {rules.slug for rules in NAMED.values()} == set(NAMED)
    assert all(rules.slug == rules.code for rules in RULE_SETS if rules not in NAMED.values())


def test_a_new_player_plays_endless() -> None:
    assert DEFAULT.slug == "endless"


@pytest.mark.parametrize(
    "text",
    [
        *("", "d1", "r0", "d1r", "d2r0", "d1r10", "d1r-1", "d1p1r0", "d1p2r0", "d3p3"),
        *("d1r0ao", "d1r0vo", "d1r0oo", "d1r0x", "rxd1", "D1R0", "Classic", "d1r0\n", " d1r0", "d1r٣", "classic,open"),
    ],
)
def test_what_is_no_rule_set_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="is no rule set: it is one of classic, three-piles, endless, "):
        read_rules(text)


@given(st.text("d123p0r9xova", max_size=9))
def test_a_code_that_reads_is_the_canonical_one(text: str) -> None:
    try:
        rules = read_rules(text)
    except (Unreadable, IllegalRuleSet):
        return
    assert rules.code == text
