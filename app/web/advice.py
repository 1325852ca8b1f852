"""The words for what the solver advises: verdicts, hints, solutions, and how many deals can be won."""

from app.rules.moves import Discard, Draw, Move, Redeal
from app.web.language import gettext as _
from app.web.language import ngettext, noted, number
from app.web.words import listed, sentence

CAN_BE_WON = noted("Can still be won")
NOT_KNOWN = noted("Whether this can be won is not known")
THINKING = noted("Thinking whether this can be won …")
HINT_MORE = noted("Which?")


def verdict_lost(back: int | None, *, sure: bool) -> str:
    """That a position is lost for good; ``back`` undos lead to where it was not; ``sure`` that nothing does."""
    if back is None and sure:
        return _("This deal cannot be won, whatever one does.")
    return _("This game can no longer be won.")


def way_back(back: int) -> str:
    """What the button does that leads back to a winnable position."""
    return ngettext("Undo %(count)s move to where it can be won", "Undo %(count)s moves to where it can be won", back)


def fewest(moves: int, own: int) -> str:
    """The fewest moves in which a deal can be won, beside the player's own."""
    if own == moves:
        return _("No one can win it in fewer: a perfect game.")
    return _("The fewest possible: %(count)s.", count=number(moves))


def hint_kind(move: Move | None) -> str:
    """The first half of a hint: what kind of move it is."""
    match move:
        case None:
            return _("There is no move; undo.")
        case Discard():
            return _("Something can go.")
        case Draw():
            return _("Draw.")
        case Redeal():
            return _("Redeal.")


def hint_whole(move: Move | None) -> str:
    """The whole hint."""
    if not isinstance(move, Discard):
        return hint_kind(move)
    return sentence(ngettext("%(cards)s can go.", "%(cards)s can go.", len(move.cards), cards=listed(move.cards)))


def hint_truth(winnable: bool | None) -> str:  # noqa: FBT001 - a verdict has three values.
    """What the solver thinks of the position that the hint is for; nothing where it is as one would hope."""
    if winnable is None:
        return _("Whether it leads to a win is not known.")
    return "" if winnable else _("But no move wins from here.")


def solution(winnable: bool | None, fewest_moves: int | None, shown: int) -> str:  # noqa: FBT001 - three values.
    """What the solver found out about a deal."""
    if winnable is None:
        return _("Whether this deal can be won is not known: the search was given up.")
    if not winnable:
        return _("This deal cannot be won, whatever one does.")
    if fewest_moves is None:
        return ngettext(
            "This deal can be won, for one in the %(count)s move shown here; whether in fewer is not known.",
            "This deal can be won, for one in the %(count)s moves shown here; whether in fewer is not known.",
            shown,
        )
    return ngettext(
        "This deal can be won, in %(count)s move at the least.",
        "This deal can be won, in %(count)s moves at the least.",
        fewest_moves,
    )


def step(move: Move | None) -> str:
    """What comes next in a solution."""
    match move:
        case None:
            return _("Won.")
        case Discard():
            return sentence(ngettext("%(cards)s goes.", "%(cards)s go.", len(move.cards), cards=listed(move.cards)))
        case Draw():
            return _("Draw.")
        case Redeal():
            return _("Redeal.")


def odds(percent: float | None) -> str:
    """How many deals of a rule set can be won."""
    if percent is None:
        return ""
    digits = 1 if percent < 10 else 0  # noqa: PLR2004 - two figures tell enough.
    return _("%(share)s of 100 deals can be won", share=number(percent, digits))
