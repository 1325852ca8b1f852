"""A deal: the order of the 52 cards, made from a seed or given as a deck."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import NewType

from app.rules.cards import PACK, Card, Unreadable, card_text, read_card, shown

Deck = tuple[Card, ...]
"""52 different cards: 1-28 fill the pyramid row by row, 29-52 are the stock, 29 is turned first."""

Seed = NewType("Seed", str)
"""1-64 characters from ``A-Z a-z 0-9 - _ .``; upper and lower case are different seeds."""

_SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SEPARATORS = re.compile(r"[\s,;|/]+")
_CARD_AT = re.compile(r"(?:10|[2-9TJQKA])[CDHS]", re.IGNORECASE | re.ASCII)
_DECK_TEXT_MOST = 5_000
_DECK_CODE_LENGTH = 104
_NAMED_AT_MOST = 5


class BadDeck(Unreadable):
    """A text that is not 52 different cards; says which are unreadable, double or missing.

    ``unreadable`` holds the pieces of text that are no card (as found, at most 5), ``double`` and
    ``missing`` the cards, in the order of PACK.
    """

    def __init__(self, *, unreadable: tuple[str, ...], double: Deck, missing: Deck) -> None:
        self.unreadable = unreadable
        self.double = double
        self.missing = missing
        super().__init__("%(faults)s.", faults=reduce(_both, self._faults()))

    def _faults(self) -> Iterator[Unreadable]:
        if self.unreadable:
            yield Unreadable("unreadable: %(pieces)s", pieces=", ".join(f"“{piece}”" for piece in self.unreadable))
        if self.double:
            yield _double(_named(self.double), len(self.double) - _NAMED_AT_MOST)
        if self.missing:
            yield _missing(_named(self.missing), len(self.missing) - _NAMED_AT_MOST)


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a game: the deck, and the seed that it was made from (None for a deck that was given)."""

    deck: Deck
    seed: Seed | None = None

    @property
    def code(self) -> str:
        """What links carry: the seed, else the whole deck without spaces (104 characters)."""
        return self.seed if self.seed is not None else deck_text(self.deck, between="")


@lru_cache(maxsize=1_024)
def read_deal(code: str) -> Deal:
    """The deal that a code names: 104 characters are a deck, anything else is a seed.

    Raises Unreadable (BadDeck for a deck).
    """
    if len(code) == _DECK_CODE_LENGTH:
        return Deal(read_deck(code))
    return seeded(read_seed(code))


def asked_deal(seed: str | None, deck: str | None) -> Deal | None:
    """The deal that somebody asks for by a seed or by a deck; None where he gives neither.

    Raises Unreadable (BadDeck for a deck), also where he gives both.
    """
    if seed is not None and deck is not None:
        raise Unreadable("give a seed or a deck, not both")
    if deck is not None:
        return Deal(read_deck(deck))
    return seeded(read_seed(seed)) if seed is not None else None


def seeded(seed: Seed) -> Deal:
    """The deal of a seed."""
    return Deal(shuffled(seed), seed)


def read_seed(text: str) -> Seed:
    """The seed that a text is. Raises Unreadable unless it is 1-64 of the allowed characters."""
    if not _SEED.fullmatch(text):
        raise Unreadable("a seed is 1 to 64 characters from A–Z a–z 0–9 - _ .")
    return Seed(text)


def shuffled(seed: Seed) -> Deck:
    """The deck of a seed: the same cards in any version, on any machine, for ever.

    Fisher-Yates over PACK from the last card down, each index taken without bias from the bytes of
    SHA-256; the README tells the same in pseudocode, tests/golden/shuffle.txt pins it.
    """
    deck = list(PACK)
    source = _stream(seed)
    for last in range(51, 0, -1):
        other = _below(last + 1, source)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def read_deck(text: str) -> Deck:
    """The deck that a text lists, first card first, in any spacing (none at all included).

    Commas, semicolons, bars and slashes count as spacing. Raises BadDeck, which names every fault,
    or Unreadable for a text of more than 5,000 characters.
    """
    if len(text) > _DECK_TEXT_MOST:
        raise Unreadable("a deck is 52 cards; this text has %(count)s characters", count=len(text))
    cards, unreadable = _pieces(text)
    counts = Counter(cards)
    double = tuple(card for card in PACK if counts[card] > 1)
    missing = tuple(card for card in PACK if not counts[card])
    if unreadable or double or missing:
        raise BadDeck(unreadable=tuple(unreadable[:_NAMED_AT_MOST]), double=double, missing=missing)
    return tuple(cards)


def deck_text(deck: Deck, between: str = " ") -> str:
    """The cards of a deck in order, with ``between`` between them; read_deck reads it back."""
    return between.join(card_text(card) for card in deck)


def _stream(seed: Seed) -> Iterator[int]:
    """The bytes 0..255 of SHA-256 over ``pyramid13:SEED:0``, then ``…:1``, and so on without end."""
    block = 0
    while True:
        yield from hashlib.sha256(f"pyramid13:{seed}:{block}".encode("ascii")).digest()
        block += 1


def _below(bound: int, source: Iterator[int]) -> int:
    """A number 0..bound-1, every one equally likely: bytes past the last whole multiple are left out."""
    usable = 256 - 256 % bound
    return next(byte for byte in source if byte < usable) % bound


def _pieces(text: str) -> tuple[list[Card], list[str]]:
    """The cards in a text, in order, and the pieces between them that are no card."""
    cards: list[Card] = []
    unreadable: list[str] = []
    for word in _SEPARATORS.split(text):
        rest = 0
        for found in _CARD_AT.finditer(word):
            if found.start() > rest:
                unreadable.append(shown(word[rest : found.start()]))
            cards.append(read_card(found.group()))
            rest = found.end()
        if word[rest:]:
            unreadable.append(shown(word[rest:]))
    return cards, unreadable


def _named(cards: Deck) -> str:
    return ", ".join(map(card_text, cards[:_NAMED_AT_MOST]))


def _double(cards: str, more: int) -> Unreadable:
    if more > 0:
        return Unreadable("double: %(cards)s and %(more)s more", cards=cards, more=more)
    return Unreadable("double: %(cards)s", cards=cards)


def _missing(cards: str, more: int) -> Unreadable:
    if more > 0:
        return Unreadable("missing: %(cards)s and %(more)s more", cards=cards, more=more)
    return Unreadable("missing: %(cards)s", cards=cards)


def _both(faults: Unreadable, fault: Unreadable) -> Unreadable:
    return Unreadable("%(faults)s; %(fault)s", faults=faults, fault=fault)
