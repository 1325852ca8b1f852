"""A position: what lies on the table, what may be done there, and what comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from app.rules.board import COVERS, ROW_SLOTS, SLOTS, Slot
from app.rules.cards import THIRTEEN, Card, Unreadable, card_text, read_card, shown, value
from app.rules.deal import Deck
from app.rules.hashed import Hashed
from app.rules.moves import DRAW, REDEAL, Discard, Draw, Move, Redeal, discard, is_king
from app.rules.ruleset import RuleSet, read_rules

Pyramid = tuple[Card | None, ...]
Pile = tuple[Card, ...]

_EMPTY_SLOT = "--"
_UNLIMITED = "x"
_FIELDS = 5
_PAIR = 2


class Outcome(StrEnum):
    """How a position stands: STUCK is without a legal move; neither it nor PLAYING says it can be won."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"


class Reason(StrEnum):
    """Why an action is refused."""

    ALREADY_WON = "already-won"
    STOCK_EMPTY = "stock-empty"
    STOCK_NOT_EMPTY = "stock-not-empty"
    NO_REDEAL_LEFT = "no-redeal-left"
    WASTE_EMPTY = "waste-empty"
    NOT_ON_TABLE = "not-on-table"
    COVERED = "covered"
    NOT_THIRTEEN = "not-thirteen"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REDO = "nothing-to-redo"
    TOO_LONG = "too-long"


class IllegalMove(ValueError):  # noqa: N818 - named as the rules name it.
    """An action that the rules refuse; ``reason`` says why, ``cards`` which cards are at fault."""

    def __init__(self, reason: Reason, cards: tuple[Card, ...] = ()) -> None:
        self.reason = reason
        self.cards = cards
        super().__init__(" ".join((reason, *map(card_text, cards))))


@dataclass(frozen=True, slots=True)
class State(Hashed):
    """A position of a rule set; equal positions are equal objects.

    ``pyramid`` 28 slots, top first, row by row, None where the card is gone; ``stock`` next card
    first; ``waste`` one or three piles, bottom first; ``redeals_left`` 0..9 or None for unlimited.
    """

    rules: RuleSet
    pyramid: Pyramid
    stock: Pile
    waste: tuple[Pile, ...]
    redeals_left: int | None

    __hash__ = Hashed.__hash__

    @property
    def foundation(self) -> int:
        """How many cards are out of play, 0..52."""
        in_pyramid = len(SLOTS) - self.pyramid.count(None)
        return 52 - in_pyramid - len(self.stock) - sum(map(len, self.waste))

    @property
    def open_card(self) -> Card | None:
        """The stock's top card where it lies face up, else None."""
        return self.stock[0] if self.rules.open and self.stock else None


def start(rules: RuleSet, deck: Deck) -> State:
    """The position in which a deal begins."""
    return State(rules, deck[: len(SLOTS)], deck[len(SLOTS) :], ((),) * rules.piles, rules.redeals)


def uncovered(pyramid: Pyramid, slot: Slot) -> bool:
    """Whether no card lies on a slot (the slot itself may be empty)."""
    covers = COVERS[slot]
    return not covers or (pyramid[covers[0]] is None and pyramid[covers[1]] is None)


def exposed(state: State) -> Pile:
    """The exposed cards: pyramid row by row from the top, the waste tops pile 1 first, an open stock's top."""
    tops = tuple(pile[-1] for pile in state.waste if pile)
    cards = (*_exposed_in(state.pyramid), *tops)
    return cards if state.open_card is None else (*cards, state.open_card)


def choosable(state: State) -> frozenset[Card]:
    """The cards that can be part of a discard by where they lie: exposed, or under overlap with one cover left."""
    return choosable_in(state.pyramid, overlap=state.rules.overlap).union(exposed(state))


def choosable_in(pyramid: Pyramid, *, overlap: bool) -> frozenset[Card]:
    """The choosable cards of a pyramid; the tops of waste and open stock always are."""
    under = (card for slot in SLOTS if (card := pyramid[slot]) is not None and _only_cover(pyramid, slot) is not None)
    return frozenset((*_exposed_in(pyramid), *(under if overlap else ())))


def check_choosable(state: State, card: Card) -> None:
    """Raise IllegalMove, with the reason, for a card that is not choosable."""
    if not lies_open(state, card):
        raise IllegalMove(Reason.NOT_ON_TABLE, (card,))
    if card not in choosable(state):
        raise IllegalMove(Reason.COVERED, (card,))


def lies_open(state: State, card: Card) -> bool:
    """Whether the player sees a card on the table, covered or not."""
    return card in state.pyramid or any(card in pile for pile in state.waste) or card == state.open_card


def outcome(state: State) -> Outcome:
    """How the position stands."""
    if is_won(state):
        return Outcome.WON
    return Outcome.PLAYING if legal_moves(state) else Outcome.STUCK


def is_won(state: State) -> bool:
    """Whether the goal's cards are gone."""
    pyramid_gone = state.pyramid.count(None) == len(SLOTS)
    return pyramid_gone and (state.rules.goal == "pyramid" or not (state.stock or any(state.waste)))


@lru_cache(maxsize=4_096)
def legal_moves(state: State) -> tuple[Move, ...]:
    """Every legal move, in a fixed order; none once the game is won.

    Kings, then pairs, both in the order of exposed() (a pair by its first card, then its second), then
    pairs of a card with the one card that still covers it, by the covered slot; then draw, then redeal.
    """
    if is_won(state):
        return ()
    cards = exposed(state)
    moves: list[Move] = [discard(card) for card in cards if is_king(card)]
    moves += [
        discard(card, other)
        for place, card in enumerate(cards)
        for other in cards[place + 1 :]
        if value(card) + value(other) == THIRTEEN
    ]
    if state.rules.overlap:
        moves += _overlap_pairs(state.pyramid)
    if state.stock:
        moves.append(DRAW)
    elif state.redeals_left != 0 and any(state.waste):
        moves.append(REDEAL)
    return tuple(moves)


def apply(state: State, move: Move) -> State:
    """The position after a move; the two cards of a pair may stand in either order.

    Raises IllegalMove, with the reason, for any move not in legal_moves.
    """
    if is_won(state):
        raise IllegalMove(Reason.ALREADY_WON)
    match move:
        case Draw():
            return _drawn(state)
        case Redeal():
            return _redealt(state)
        case Discard():
            cards = discard(*move.cards).cards
            _check_discard(state, cards)
            return _without(state, cards)


def state_text(state: State) -> str:
    """A position on one line; read_state reads it back.

    Five fields between `` | ``: rule set; pyramid, rows between ``/``, ``--`` for an empty slot; stock,
    next card first; waste, bottom first, piles between ``/``; redeals left, ``x`` for unlimited.
    """
    rows = (" ".join(_slot_text(state.pyramid[slot]) for slot in row) for row in ROW_SLOTS)
    piles = (" ".join(map(card_text, pile)) for pile in state.waste)
    left = _UNLIMITED if state.redeals_left is None else str(state.redeals_left)
    return " | ".join(
        (state.rules.slug, " / ".join(rows), " ".join(map(card_text, state.stock)), " / ".join(piles), left)
    )


def read_state(text: str) -> State:
    """The position that a line of state_text names.

    Raises Unreadable for a line in another form or in which a card lies twice; whether the position
    can be reached in play is not asked.
    """
    fields = [field.strip() for field in text.split("|")]
    if len(fields) != _FIELDS:
        raise Unreadable("a position has five fields between bars: rules | pyramid | stock | waste | redeals left")
    rules = read_rules(fields[0])
    pyramid = tuple(None if word == _EMPTY_SLOT else read_card(word) for word in fields[1].replace("/", " ").split())
    stock, *waste = (tuple(map(read_card, pile.split())) for pile in (fields[2], *fields[3].split("/")))
    cards = [card for card in (*pyramid, *stock, *sum(waste, ())) if card is not None]
    if len(pyramid) != len(SLOTS) or len(waste) != rules.piles or len(set(cards)) != len(cards):
        raise Unreadable("a position has 28 slots, the rule set's waste piles, and no card twice")
    return State(rules, pyramid, stock, tuple(waste), _read_redeals(fields[4], rules))


@lru_cache(maxsize=4_096)
def _exposed_in(pyramid: Pyramid) -> Pile:
    return tuple(card for slot in SLOTS if (card := pyramid[slot]) is not None and uncovered(pyramid, slot))


def _overlap_pairs(pyramid: Pyramid) -> Iterator[Move]:
    for slot in SLOTS:
        cover = _only_cover(pyramid, slot)
        card = pyramid[slot]
        if card is not None and cover is not None and value(card) + value(cover) == THIRTEEN:
            yield discard(card, cover)


def _only_cover(pyramid: Pyramid, slot: Slot) -> Card | None:
    """The one card that still covers a slot, if it is exposed itself; else None."""
    lying = [cover for cover in COVERS[slot] if pyramid[cover] is not None]
    return pyramid[lying[0]] if len(lying) == 1 and uncovered(pyramid, lying[0]) else None


def _drawn(state: State) -> State:
    if not state.stock:
        raise IllegalMove(Reason.STOCK_EMPTY)
    turned, stock = state.stock[: state.rules.draw], state.stock[state.rules.draw :]
    if state.rules.piles == 1:
        waste: tuple[Pile, ...] = (state.waste[0] + turned,)
    else:
        waste = tuple(pile + turned[number : number + 1] for number, pile in enumerate(state.waste))
    return State(state.rules, state.pyramid, stock, waste, state.redeals_left)


def _redealt(state: State) -> State:
    if state.stock:
        raise IllegalMove(Reason.STOCK_NOT_EMPTY)
    if state.redeals_left == 0:
        raise IllegalMove(Reason.NO_REDEAL_LEFT)
    if not any(state.waste):
        raise IllegalMove(Reason.WASTE_EMPTY)
    left = None if state.redeals_left is None else state.redeals_left - 1
    return State(state.rules, state.pyramid, state.waste[0], ((),), left)


def _check_discard(state: State, cards: tuple[Card, ...]) -> None:
    """Raise IllegalMove unless the cards may go together now; what is not seen is not on the table."""
    missing = tuple(card for card in cards if not lies_open(state, card))
    if missing:
        raise IllegalMove(Reason.NOT_ON_TABLE, missing)
    if len(cards) not in {1, _PAIR} or sum(map(value, cards)) != THIRTEEN:
        raise IllegalMove(Reason.NOT_THIRTEEN, cards)
    now = exposed(state)
    covered = tuple(card for card in cards if card not in now)
    if covered and not (
        state.rules.overlap and len(cards) == _PAIR and discard(*cards) in _overlap_pairs(state.pyramid)
    ):
        raise IllegalMove(Reason.COVERED, covered)


def _without(state: State, cards: tuple[Card, ...]) -> State:
    pyramid = tuple(None if card in cards else card for card in state.pyramid)
    stock = state.stock[1:] if state.open_card in cards else state.stock
    waste = tuple(pile[:-1] if pile and pile[-1] in cards else pile for pile in state.waste)
    return State(state.rules, pyramid, stock, waste, state.redeals_left)


def _slot_text(card: Card | None) -> str:
    return _EMPTY_SLOT if card is None else card_text(card)


def _read_redeals(text: str, rules: RuleSet) -> int | None:
    if rules.redeals is None and text == _UNLIMITED:
        return None
    if rules.redeals is None or text not in map(str, range(rules.redeals + 1)):
        raise Unreadable("“%(text)s” is no number of redeals left under %(rules)s", text=shown(text), rules=rules.slug)
    return int(text)
