import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.cards import PACK, Card, Unreadable, card_text
from app.rules.deal import BadDeck, Deck, Seed, deck_text, read_deck, read_seed, shuffled
from tests.golden import make
from tests.playthroughs import golden_fields
from tests.strategies import SEED_CHARACTERS, decks, seeds

PACK_TEXT = deck_text(PACK)
DISTINCT = st.lists(st.sampled_from(PACK), min_size=1, max_size=30, unique=True)


def faults(text: str) -> BadDeck:
    with pytest.raises(BadDeck) as raised:
        read_deck(text)
    return raised.value


@given(decks(), st.sampled_from(["", " ", ", ", ",", ";", " | ", "/", "\n", "\r\n", "\t", "  \n "]))
def test_a_decks_text_reads_back_in_any_spacing(deck: Deck, between: str) -> None:
    assert read_deck(deck_text(deck, between)) == deck
    assert read_deck(between + deck_text(deck, between) + between) == deck


@given(decks(), st.sampled_from(["", " "]))
def test_a_deck_reads_in_any_case_and_with_10_for_t(deck: Deck, between: str) -> None:
    text = deck_text(deck, between)
    for spelled in (text.lower(), text.upper(), text.replace("T", "10"), text.upper().replace("T", "10")):
        assert read_deck(spelled) == deck


def test_a_deck_reads_row_by_row_on_lines_of_its_own() -> None:
    rows = [PACK[:1], PACK[1:3], PACK[3:6], PACK[6:10], PACK[10:15], PACK[15:21], PACK[21:28], PACK[28:]]
    assert read_deck("\n".join(map(deck_text, rows))) == PACK


def test_a_decks_text_is_its_cards_in_order_with_spaces_between() -> None:
    assert PACK_TEXT.startswith("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ad 2d ")
    assert deck_text(PACK, "").endswith("JsQsKs")


@given(decks(), DISTINCT)
def test_missing_cards_are_named_in_the_order_of_the_pack(deck: Deck, gone: list[Card]) -> None:
    bad = faults(deck_text(tuple(card for card in deck if card not in gone)))
    assert (bad.unreadable, bad.double, bad.missing) == ((), (), tuple(sorted(gone)))


@given(decks(), DISTINCT)
def test_double_cards_are_named_in_the_order_of_the_pack(deck: Deck, more: list[Card]) -> None:
    bad = faults(deck_text((*deck, *more, more[0])))
    assert (bad.unreadable, bad.double, bad.missing) == ((), tuple(sorted(more)), ())


@given(decks(), st.sampled_from(PACK), st.sampled_from(PACK))
def test_a_card_in_anothers_place_is_one_double_and_one_missing(deck: Deck, out: Card, other: Card) -> None:
    replaced = tuple(other if card == out else card for card in deck)
    if out == other:
        assert read_deck(deck_text(replaced)) == deck
    else:
        bad = faults(deck_text(replaced))
        assert (bad.unreadable, bad.double, bad.missing) == ((), (other,), (out,))


@given(decks(), st.integers(0, 51), st.sampled_from(["1c", "Xy", "10", "♠", "c", "?", "z" * 24]))
def test_an_unreadable_piece_is_named_as_it_was_found(deck: Deck, at: int, piece: str) -> None:
    words = [card_text(card) for card in deck]
    words[at] = piece
    bad = faults(" ".join(words))
    assert (bad.unreadable, bad.double, bad.missing) == ((piece,), (), (deck[at],))


def test_what_stands_between_and_behind_cards_without_spacing_is_unreadable() -> None:
    assert faults(f"??Ac!2cX {PACK_TEXT}").unreadable == ("??", "!", "X")
    assert faults(PACK_TEXT.replace("Tc", "1Oc")).unreadable == ("1Oc",)
    assert faults(PACK_TEXT.replace("As", "Aſ")).unreadable == ("Aſ",)


def test_at_most_five_unreadable_pieces_are_named() -> None:
    assert faults("u v w x y z").unreadable == ("u", "v", "w", "x", "y")


def test_an_unreadable_piece_is_shown_short_and_printable() -> None:
    assert faults("\x00" + "x" * 100).unreadable == ("�" + "x" * 23 + "…",)


def test_the_message_tells_every_fault() -> None:
    text = PACK_TEXT.replace("6d", "6x").replace("Th", "As")
    assert str(faults(text)) == "unreadable: “6x”; double: As; missing: 6d, Th."


def test_the_message_counts_what_it_does_not_name() -> None:
    assert str(faults("")) == "missing: Ac, 2c, 3c, 4c, 5c and 47 more."
    assert str(faults(" ".join(PACK_TEXT.split()[6:]))) == "missing: Ac, 2c, 3c, 4c, 5c and 1 more."
    assert str(faults(" ".join(PACK_TEXT.split()[5:]))) == "missing: Ac, 2c, 3c, 4c, 5c."


def test_a_text_of_more_than_5000_characters_is_no_deck() -> None:
    assert read_deck(PACK_TEXT.ljust(5_000)) == PACK
    with pytest.raises(Unreadable, match="a deck is 52 cards; this text has 5001 characters"):
        read_deck(PACK_TEXT.ljust(5_001))


@given(seeds())
def test_a_seed_reads_as_itself(seed: Seed) -> None:
    assert read_seed(seed) == seed


@pytest.mark.parametrize("text", ["", "a" * 65, "a b", " a", "a\n", "ä", "a/b", "a:0", "a|b", "a+b", "٣", "🂡", "a\x00"])
def test_what_is_no_seed_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match=r"a seed is 1 to 64 characters from A–Z a–z 0–9 - _ \."):
        read_seed(text)


@given(st.characters())
def test_a_seed_has_only_the_allowed_characters(character: str) -> None:
    if character in SEED_CHARACTERS:
        assert read_seed(character) == character
    else:
        with pytest.raises(Unreadable):
            read_seed(f"a{character}")


@given(seeds())
def test_a_seeds_deck_is_all_52_cards_and_the_same_again(seed: Seed) -> None:
    deck = shuffled(seed)
    assert sorted(deck) == list(PACK)
    assert shuffled(Seed(str(seed))) == deck


@given(seeds())
def test_a_seeds_deck_is_what_the_described_shuffle_gives(seed: Seed) -> None:
    assert deck_text(shuffled(seed)) == " ".join(make.shuffled(seed))


@pytest.mark.parametrize(("seed", "deck"), golden_fields("shuffle"))
def test_a_seeds_deck_never_changes(seed: str, deck: str) -> None:
    assert deck_text(shuffled(read_seed(seed))) == deck


def test_golden_seeds_include_the_edges_of_what_a_seed_may_be() -> None:
    golden = {seed for seed, _ in golden_fields("shuffle")}
    assert {".", "-", "_", "a", "A", "pyramid", "PYRAMID", "Z" * 64} <= golden
    assert len({deck for _, deck in golden_fields("shuffle")}) == len(golden) >= 12


@given(seeds())
def test_upper_and_lower_case_are_different_deals(seed: Seed) -> None:
    swapped = Seed(seed.swapcase())
    assert (shuffled(swapped) == shuffled(seed)) == (not re.search("[A-Za-z]", seed))
