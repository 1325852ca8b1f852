"""The words for what an action did, as a player reads and hears them."""

from app.rules.game import Game
from app.rules.moves import Action, Discard, Draw, Move, Redeal, Redo, Undo
from app.rules.state import State, exposed
from app.web.language import gettext as _
from app.web.language import ngettext
from app.web.words import card_name, listed, sentence


def did(action: Action, game: Game) -> str:
    """What an action did, the last one of a game."""
    match action:
        case Undo():
            return undone(game.line[game.at])
        case Redo():
            return again(game.line[game.at - 1], game.states[game.at - 1], game.state)
        case move:
            return happened(move, game.states[game.at - 1], game.state)


def happened(move: Move, before: State, after: State) -> str:
    """What a move did: what it removed, what it uncovered, what it turned."""
    match move:
        case Discard():
            gone = ngettext("%(cards)s removed.", "%(cards)s removed.", len(move.cards), cards=listed(move.cards))
            parts = sentence(gone), _uncovered(before, after)
        case Draw():
            turned = _("Turned %(cards)s.", cards=listed(before.stock[: before.rules.draw]))
            parts = sentence(turned), _in_stock(after)
        case Redeal():
            parts = _("Waste turned back."), _in_stock(after)
    return " ".join(filter(None, parts))


def undone(move: Move) -> str:
    """That a move was taken back, and which."""
    return _("Undone: %(move)s.", move=move_name(move))


def all_undone(count: int) -> str:
    """That so many moves were taken back at once."""
    return ngettext("%(count)s move undone.", "%(count)s moves undone.", count)


def again(move: Move, before: State, after: State) -> str:
    """That a move was done again, and what it did."""
    return _("Done again. %(happened)s", happened=happened(move, before, after))


def move_name(move: Move) -> str:
    """A move as a thing that one speaks of: ``8 of clubs with 5 of diamonds``, ``a draw``."""
    match move:
        case Draw():
            return _("a draw")
        case Redeal():
            return _("a redeal")
        case Discard(cards=(king,)):
            return _("the %(card)s", card=card_name(king))
        case Discard(cards=cards):
            low, high = cards
            return _("%(card)s with %(other)s", card=card_name(high), other=card_name(low))


def _uncovered(before: State, after: State) -> str:
    new = [card for card in exposed(after) if card not in exposed(before)]
    if not new:
        return ""
    return sentence(ngettext("%(cards)s uncovered.", "%(cards)s uncovered.", len(new), cards=listed(new)))


def _in_stock(state: State) -> str:
    return _("%(count)s in the stock.", count=len(state.stock))
