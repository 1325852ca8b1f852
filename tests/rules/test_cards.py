import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import PACK, Card, Unreadable, card_text, read_card, shown, value

PRINTABLE = st.characters(exclude_categories=("C", "Z"))


@given(st.sampled_from(PACK))
def test_a_cards_text_reads_back_as_the_card(card: Card) -> None:
    assert read_card(card_text(card)) == card


@given(st.sampled_from(PACK))
def test_case_does_not_matter_in_a_card(card: Card) -> None:
    text = card_text(card)
    assert {read_card(text.lower()), read_card(text.upper()), read_card(text.swapcase())} == {card}


def test_the_pack_is_clubs_diamonds_hearts_spades_from_ace_to_king() -> None:
    expected = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    assert [card_text(card) for card in PACK] == expected


@pytest.mark.parametrize(
    ("rank", "worth"),
    [("A", 1), *((str(number), number) for number in range(2, 10)), ("T", 10), ("J", 11), ("Q", 12), ("K", 13)],
)
def test_a_card_is_worth_its_rank_in_every_suit(rank: str, worth: int) -> None:
    assert {value(read_card(rank + suit)) for suit in "cdhs"} == {worth}


@pytest.mark.parametrize("suit", "cdhsCDHS")
def test_ten_is_written_as_t_or_as_10(suit: str) -> None:
    assert read_card("10" + suit) == read_card("T" + suit) == read_card("t" + suit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "c",
        "10",
        "1c",
        "0c",
        "11c",
        "Ax",
        "cA",
        "Acc",
        "AAc",
        " Ac",
        "Ac ",
        "c10",
        "A10c",
        "1010c",
        "10Tc",
        "--",
        "Aſ",
        "\u212ad",
    ],
)
def test_what_is_no_card_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="is not a card; cards look like 6d, Th or As"):
        read_card(text)


def test_an_unreadable_card_is_named_in_the_message() -> None:
    with pytest.raises(Unreadable, match="“6x” is not a card"):
        read_card("6x")


@given(st.text(PRINTABLE, max_size=24))
def test_a_short_printable_text_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text


@given(st.text())
def test_what_is_shown_is_printable_and_short(text: str) -> None:
    assert shown(text).isprintable()
    assert len(shown(text)) <= 25


@given(st.text(PRINTABLE, min_size=11))
def test_a_long_text_is_shown_cut_with_an_ellipsis(text: str) -> None:
    assert shown(text, 10) == text[:10] + "…"


def test_each_unprintable_character_is_shown_as_a_replacement() -> None:
    assert shown("a\nb\x00\u202e\ud800c") == "a�b���c"
