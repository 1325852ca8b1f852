"""Moves and the other actions of a game, and their notation: ``draw``, ``redeal``, ``Kd``, ``6d+7h``."""

from dataclasses import dataclass
from functools import lru_cache

from app.rules.cards import THIRTEEN, Card, Unreadable, card_text, read_card, shown, value


@dataclass(frozen=True, slots=True)
class Draw:
    """Turn the next card or cards of the stock onto the waste."""


@dataclass(frozen=True, slots=True)
class Redeal:
    """Put the waste back under the empty stock."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a king (one card) or a pair (two cards, the one of lower value first); discard() makes one."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back one move; counts as a move."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Take back an undo; counts as a move."""


Move = Draw | Redeal | Discard
Action = Move | Undo | Redo

DRAW, REDEAL, UNDO, REDO = Draw(), Redeal(), Undo(), Redo()

_WORDS: dict[str, Action] = {"draw": DRAW, "redeal": REDEAL, "undo": UNDO, "redo": REDO}
_BY_ACTION = {action: word for word, action in _WORDS.items()}
_CARDS_MOST = 2


@lru_cache(maxsize=4_096)
def discard(*cards: Card) -> Discard:
    """The discard of one or two cards, in canonical order (lower value first, then lower card)."""
    return Discard(tuple(sorted(cards, key=lambda card: (value(card), card))))


def action_text(action: Action) -> str:
    """The notation of an action; read_action reads it back."""
    if isinstance(action, Discard):
        return "+".join(card_text(card) for card in action.cards)
    return _BY_ACTION[action]


@lru_cache(maxsize=4_096)
def read_action(text: str) -> Action:
    """The action that a text names; the two cards of a pair may stand in either order.

    Whether it is legal is not asked here. Raises Unreadable for a text that is no action.
    """
    if text in _WORDS:
        return _WORDS[text]
    pieces = text.split("+")
    if len(pieces) > _CARDS_MOST or len(text) > len("10d+10h"):
        raise Unreadable(
            "“%(text)s” is no action: draw, redeal, undo, redo, a king (Kd) or a pair (6d+7h)", text=shown(text)
        )
    return discard(*(read_card(piece) for piece in pieces))


def read_move(text: str) -> Move:
    """The move that a text names. Raises Unreadable for what is no action, and for undo and redo."""
    action = read_action(text)
    if isinstance(action, Undo | Redo):
        raise Unreadable("%(text)s is no move", text=text)
    return action


def is_king(card: Card) -> bool:
    """Whether a card goes alone."""
    return value(card) == THIRTEEN
