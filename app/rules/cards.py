"""Cards and their notation: rank then suit, as in ``6d``, ``Th``, ``As``."""

from typing import NewType

from app.rules.told import Told

Card = NewType("Card", int)
"""A card as a number 0..51: ``13 * suit + rank``, suits in the order of SUITS, ranks in that of RANKS."""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
THIRTEEN = 13

PACK: tuple[Card, ...] = tuple(Card(number) for number in range(52))
"""The 52 cards in order: clubs ace to king, then diamonds, hearts, spades."""

_TEXTS = tuple(RANKS[card % 13] + SUITS[card // 13] for card in PACK)
_BY_TEXT = {
    rank + suit: card
    for card, text in zip(PACK, _TEXTS, strict=True)
    for rank in ({text[0], text[0].lower()} | ({"10"} if text[0] == "T" else set()))
    for suit in (text[1], text[1].upper())
}


class Unreadable(Told, ValueError):  # noqa: N818 - named as the player meets it: the text is unreadable.
    """A text that is not in the notation it should be in, and what is wrong with it."""


def value(card: Card) -> int:
    """The worth of a card, 1..13: ace 1, 2-10 as printed, jack 11, queen 12, king 13."""
    return card % 13 + 1


def card_text(card: Card) -> str:
    """The two characters of a card, rank in upper case, suit in lower case: ``Th``."""
    return _TEXTS[card]


def read_card(text: str) -> Card:
    """The card that a text names; case does not matter and ten is ``T`` or ``10``.

    Raises Unreadable for anything else.
    """
    card = _BY_TEXT.get(text)
    if card is None:
        raise Unreadable("“%(text)s” is not a card; cards look like 6d, Th or As", text=shown(text))
    return card


def shown(text: str, most: int = 24) -> str:
    """A foreign text made fit for a message: printable characters only, at most ``most`` of them."""
    clean = "".join(character if character.isprintable() else "�" for character in text[: most + 1])
    return clean if len(clean) <= most else clean[:most] + "…"
