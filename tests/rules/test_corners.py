"""Every corner of the rules' text as a small table."""

import pytest

from app.rules.cards import read_card
from app.rules.moves import Discard
from app.rules.state import IllegalMove, Outcome, Reason, apply, outcome, state_text
from tests.rules.tables import after, moves, refusal, table


def test_a_king_goes_alone() -> None:
    state = table("endless", "2c / Kd 3d")
    assert moves(state) == "Kd"
    assert state_text(after(state, "Kd")) == state_text(table("endless", "2c / -- 3d"))


def test_a_king_on_the_waste_goes_alone() -> None:
    assert after(table("endless", "2c", waste="4c Kd"), "Kd") == table("endless", "2c", waste="4c")


@pytest.mark.parametrize("pair", ["Ac+Qd", "2c+Jd", "3c+Td", "4c+9d", "5c+8d", "6c+7d"])
def test_a_pair_adds_up_to_thirteen_in_any_suits(pair: str) -> None:
    for cards in (pair, pair.replace("d", "c")):
        state = table("endless", "Kh / " + cards.replace("+", " "))
        assert moves(state) == cards
        assert after(state, cards) == table("endless", "Kh")


def test_two_cards_that_make_another_sum_are_no_pair() -> None:
    assert moves(table("endless", "Kh / 6c 6d")) == moves(table("endless", "Kh / 7c 7d")) == ""


def test_two_kings_are_no_pair_and_go_one_by_one() -> None:
    state = table("endless", "2c / Kc Kd")
    assert moves(state) == "Kc Kd"
    assert refusal(state, "Kc+Kd") == (Reason.NOT_THIRTEEN, "Kc Kd")


def test_a_pyramid_card_pairs_with_the_top_of_the_waste() -> None:
    assert after(table("endless", "6c", stock="2c", waste="3c 7d"), "6c+7d") == table("endless", stock="2c", waste="3c")


def test_only_the_top_of_the_waste_is_exposed() -> None:
    state = table("endless", "6c", waste="7d 3c")
    assert moves(state) == "redeal"
    assert refusal(state, "6c+7d") == (Reason.COVERED, "7d")


def test_two_cards_of_one_waste_pile_never_pair() -> None:
    assert refusal(table("endless", "2c", waste="6c 7d"), "6c+7d") == (Reason.COVERED, "6c")


def test_a_waste_card_is_exposed_again_when_those_above_are_gone() -> None:
    state = table("endless", "2c / 7h 9c", waste="6d 4s Kd")
    assert moves(state) == "Kd redeal"
    assert moves(after(state, "Kd")) == "4s+9c redeal"
    assert moves(after(state, "Kd", "4s+9c")) == "6d+7h redeal"


def test_a_pyramid_card_is_exposed_when_both_its_covers_are_gone() -> None:
    state = table("endless", "Kc / Kd Kh")
    assert moves(state) == "Kd Kh"
    assert refusal(state, "Kc") == refusal(after(state, "Kd"), "Kc") == refusal(after(state, "Kh"), "Kc")
    assert refusal(state, "Kc") == (Reason.COVERED, "Kc")
    assert moves(after(state, "Kh", "Kd")) == "Kc"


def test_nothing_is_compulsory() -> None:
    state = table("endless", "Kc", stock="2c 3c")
    assert moves(state) == "Kc draw"
    assert moves(after(state, "draw", "draw", "redeal")) == "Kc draw"


def test_a_draw_turns_the_next_card_onto_the_waste() -> None:
    state = table("classic", "2c", stock="3c 4c", waste="5c")
    assert after(state, "draw") == table("classic", "2c", stock="4c", waste="5c 3c")


def test_draw_3_turns_three_cards_and_the_last_is_on_top() -> None:
    state = table("king-tut", "9c", stock="2c 3c 4c 5c", waste="6c")
    assert after(state, "draw") == table("king-tut", "9c", stock="5c", waste="6c 2c 3c 4c")
    assert moves(after(state, "draw")) == "4c+9c draw"


@pytest.mark.parametrize("stock", ["2c", "2c 3c"])
def test_draw_3_turns_fewer_where_fewer_are_left(stock: str) -> None:
    state = table("king-tut", "9c", stock=stock, waste="6c")
    assert after(state, "draw") == table("king-tut", "9c", waste=f"6c {stock}")


def test_three_piles_get_a_card_each_in_the_same_order_all_game_long() -> None:
    state = table("three-piles", "Kh", stock="2c 3c 4c 5c Kc 7c 8c 9c Tc")
    once = after(state, "draw")
    assert once == table("three-piles", "Kh", stock="5c Kc 7c 8c 9c Tc", waste="2c / 3c / 4c")
    twice = after(once, "draw", "Kc")
    assert twice == table("three-piles", "Kh", stock="8c 9c Tc", waste="2c 5c / 3c / 4c 7c")
    assert after(twice, "draw") == table("three-piles", "Kh", waste="2c 5c 8c / 3c 9c / 4c 7c Tc")


def test_the_tops_of_two_piles_may_pair() -> None:
    state = table("three-piles", "Kh", waste="2c 5c / 3c / 9d 8c")
    assert moves(state) == "Kh 5c+8c"
    assert after(state, "5c+8c") == table("three-piles", "Kh", waste="2c / 3c / 9d")


def test_under_three_piles_each_top_pairs_with_the_pyramid_even_over_an_empty_pile() -> None:
    assert moves(table("three-piles", "6c", waste="7c / / 2c 7d")) == "6c+7c 6c+7d"


def test_three_piles_are_never_dealt_again() -> None:
    state = table("three-piles", "Kh / 2c 3c", waste="2d / 3d / 4d")
    assert moves(state) == ""
    assert refusal(state, "redeal") == (Reason.NO_REDEAL_LEFT, "")
    assert outcome(state) == Outcome.STUCK


def test_an_open_stocks_top_pairs_with_the_pyramid() -> None:
    state = table("open", "6c", stock="7c 2c", waste="3c")
    assert moves(state) == "6c+7c draw"
    assert after(state, "6c+7c") == table("open", stock="2c", waste="3c")


def test_an_open_stocks_top_pairs_with_the_top_of_the_waste() -> None:
    state = table("open", "Ac / Ad Ah", stock="7c 2c", waste="3c 6c")
    assert moves(state) == "6c+7c draw"
    assert after(state, "6c+7c") == table("open", "Ac / Ad Ah", stock="2c", waste="3c")


def test_a_king_on_an_open_stock_goes_alone_and_the_next_card_is_open() -> None:
    state = table("open", "6c", stock="Kc 7c")
    assert moves(state) == "Kc draw"
    assert moves(after(state, "Kc")) == "6c+7c draw"


def test_the_second_card_of_an_open_stock_is_not_exposed() -> None:
    state = table("open", "6c", stock="2c 7c")
    assert moves(state) == "draw"
    assert refusal(state, "6c+7c") == (Reason.NOT_ON_TABLE, "7c")


def test_the_top_of_a_face_down_stock_is_not_exposed() -> None:
    state = table("endless", "6c", stock="7c")
    assert moves(state) == "draw"
    assert refusal(state, "6c+7c") == (Reason.NOT_ON_TABLE, "7c")


def test_a_redeal_brings_the_remaining_cards_in_the_order_in_which_they_were_first_dealt() -> None:
    state = table("endless", "Ac", stock="2c Kc 3c 4c")
    dealt = after(state, "draw", "draw", "Kc", "draw", "draw", "redeal")
    assert dealt == table("endless", "Ac", stock="2c 3c 4c")


def test_with_draw_3_a_redeal_brings_the_cards_in_order_too() -> None:
    state = table("king-tut", "Ac", stock="2c 3c 4c 5c Kc")
    assert after(state, "draw", "draw", "Kc", "redeal") == table("king-tut", "Ac", stock="2c 3c 4c 5c")


def test_each_redeal_is_counted_until_none_is_left() -> None:
    state = table("open", "Ac", stock="2c")
    once = after(state, "draw", "redeal")
    assert (state.redeals_left, once.redeals_left) == (2, 1)
    spent = after(once, "draw", "redeal", "draw")
    assert spent == table("open", "Ac", waste="2c", left="0")
    assert refusal(spent, "redeal") == (Reason.NO_REDEAL_LEFT, "")
    assert outcome(spent) == Outcome.STUCK


def test_unlimited_redeals_are_never_used_up() -> None:
    state = table("endless", "Ac", stock="2c")
    assert after(state, *["draw", "redeal"] * 30) == state


def test_classic_has_no_redeal() -> None:
    spent = after(table("classic", "Ac", stock="2c"), "draw")
    assert refusal(spent, "redeal") == (Reason.NO_REDEAL_LEFT, "")
    assert outcome(spent) == Outcome.STUCK


def test_the_last_turned_card_may_still_be_used() -> None:
    spent = after(table("classic", "6c", stock="7c"), "draw")
    assert (moves(spent), outcome(spent)) == ("6c+7c", Outcome.PLAYING)
    assert outcome(after(spent, "6c+7c")) == Outcome.WON


def test_no_redeal_while_the_stock_has_cards() -> None:
    state = table("endless", "Ac", stock="2c", waste="3c")
    assert moves(state) == "draw"
    assert refusal(state, "redeal") == (Reason.STOCK_NOT_EMPTY, "")


def test_no_redeal_of_an_empty_waste() -> None:
    state = table("endless", "Ac")
    assert refusal(state, "redeal") == (Reason.WASTE_EMPTY, "")
    assert outcome(state) == Outcome.STUCK


def test_where_redeals_are_spent_and_the_waste_is_empty_too_the_redeals_are_named() -> None:
    assert refusal(table("classic", "Ac"), "redeal") == (Reason.NO_REDEAL_LEFT, "")
    assert refusal(table("classic", "Ac", stock="2c"), "redeal") == (Reason.STOCK_NOT_EMPTY, "")


def test_no_draw_from_an_empty_stock() -> None:
    assert refusal(table("endless", "Ac", waste="2c"), "draw") == (Reason.STOCK_EMPTY, "")
    assert refusal(table("endless", "Ac"), "draw") == (Reason.STOCK_EMPTY, "")


def test_with_overlap_a_card_pairs_with_the_one_card_that_still_covers_it() -> None:
    state = table("tuts-tomb", "Ac / 6c -- / 7d --")
    assert moves(state) == "6c+7d"
    assert after(state, "6c+7d") == table("tuts-tomb", "Ac")


@pytest.mark.parametrize("row", ["-- 7d", "7d --"])
def test_with_overlap_either_cover_may_be_the_one_that_is_left(row: str) -> None:
    assert after(table("tuts-tomb", f"6c / {row}"), "6c+7d") == table("tuts-tomb")


def test_without_overlap_a_card_does_not_pair_with_its_cover() -> None:
    assert refusal(table("king-tut", "6c / -- 7d"), "6c+7d") == (Reason.COVERED, "6c")


def test_with_overlap_a_card_under_two_covers_pairs_with_neither() -> None:
    state = table("tuts-tomb", "6c / 7d 7h")
    assert moves(state) == ""
    assert refusal(state, "6c+7d") == refusal(state, "6c+7h") == (Reason.COVERED, "6c")


def test_with_overlap_the_cover_itself_must_be_exposed() -> None:
    state = table("tuts-tomb", "6c / -- 7d / -- -- 2c")
    assert moves(state) == ""
    assert refusal(state, "6c+7d") == (Reason.COVERED, "6c 7d")


def test_with_overlap_a_covered_card_pairs_with_nothing_but_its_cover() -> None:
    state = table("tuts-tomb", "Ac / 6c 2c / -- 5h 7d", waste="7h")
    assert moves(state) == "redeal"
    assert refusal(state, "6c+7h") == refusal(state, "6c+7d") == (Reason.COVERED, "6c")


def test_with_overlap_a_covered_king_does_not_go() -> None:
    assert refusal(table("tuts-tomb", "Kc / -- 2c"), "Kc") == (Reason.COVERED, "Kc")


def test_with_overlap_two_cards_may_pair_with_the_same_cover() -> None:
    state = table("tuts-tomb", "Kc / 6c 6d / -- 7d --")
    assert moves(state) == "6c+7d 6d+7d"
    assert after(state, "6d+7d") == table("tuts-tomb", "Kc / 6c --")


def test_the_goal_pyramid_leaves_stock_and_waste_aside() -> None:
    state = after(table("open", "Kc", stock="2c", waste="3c"), "Kc")
    assert (outcome(state), moves(state)) == (Outcome.WON, "")


def test_the_goal_all_wants_stock_and_waste_gone_too() -> None:
    state = after(table("strict", "Kc", stock="6c", waste="7c"), "Kc")
    assert (outcome(state), moves(state)) == (Outcome.PLAYING, "6c+7c draw")
    assert outcome(after(state, "6c+7c")) == Outcome.WON


@pytest.mark.parametrize(("stock", "waste"), [("2c", ""), ("", "2c")])
def test_the_goal_all_is_missed_by_one_card_in_stock_or_waste(stock: str, waste: str) -> None:
    assert outcome(table("strict", stock=stock, waste=waste)) == Outcome.PLAYING


def test_the_goal_all_is_missed_by_one_card_on_any_pile() -> None:
    assert [outcome(table("d3p3r0a", waste=waste)) for waste in ("2c / / ", " / 2c / ", " / / 2c")] == ["stuck"] * 3


@pytest.mark.parametrize("move", ["draw", "redeal", "Kc", "2c", "2c+Jc", "5c+8c"])
def test_after_the_win_nothing_is_legal(move: str) -> None:
    assert refusal(table("open", stock="Kc 2c", waste="Jc"), move) == (Reason.ALREADY_WON, "")


def test_a_gone_card_is_not_on_the_table() -> None:
    state = after(table("endless", "2c / Kc 3c"), "Kc")
    assert refusal(state, "Kc") == (Reason.NOT_ON_TABLE, "Kc")


def test_a_face_down_card_is_refused_in_the_same_words_as_a_gone_one() -> None:
    face_down, gone = table("endless", "2c / 6c 3c", stock="7d Kd"), table("endless", "2c / 6c 3c", stock="8d")
    for action in ("7d", "6c+7d", "Kd", "7d+Kd", "7d+8c", "2c+7d"):
        assert refusal(face_down, action) == refusal(gone, action)
        assert refusal(face_down, action)[0] == Reason.NOT_ON_TABLE


def test_two_cards_off_the_table_are_both_named() -> None:
    assert refusal(table("endless", "2c", stock="6c"), "6c+7c") == (Reason.NOT_ON_TABLE, "6c 7c")


def test_a_card_that_is_no_king_does_not_go_alone() -> None:
    assert refusal(table("endless", "2c"), "2c") == (Reason.NOT_THIRTEEN, "2c")


def test_a_card_does_not_pair_with_itself() -> None:
    assert refusal(table("endless", "2c / Kc 6c"), "Kc+Kc") == (Reason.NOT_THIRTEEN, "Kc Kc")


def test_a_covered_pair_that_makes_no_thirteen_is_refused_for_its_sum() -> None:
    assert refusal(table("endless", "6c / 7d 2c"), "6c+2c") == (Reason.NOT_THIRTEEN, "2c 6c")


def test_a_covered_pair_that_makes_thirteen_is_refused_for_its_cover() -> None:
    assert refusal(table("endless", "6c / 7d 2c"), "6c+7d") == (Reason.COVERED, "6c")


def test_legal_moves_come_in_a_fixed_order() -> None:
    state = table("d1rxov", "Kd / 6c Qh / -- 7d Kc / -- -- -- Kh", stock="6d Ts", waste="7h")
    assert moves(state) == "Kh 6d+7d 6d+7h 6c+7d draw"


def test_pairs_are_ordered_by_their_first_card_on_the_table_then_their_second() -> None:
    state = table("three-piles", "Ac / 2c 3c / 7c 6c 7d", waste="6d / 7h / 6h")
    assert moves(state) == "6c+7c 6d+7c 6h+7c 6c+7d 6c+7h 6d+7d 6h+7d 6d+7h 6h+7h"


def test_three_cards_that_add_to_thirteen_are_no_pair() -> None:
    state = table("endless", "Kc / Ad 2d", waste="Td")
    with pytest.raises(IllegalMove) as refused:
        apply(state, Discard((read_card("Ad"), read_card("2d"), read_card("Td"))))
    assert refused.value.reason is Reason.NOT_THIRTEEN


def test_a_pair_may_be_named_in_either_order() -> None:
    state = table("endless", "Kh / 6d 7c")
    six, seven = read_card("6d"), read_card("7c")
    assert apply(state, Discard((seven, six))) == apply(state, Discard((six, seven)))


def test_three_piles_turn_fewer_cards_where_fewer_are_left() -> None:
    state = after(table("three-piles", "Kh", stock="2c 3c"), "draw")
    assert state_text(state).split(" | ")[3] == "2c / 3c / "
