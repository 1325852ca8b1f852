"""The cards on a table, as the templates see them.

Each part recurs from move to move, so it is made once for what it shows and kept: the same part is the same object, and
render.py keeps its HTML by that.
"""

from dataclasses import dataclass

from app.rules.board import COVERS, POSITION, ROW_SLOTS, Slot
from app.rules.cards import Card, card_text
from app.rules.moves import DRAW, REDEAL, Move, action_text
from app.rules.state import Pile, Pyramid, State, choosable_in
from app.web import words
from app.web.language import kept

_Look = tuple[bool, bool, bool]
"""Whether a card is chosen, goes with the one that is, is named by a hint."""

_PLAIN: _Look = (False, False, False)


@dataclass(frozen=True, slots=True, eq=False)
class CardView:
    """A card on the table, as a button.

    ``id`` names the place, not the card: ``r3c2``, ``waste`` or ``waste-1``, ``stock-card``. ``code`` is ``7c``,
    ``rank`` ``7`` or ``10``. ``playable`` cards can go now, alone or in a pair, or at least be chosen for one; the
    others are covered. ``chosen`` is the first card of a pair, ``goes`` marks its possible partners, ``hinted`` what
    a hint names.
    """

    id: str
    code: str
    rank: str
    name: str
    playable: bool
    chosen: bool = False
    goes: bool = False
    hinted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PyramidView:
    """The pyramid, row by row from the top; None where a card is gone."""

    rows: tuple[tuple[CardView | None, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class StockView:
    """The stock: how many cards, its open card (None when face down or empty), and what a press does.

    ``action`` is ``draw``, ``redeal`` or empty where neither is possible. ``redeals`` says how many redeals
    are left, in words.
    """

    count: int
    card: CardView | None
    action: str
    label: str
    redeals: str


@dataclass(frozen=True, slots=True, eq=False)
class PileView:
    """A waste pile: its top card (None when empty), how many cards it holds, and its name."""

    card: CardView | None
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class Marks:
    """The cards that stand out: the first of a pair, what goes with it, and what a hint names."""

    chosen: Card | None = None
    partners: frozenset[Card] = frozenset()
    hinted: frozenset[Card] = frozenset()

    def on(self, card: Card | None) -> _Look:
        """How a card looks; no card is plain."""
        if card is None:
            return _PLAIN
        return card == self.chosen, card in self.partners, card in self.hinted


UNMARKED = Marks()


@kept(1_024)
def pyramid_view(pyramid: Pyramid, marks: Marks, *, overlap: bool) -> PyramidView:
    """The view of a pyramid."""
    open_to_choice = choosable_in(pyramid, overlap=overlap)

    def slot_view(slot: Slot) -> CardView | None:
        card = pyramid[slot]
        if card is None:
            return None
        covers = tuple(over for cover in COVERS[slot] if (over := pyramid[cover]) is not None)
        look = (card in open_to_choice, *marks.on(card))
        return _slot_view(card, slot, covers, look)

    return PyramidView(tuple(tuple(map(slot_view, row)) for row in ROW_SLOTS))


def stock_view(state: State, moves: tuple[Move, ...], marks: Marks) -> StockView:
    """The view of a position's stock, from which ``moves`` can be made."""
    card = state.open_card
    action = action_text(DRAW) if DRAW in moves else action_text(REDEAL) if REDEAL in moves else ""
    return _stock_view(len(state.stock), card, marks.on(card), action, state.redeals_left)


def pile_view(waste: tuple[Pile, ...], number: int, marks: Marks) -> PileView:
    """The view of one of the waste piles, the first is number 0."""
    pile = waste[number]
    top = pile[-1] if pile else None
    return _pile_view(top, marks.on(top), len(pile), number + 1 if len(waste) > 1 else None)


@kept(2_048)
def _stock_view(count: int, card: Card | None, look: _Look, action: str, left: int | None) -> StockView:
    top = _top_view(card, "stock-card", words.stock_name(), look) if card is not None else None
    return StockView(count, top, action, words.stock_label(count, action, left), words.redeals_short(left))


@kept(8_192)
def _pile_view(card: Card | None, look: _Look, count: int, number: int | None) -> PileView:
    place, name = "waste" if number is None else f"waste-{number}", words.waste_name(number)
    top = _top_view(card, place, name, look) if card is not None else None
    return PileView(top, count, words.capital(name))


@kept(32_768)
def _slot_view(card: Card, slot: Slot, covers: tuple[Card, ...], look: tuple[bool, bool, bool, bool]) -> CardView:
    row, place = POSITION[slot]
    return _card_view(card, f"r{row}c{place}", words.table_card(card, words.place_name(slot), covers), look)


@kept(2_048)
def _top_view(card: Card, place: str, where: str, look: _Look) -> CardView:
    """The card on a pile, which can always be chosen."""
    return _card_view(card, place, words.table_card(card, where, ()), (True, *look))


def _card_view(card: Card, place: str, name: str, look: tuple[bool, bool, bool, bool]) -> CardView:
    playable, chosen, goes, hinted = look
    return CardView(
        id=place,
        code=card_text(card),
        rank=words.rank_text(card),
        name=name,
        playable=playable,
        chosen=chosen,
        goes=goes,
        hinted=hinted,
    )
