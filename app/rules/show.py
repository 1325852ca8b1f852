"""A position as a table in plain text, for terminals."""

from app.rules.board import ROW_SLOTS, ROWS
from app.rules.cards import Card, card_text
from app.rules.state import Pile, State

_WIDTH = 4


def table_text(state: State) -> str:
    """The table as a player sees it: the pyramid, the stock (its count, face-down cards unnamed), the waste."""
    rows = [
        (" " * (_WIDTH // 2 * (ROWS - len(row))) + "".join(_slot(state.pyramid[slot]) for slot in row)).rstrip()
        for row in ROW_SLOTS
    ]
    top = f", {card_text(state.open_card)} open" if state.open_card is not None else ""
    left = "unlimited" if state.redeals_left is None else state.redeals_left
    return "\n".join(
        (
            f"rules: {state.rules.slug}",
            "",
            *rows,
            "",
            f"stock: {len(state.stock)}{top}",
            *(f"waste: {_pile(pile)}" for pile in state.waste),
            f"redeals left: {left}",
        )
    )


def _slot(card: Card | None) -> str:
    return ("--" if card is None else card_text(card)).ljust(_WIDTH)


def _pile(pile: Pile) -> str:
    return " ".join(map(card_text, pile)) or "empty"
