"""The cards on a table, as the templates see them.

Each part recurs from move to move, and render.py keeps its HTML: equal parts look the same. So a part holds no more
than what it shows depends on, and finds its words when it is rendered.
"""

from typing import NamedTuple

from app.rules.board import POSITION, ROW_SLOTS, ROWS, Slot
from app.rules.cards import Card, card_text
from app.rules.moves import DRAW, REDEAL, Move, action_text
from app.rules.state import Pyramid, State, choosable_in, is_won
from app.web import words


class Look(NamedTuple):
    """How a card stands out: it is the first of a pair, goes with the first of a pair, is named by a hint."""

    chosen: bool = False
    goes: bool = False
    hinted: bool = False


_PLAIN = Look()
_ROWS_BELOW = (*ROW_SLOTS[1:], ())


class Marks(NamedTuple):
    """What stands out: the first card of a pair, what goes with it, and what a hint names, which may be the stock."""

    chosen: Card | None = None
    partners: frozenset[Card] = frozenset()
    hinted: frozenset[Card] = frozenset()
    stock: bool = False

    def on(self, card: Card | None) -> Look:
        """How a card looks; no card is plain."""
        if card is None:
            return _PLAIN
        return Look(card == self.chosen, card in self.partners, card in self.hinted)


UNMARKED = Marks()


class CardView(NamedTuple):
    """A card on the table, as a button.

    ``place`` is its slot in the pyramid, or the pile that it lies on: ``waste``, ``waste-1`` of three, ``stock-card``.
    ``covers`` lie on it. ``playable`` cards can go now, alone or in a pair, or at least be chosen for one.
    """

    place: Slot | str
    card: Card
    look: Look
    playable: bool = True
    covers: tuple[Card, ...] = ()

    @property
    def id(self) -> str:
        """The name of the place, not of the card: ``r3c2`` in the pyramid."""
        return self.place if isinstance(self.place, str) else "r{}c{}".format(*POSITION[self.place])

    @property
    def code(self) -> str:
        """The card in notation: ``Tc``."""
        return card_text(self.card)

    @property
    def rank(self) -> str:
        """The rank as printed: ``10``."""
        return words.rank_text(self.card)

    @property
    def name(self) -> str:
        """The card in words, with its place and what covers it."""
        return words.table_card(self.card, words.place_name(self.place), self.covers)


class RowView(NamedTuple):
    """A row of the pyramid: its slots, its cards and those of the row below, None where one is gone.

    ``looks`` and ``playable`` tell of each of its places.
    """

    slots: tuple[Slot, ...]
    row: tuple[Card | None, ...]
    below: tuple[Card | None, ...]
    looks: tuple[Look, ...]
    playable: tuple[bool, ...]

    @property
    def cards(self) -> tuple[CardView | None, ...]:
        """The cards from left to right; None where one is gone."""
        return tuple(None if card is None else self._card(at, card) for at, card in enumerate(self.row))

    def _card(self, at: int, card: Card) -> CardView:
        covers = tuple(over for over in self.below[at : at + 2] if over is not None)
        return CardView(self.slots[at], card, self.looks[at], self.playable[at], covers)


class PyramidView(NamedTuple):
    """The pyramid; under ``overlap`` a card that one other covers can be chosen as well. ``height`` rows are shown."""

    pyramid: Pyramid
    marks: Marks
    overlap: bool
    height: int = ROWS

    @property
    def rows(self) -> tuple[RowView, ...]:
        """Row by row from the top."""
        open_to_choice = choosable_in(self.pyramid, overlap=self.overlap)
        plain = self.marks == UNMARKED
        rows = []
        for slots, under in zip(ROW_SLOTS[: self.height], _ROWS_BELOW, strict=False):
            row = tuple([self.pyramid[slot] for slot in slots])
            looks = (_PLAIN,) * len(row) if plain else tuple(map(self.marks.on, row))
            playable = tuple([card in open_to_choice for card in row])
            rows.append(RowView(slots, row, tuple([self.pyramid[slot] for slot in under]), looks, playable))
        return tuple(rows)


class StockView(NamedTuple):
    """The stock: how many cards, its open card (None when face down or empty), and what a press does.

    ``action`` is ``draw``, ``redeal`` or empty where neither is possible. ``left`` redeals can be made yet.
    ``hinted`` tells that a hint names that press, ``playable`` is the open card's.
    """

    size: int
    top: Card | None
    look: Look
    action: str
    left: int | None
    hinted: bool
    playable: bool

    @property
    def card(self) -> CardView | None:
        """The open card."""
        return None if self.top is None else CardView("stock-card", self.top, self.look, self.playable)

    @property
    def label(self) -> str:
        """What a press does, how many cards and how many redeals are left."""
        return words.stock_label(self.size, self.action, self.left)

    @property
    def redeals(self) -> str:
        """How many redeals are left, in two words."""
        return words.redeals_short(self.left)


class PileView(NamedTuple):
    """A waste pile: its place as in CardView, its top card (None when empty), and how many cards it holds.

    ``playable`` is the top card's.
    """

    place: str
    top: Card | None
    look: Look
    size: int
    playable: bool

    @property
    def card(self) -> CardView | None:
        """The card on top."""
        return None if self.top is None else CardView(self.place, self.top, self.look, self.playable)

    @property
    def label(self) -> str:
        """Its name."""
        return words.capital(words.place_name(self.place))


def stock_view(state: State, moves: tuple[Move, ...], marks: Marks) -> StockView:
    """The view of a position's stock, from which ``moves`` can be made."""
    card = state.open_card
    action = action_text(DRAW) if DRAW in moves else action_text(REDEAL) if REDEAL in moves else ""
    playable = not is_won(state)
    return StockView(len(state.stock), card, marks.on(card), action, state.redeals_left, marks.stock, playable)


def pile_views(state: State, marks: Marks) -> tuple[PileView, ...]:
    """The views of a position's waste piles."""
    playable, numbered = not is_won(state), len(state.waste) > 1
    views = []
    for number, pile in enumerate(state.waste, start=1):
        top = pile[-1] if pile else None
        views.append(PileView(f"waste-{number}" if numbered else "waste", top, marks.on(top), len(pile), playable))
    return tuple(views)
