import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import PACK, Card, Unreadable, card_text, value
from app.rules.moves import DRAW, REDEAL, REDO, UNDO, Action, Discard, action_text, discard, is_king, read_action

CARDS = st.sampled_from(PACK)
ACTIONS = st.one_of(
    st.sampled_from([DRAW, REDEAL, UNDO, REDO]), st.builds(discard, CARDS), st.builds(discard, CARDS, CARDS)
)


@given(ACTIONS)
def test_an_actions_text_reads_back_as_the_action(action: Action) -> None:
    assert read_action(action_text(action)) == action


@given(CARDS, CARDS)
def test_the_cards_of_a_pair_may_be_written_in_either_order(one: Card, other: Card) -> None:
    texts = (card_text(one), card_text(other))
    assert read_action("+".join(texts)) == read_action("+".join(reversed(texts)))


@given(CARDS, CARDS)
def test_a_pair_has_the_lower_value_first_then_the_lower_card(one: Card, other: Card) -> None:
    low, high = discard(one, other).cards
    assert (value(low), low) <= (value(high), high)
    assert sorted((low, high)) == sorted((one, other))


@pytest.mark.parametrize(("text", "action"), [("draw", DRAW), ("redeal", REDEAL), ("undo", UNDO), ("redo", REDO)])
def test_what_is_no_discard_is_written_as_a_word(text: str, action: Action) -> None:
    assert action_text(action) == text
    assert read_action(text) == action


def test_a_king_is_written_as_its_card_and_a_pair_with_a_plus() -> None:
    king, ace, queen = PACK[12 + 13], PACK[26], PACK[11]
    assert read_action("Kd") == Discard((king,))
    assert read_action("Qc+Ah") == Discard((ace, queen))
    assert action_text(discard(queen, ace)) == "Ah+Qc"


def test_cards_in_an_action_are_read_in_any_case_and_with_10_for_t() -> None:
    assert read_action("10D+10h") == read_action("td+TH") == read_action("Th+Td")


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "Kd+", "+Kd", "Kd++Kc", "Ac+2c+Tc", "6d 7h", "6d+7h ", "6d-7h", "6d7h", "6d+7x"),
        *("Draw", "DRAW", "draw ", "redeal+Kd", "undo undo", "pass", "new", "010d+10h", "6d+7h+"),
    ],
)
def test_what_is_no_action_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_action(text)


@pytest.mark.parametrize("text", ["Ac+2c+Tc", "a+b+c", "6d+7hhhh", "6 of diamonds"])
def test_a_text_of_another_form_is_told_what_an_action_looks_like(text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read_action(text)
    form = "draw, redeal, undo, redo, a king (Kd) or a pair (6d+7h)"
    assert str(raised.value) == f"“{text}” is no action: {form}"


def test_only_the_four_kings_are_kings() -> None:
    assert [card_text(card) for card in PACK if is_king(card)] == ["Kc", "Kd", "Kh", "Ks"]
