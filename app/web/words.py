"""The words for cards, rule sets, refusals and what happened, as a player reads and hears them."""

from collections.abc import Sequence
from datetime import date

from app.rules.board import POSITION, SLOTS
from app.rules.cards import RANKS, SUITS, Card
from app.rules.deal import Seed
from app.rules.moves import Action, Discard, Draw, Move, Redeal, Redo, Undo
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import IllegalMove, Reason, State, exposed

_RANK_WORDS = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
_SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

RULE_NAMES = {
    "classic": "Classic",
    "three-piles": "Three piles",
    "endless": "Endless",
    "open": "Open stock",
    "strict": "Strict",
    "king-tut": "King Tut",
    "tuts-tomb": "Tut’s Tomb",
}

RULE_LINES = {
    "classic": "One card at a time, once through the stock.",
    "three-piles": "Three cards at a time onto three piles, once through.",
    "endless": "One card at a time, as often through the stock as you like.",
    "open": "The next card lies open; two redeals.",
    "strict": "The next card lies open; two redeals; all 52 cards must go.",
    "king-tut": "Three cards at a time, as often as you like.",
    "tuts-tomb": "Three cards at a time, as often as you like; a card pairs with the last one on it.",
}

_REDEALS: dict[int | None, str] = {None: "redeals without end", 0: "no redeal", 1: "one redeal"}

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_REFUSALS = {
    Reason.ALREADY_WON: "This game is won; there is nothing left to do but undo.",
    Reason.STOCK_EMPTY: "The stock is empty.",
    Reason.STOCK_NOT_EMPTY: "The waste goes back only when the stock is empty.",
    Reason.NO_REDEAL_LEFT: "There is no redeal left.",
    Reason.WASTE_EMPTY: "There is no waste to turn back.",
    Reason.NOTHING_TO_UNDO: "There is nothing to undo.",
    Reason.NOTHING_TO_REDO: "There is nothing to redo.",
    Reason.TOO_LONG: "This game has gone on for 20,000 moves, the most that it takes. Begin another.",
}


def card_name(card: Card) -> str:
    """The name of a card: ``7 of clubs``."""
    return f"{_RANK_WORDS[card % 13]} of {_SUIT_WORDS[SUITS[card // 13]]}"


def rank_text(card: Card) -> str:
    """The rank as printed on the card: ``10``, ``Q``."""
    rank = RANKS[card % 13]
    return "10" if rank == "T" else rank


def listed(cards: Sequence[Card]) -> str:
    """Card names in a row: ``a, b and c``."""
    names = [card_name(card) for card in cards]
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def rules_name(rules: RuleSet) -> str:
    """The name of a rule set; what it plays by where it has none: ``Draw three, three piles, overlap``."""
    if rules.slug in RULE_NAMES:
        return RULE_NAMES[rules.slug]
    parts = (
        "Draw one" if rules.draw == 1 else "Draw three",
        # Three piles allow no redeal: that need not be said.
        "three piles" if rules.piles > 1 else _REDEALS.get(rules.redeals, f"{rules.redeals} redeals"),
        "open stock" if rules.open else "",
        "overlap" if rules.overlap else "",
        "all 52" if rules.goal == "all" else "",
    )
    return ", ".join(filter(None, parts))


def rules_code(rules: RuleSet) -> str:
    """The code of a rule set that has no name, to stand beside what it is called; else nothing."""
    return "" if rules.slug in RULE_NAMES else rules.code


def rules_line(rules: RuleSet) -> str:
    """A line on how a rule set plays."""
    if rules.slug in NAMED:
        return RULE_LINES[rules.slug]
    redeals = "redeals without end" if rules.redeals is None else f"redeals: {rules.redeals}"
    parts = [f"draw {'one' if rules.draw == 1 else 'three'}", "three waste piles" if rules.piles > 1 else "", redeals]
    parts += ["open stock" if rules.open else "", "overlap pairs" if rules.overlap else ""]
    parts += ["all 52 cards must go" if rules.goal == "all" else ""]
    return ", ".join(filter(None, parts)).capitalize() + "."


def refusal(illegal: IllegalMove) -> str:
    """Why an action was refused, in a sentence."""
    cards = listed(illegal.cards)
    verb = "is" if len(illegal.cards) == 1 else "are"
    match illegal.reason:
        case Reason.COVERED:
            return _sentence(f"the {cards} {verb} covered.")
        case Reason.NOT_ON_TABLE:
            return _sentence(f"the {cards} {verb} not on the table.")
        case Reason.NOT_THIRTEEN if len(illegal.cards) == 1:
            return _sentence(f"the {cards} needs a partner: two cards that add to 13 go together.")
        case Reason.NOT_THIRTEEN:
            return _sentence(f"{cards} do not add to 13.")
        case reason:
            return _REFUSALS[reason]


def happened(action: Action, before: State, after: State) -> str:
    """What an action did: what it removed, what it uncovered, what it turned."""
    match action:
        case Discard():
            return _sentence(f"{listed(action.cards)} removed.") + _uncovered(before, after)
        case Draw():
            turned = before.stock[: before.rules.draw]
            return _sentence(f"turned {listed(turned)}.") + f" {len(after.stock)} in the stock."
        case Redeal():
            return f"Waste turned back. {len(after.stock)} in the stock."
        case Undo():
            return "Undone."
        case Redo():
            return "Done again."


def redeals_short(left: int | None) -> str:
    """How many redeals are left, in two words."""
    return "redeals: ∞" if left is None else f"redeals: {left}" if left else "no redeal"


def stock_label(count: int, action: str, left: int | None) -> str:
    """The name of the stock: what a press does, how many cards and how many redeals are left."""
    verb = {"draw": "Draw. ", "redeal": "Redeal. "}.get(action, "")
    redeals = "Redeals without end." if left is None else f"Redeals left: {left}."
    return f"{verb}Stock: {count} {'card' if count == 1 else 'cards'}. {redeals}"


def deal_name(seed: Seed | None, daily: str | None = None) -> str:
    """What a deal is called: the day it is for, else its seed, or that its deck was given."""
    if daily is not None:
        return f"daily deal, {day_name(date.fromisoformat(daily))}"
    return f"deal {seed}" if seed is not None else "own deck"


def challenged(sender: str | None) -> str:
    """That somebody, who may have no name, dares one to play this deal."""
    return f"{sender or 'A friend'} challenges you. The result to beat is told when you are done."


def day_name(day: date) -> str:
    """A day in words: ``30 November 2026``."""
    return f"{day.day} {month_name(day)}"


def month_name(day: date) -> str:
    """A day's month in words: ``November 2026``."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def moves(count: int) -> str:
    """So many moves."""
    return f"{count} {'move' if count == 1 else 'moves'}"


def won(moves: int, seconds: int | None) -> str:
    """That the game is won, in how many moves, and in what time where that is shown."""
    return f"You won, in {moves} moves." if seconds is None else f"You won, in {moves} moves and {clock(seconds)}."


def clock(seconds: int) -> str:
    """Minutes and seconds, ``2:05``; hours where there are any, ``1:02:05``."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _uncovered(before: State, after: State) -> str:
    new = [card for card in exposed(after) if card not in exposed(before)]
    return " " + _sentence(f"{listed(new)} uncovered.") if new else ""


def _moves_and_time(count: int, time: int | None) -> str:
    return moves(count) if time is None else f"{moves(count)}, {clock(time // 1000)}"


def sentence(text: str) -> str:
    """A reason as a sentence: a capital at its start, a full stop at its end."""
    whole = text[:1].upper() + text[1:]
    return whole if not whole or whole.endswith((".", "!", "?", "…")) else f"{whole}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def verdict_lost(back: int | None, *, sure: bool) -> str:
    """That a position is lost for good; ``back`` undos lead to where it was not; ``sure`` that nothing does."""
    if back is None and sure:
        return "This deal cannot be won, whatever one does."
    return "This game can no longer be won."


def way_back(back: int) -> str:
    """What the button does that leads back to a winnable position."""
    return f"Undo {back} {'move' if back == 1 else 'moves'} to where it can"


def fewest(moves: int, own: int) -> str:
    """The fewest moves in which a deal can be won, beside the player's own."""
    return "No one can win it in fewer: a perfect game." if own == moves else f"The fewest possible: {moves}."


def best(moves: int, time: int | None, deal_moves: int | None, deal_time: int | None, *, timed: bool) -> str:
    """What a player did best by these rules, and on this deal; times in milliseconds."""
    whole = f"Best: {_moves_and_time(moves, time if timed else None)}"
    if deal_moves is None:
        return whole
    return f"{whole} · this deal: {_moves_and_time(deal_moves, deal_time if timed else None)}"


def best_after(own: int, moves: int, time: int | None) -> str:
    """How a win in ``own`` moves stands beside the best by the same rules, the time in milliseconds."""
    if own == moves:
        return "Your fewest by these rules."
    return f"Your best by these rules: {_moves_and_time(moves, time)}."


def hint_kind(move: Move | None) -> str:
    """The first half of a hint: what kind of move it is."""
    match move:
        case None:
            return "There is no move; undo."
        case Discard():
            return "Something can go."
        case Draw():
            return "Draw."
        case Redeal():
            return "Redeal."


def hint_whole(move: Move | None) -> str:
    """The whole hint."""
    return _sentence(f"{listed(move.cards)} can go.") if isinstance(move, Discard) else hint_kind(move)


def hint_truth(winnable: bool | None) -> str:  # noqa: FBT001 - a verdict has three values.
    """What the solver thinks of the position that the hint is for."""
    if winnable is None:
        return " Whether it leads to a win is not known."
    return "" if winnable else " But no move wins from here."


def solution(winnable: bool | None, fewest_moves: int | None, shown: int) -> str:  # noqa: FBT001 - three values.
    """What the solver found out about a deal."""
    if winnable is None:
        return "Whether this deal can be won is not known: the search was given up."
    if not winnable:
        return "This deal cannot be won, whatever one does."
    if fewest_moves is None:
        return f"This deal can be won, for one in the {shown} moves shown here; whether in fewer is not known."
    return f"This deal can be won, in {fewest_moves} moves at the least."


def step(move: Move | None) -> str:
    """What comes next in a solution."""
    match move:
        case None:
            return "Won."
        case Discard():
            return _sentence(f"{listed(move.cards)} go." if len(move.cards) > 1 else f"{listed(move.cards)} goes.")
        case Draw():
            return "Draw."
        case Redeal():
            return "Redeal."


def odds(percent: float | None) -> str:
    """How many deals of a rule set can be won."""
    if percent is None:
        return ""
    shown = f"{percent:.1f}" if percent < 10 else f"{percent:.0f}"  # noqa: PLR2004 - two figures tell enough.
    return f"{shown} of 100 deals can be won"


def place_name(slot: int) -> str:
    """Where a pyramid slot is: ``row 3, card 2``."""
    row, place = POSITION[SLOTS[slot]]
    return f"row {row}, card {place}"


def link_text(rules: RuleSet) -> str:
    """What a link to a deal promises."""
    return f"{rules_line(rules)} The same cards for everyone who opens this link."


STATUSES: dict[int, tuple[str, str]] = {
    400: ("That cannot be read", "The server could not make sense of what your browser sent."),
    404: ("Not found", "There is nothing here, or it is somebody else’s."),
    405: ("Not this way", "This address does not take what was sent to it. Nothing was changed."),
    406: ("Not in this form", "What you asked for is not to be had in the form that you asked for."),
    413: ("Too large", "That is too large."),
    415: ("Wrong kind of body", "This address does not take what was sent to it. Nothing was changed."),
    416: ("No such part", "The file has no such part."),
    431: ("Too large", "Your browser sent more than the server reads."),
}
"""What the framework's own refusals are called, and are told in: heading and words by status."""

REFUSED = ("That did not work", "The server could not do this. Nothing was changed.")
"""Heading and words of any other refusal of the framework."""

LEFT = "You gave this game up."
PAUSED = "Paused. The clock stands still, and the cards are covered."
STALE = "The table has changed since; this is how it stands now."
NOT_FOUND = "There is nothing here, or it is somebody else’s."
TOO_LARGE = "That is too large."
UNAVAILABLE = "The table is busy for a moment; nothing is lost. Please try again."
FORGED = "This came from another site, so nothing was done."
BROKEN = "Something broke on our side; nothing is lost. Please try again."
TOO_BUSY = "The solver has its hands full. Please try again in a moment."
TOO_FAST = "Too many tries. Please wait a little before the next one."
UNAUTHORIZED = "Nobody has this token."
CAN_BE_WON = "Can still be won"
NOT_KNOWN = "Whether this can be won is not known"
THINKING = "Thinking whether this can be won …"
HINT_MORE = "Which?"
NONE_FOUND = "No deal that can be won was found in time. Please try again."
