"""The words for cards, rule sets, refusals and results, as a player reads and hears them."""

from collections.abc import Callable, Sequence
from datetime import date

from app.play.together.challenges import Result
from app.rules.board import POSITION, Slot
from app.rules.cards import RANKS, SUITS, Card
from app.rules.deal import Seed
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import IllegalMove, Reason
from app.web import language
from app.web.language import gettext as _
from app.web.language import kept, ngettext, noted

_RANK_WORDS = (noted("ace"), *map(str, range(2, 11)), noted("jack"), noted("queen"), noted("king"))
_SUIT_WORDS = {"c": noted("clubs"), "d": noted("diamonds"), "h": noted("hearts"), "s": noted("spades")}

RULE_NAMES = {
    "classic": noted("Classic"),
    "three-piles": noted("Three piles"),
    "endless": noted("Endless"),
    "open": noted("Open stock"),
    "strict": noted("Strict"),
    "king-tut": noted("King Tut"),
    "tuts-tomb": noted("Tut’s Tomb"),
}

RULE_LINES = {
    "classic": noted("One card at a time, once through the stock."),
    "three-piles": noted("Three cards at a time onto three piles, once through."),
    "endless": noted("One card at a time, as often through the stock as you like."),
    "open": noted("The next card lies open; two redeals."),
    "strict": noted("The next card lies open; two redeals; all 52 cards must go."),
    "king-tut": noted("Three cards at a time, as often as you like."),
    "tuts-tomb": noted("Three cards at a time, as often as you like; a card pairs with the last one on it."),
}

_REDEALS = {None: noted("redeals without end"), 0: noted("no redeal"), 1: noted("one redeal")}

_REFUSALS = {
    Reason.ALREADY_WON: noted("This game is won; there is nothing left to do but undo."),
    Reason.STOCK_EMPTY: noted("The stock is empty."),
    Reason.STOCK_NOT_EMPTY: noted("The waste goes back only when the stock is empty."),
    Reason.NO_REDEAL_LEFT: noted("There is no redeal left."),
    Reason.WASTE_EMPTY: noted("There is no waste to turn back."),
    Reason.NOTHING_TO_UNDO: noted("There is nothing to undo."),
    Reason.NOTHING_TO_REDO: noted("There is nothing to redo."),
    Reason.TOO_LONG: noted("This game has gone on for 20,000 moves, the most that it takes. Begin another."),
}


@kept(256)
def card_name(card: Card) -> str:
    """The name of a card: ``7 of clubs``."""
    rank, suit = _RANK_WORDS[card % 13], _SUIT_WORDS[SUITS[card // 13]]
    return _("%(rank)s of %(suit)s", rank=_(rank), suit=_(suit))


def rank_text(card: Card) -> str:
    """The rank as printed on the card: ``10``, ``Q``."""
    rank = RANKS[card % 13]
    return "10" if rank == "T" else rank


def listed(cards: Sequence[Card]) -> str:
    """Card names in a row: ``a, b and c``."""
    return language.listed(map(card_name, cards))


def rules_name(rules: RuleSet) -> str:
    """The name of a rule set; what it plays by where it has none: ``Draw three, three piles, overlap``."""
    if rules.slug in RULE_NAMES:
        return _(RULE_NAMES[rules.slug])
    parts = (
        _("Draw one") if rules.draw == 1 else _("Draw three"),
        # Three piles allow no redeal: that need not be said.
        _("three piles") if rules.piles > 1 else _redeals(rules.redeals),
        _("open stock") if rules.open else "",
        _("overlap") if rules.overlap else "",
        _("all 52") if rules.goal == "all" else "",
    )
    return ", ".join(filter(None, parts))


def _redeals(redeals: int | None) -> str:
    if redeals is None or redeals in _REDEALS:
        return _(_REDEALS[redeals])
    return ngettext("%(count)s redeal", "%(count)s redeals", redeals)


def rules_code(rules: RuleSet) -> str:
    """The code of a rule set that has no name, to stand beside what it is called; else nothing."""
    return "" if rules.slug in RULE_NAMES else rules.code


def rules_line(rules: RuleSet) -> str:
    """A line on how a rule set plays."""
    if rules.slug in NAMED:
        return _(RULE_LINES[rules.slug])
    redeals = rules.redeals
    parts = (
        _("Draw one") if rules.draw == 1 else _("Draw three"),
        _("three waste piles") if rules.piles > 1 else "",
        _("redeals without end") if redeals is None else _("redeals: %(count)s", count=redeals),
        _("open stock") if rules.open else "",
        _("overlap pairs") if rules.overlap else "",
        _("all 52 cards must go") if rules.goal == "all" else "",
    )
    return sentence(", ".join(filter(None, parts)))


def refusal(illegal: IllegalMove) -> str:
    """Why an action was refused, in a sentence."""
    cards, count = listed(illegal.cards), len(illegal.cards)
    match illegal.reason:
        case Reason.COVERED:
            said = ngettext("The %(cards)s is covered.", "The %(cards)s are covered.", count, cards=cards)
        case Reason.NOT_ON_TABLE:
            said = ngettext(
                "The %(cards)s is not on the table.", "The %(cards)s are not on the table.", count, cards=cards
            )
        case Reason.NOT_THIRTEEN if count == 1:
            said = _("The %(card)s needs a partner: two cards that add to 13 go together.", card=cards)
        case Reason.NOT_THIRTEEN:
            said = _("%(cards)s do not add to 13.", cards=cards)
        case reason:
            said = _(_REFUSALS[reason])
    return sentence(said)


def redeals_short(left: int | None) -> str:
    """How many redeals are left, in two words."""
    if left == 0:
        return _("no redeal")
    return _("redeals: %(count)s", count="∞" if left is None else left)


def stock_label(count: int, action: str, left: int | None) -> str:
    """The name of the stock: what a press does, how many cards and how many redeals are left."""
    verb = {"draw": _("Draw."), "redeal": _("Redeal.")}.get(action, "")
    cards = ngettext("Stock: %(count)s card.", "Stock: %(count)s cards.", count)
    return _all(verb, cards, _("Redeals without end.") if left is None else _("Redeals left: %(count)s.", count=left))


def deal_name(seed: Seed | None, daily: str | None = None) -> str:
    """What a deal is called: the day it is for, else its seed, or that its deck was given."""
    if daily is not None:
        return _("daily deal, %(day)s", day=language.day_text(date.fromisoformat(daily)))
    return _("deal %(seed)s", seed=seed) if seed is not None else _("own deck")


def challenged(sender: str | None) -> str:
    """That somebody, who may have no name, dares one to play this deal."""
    if sender is None:
        return _("A friend challenges you. The result to beat is told when you are done.")
    return _("%(name)s challenges you. The result to beat is told when you are done.", name=sender)


def compared(own: Result, theirs: Result, sender: str | None, *, timed: bool) -> str:
    """Who did better: a win beats giving up, fewer moves beat more; then, where time is told, the shorter one."""
    mine, other = (not own.won, own.moves if own.won else 0), (not theirs.won, theirs.moves if theirs.won else 0)
    name = sender or _("Your friend")
    if mine != other:
        return _("You did better.") if mine < other else _("%(name)s did better.", name=name)
    if not own.won:
        return _("Neither of you won this one.")
    if not timed or own.seconds is None or theirs.seconds is None or own.seconds == theirs.seconds:
        return _("You are even.")
    if own.seconds < theirs.seconds:
        return _("You did better: as many moves, in a shorter time.")
    return _("%(name)s did better: as many moves, in a shorter time.", name=name)


def moves(count: int) -> str:
    """So many moves."""
    return ngettext("%(count)s move", "%(count)s moves", count)


def won(moves: int, seconds: int | None) -> str:
    """That the game is won, in how many moves, and in what time where that is shown."""
    if seconds is None:
        return ngettext("You won, in %(count)s move.", "You won, in %(count)s moves.", moves)
    time = clock(seconds)
    return ngettext(
        "You won, in %(count)s move and %(time)s.", "You won, in %(count)s moves and %(time)s.", moves, time=time
    )


def clock(seconds: int) -> str:
    """Minutes and seconds, ``2:05``; hours where there are any, ``1:02:05``."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _all(*sentences: str) -> str:
    """Sentences in a row, without the empty ones."""
    return " ".join(filter(None, sentences))


def capital(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A reason as a sentence: a capital at its start, a full stop at its end."""
    whole = capital(text)
    return whole if not whole or whole.endswith((".", "!", "?", "…")) else f"{whole}."


def best(moves: int, seconds: int | None, deal_moves: int | None = None, deal_seconds: int | None = None) -> str:
    """The fewest moves and the shortest time that a player won in by these rules, and on this deal.

    They may be those of different games. No time is told where it is None.
    """
    fewest = _and_here(language.number, moves, deal_moves)
    if seconds is None:
        return _("Fewest moves: %(moves)s", moves=fewest)
    return _("Fewest moves: %(moves)s · fastest: %(time)s", moves=fewest, time=_and_here(clock, seconds, deal_seconds))


def _and_here(text: Callable[[int], str], anywhere: int, here: int | None) -> str:
    return text(anywhere) if here is None else _("%(best)s, here %(here)s", best=text(anywhere), here=text(here))


def best_after(own: int, own_seconds: int, moves: int, seconds: int | None) -> str:
    """How a win stands beside the fewest moves and the shortest time by the same rules, of which it is one."""
    if own == moves and own_seconds == seconds:
        return _("Your fewest and your fastest by these rules.")
    fewest = _("Your fewest by these rules.")
    if own != moves:
        count = ngettext("%(count)s move", "%(count)s moves", moves)
        fewest = _("Your best by these rules: %(best)s.", best=count)
    if seconds is None:
        return fewest
    fastest = _("Your fastest so far.")
    return _all(fewest, fastest if own_seconds == seconds else _("Fastest: %(time)s.", time=clock(seconds)))


def place_name(place: Slot | str) -> str:
    """Where a card lies: ``row 3, card 2`` in the pyramid, else on ``waste``, ``waste-2`` or ``stock-card``."""
    if not isinstance(place, str):
        row, at = POSITION[place]
        return _("row %(row)s, card %(card)s", row=row, card=at)
    pile, _dash, number = place.partition("-")
    if pile == "stock":
        return _("stock")
    return _("waste %(number)s", number=number) if number else _("waste")


def table_card(card: Card, place: str, covers: Sequence[Card]) -> str:
    """The name of a card on the table: ``7 of clubs, row 3, card 2, covered by 4 of hearts and 9 of spades``.

    In every language the parts stand in this order between commas; static/table.js reads them.
    """
    covered = _("covered by %(cards)s", cards=listed(covers)) if covers else ""
    return ", ".join(filter(None, (card_name(card), place, covered)))


def link_text(rules: RuleSet) -> str:
    """What a link to a deal promises."""
    return _all(rules_line(rules), _("The same cards for everyone who opens this link."))


STATUSES: dict[int, tuple[str, str]] = {
    400: (noted("That cannot be read"), noted("The server could not make sense of what your browser sent.")),
    404: (noted("Not found"), noted("There is nothing here, or it is somebody else’s.")),
    405: (noted("Not this way"), noted("This address does not take what was sent to it. Nothing was changed.")),
    406: (noted("Not in this form"), noted("What you asked for is not to be had in the form that you asked for.")),
    413: (noted("Too large"), noted("That is too large.")),
    415: (noted("Wrong kind of body"), noted("This address does not take what was sent to it. Nothing was changed.")),
    416: (noted("No such part"), noted("The file has no such part.")),
    431: (noted("Too large"), noted("Your browser sent more than the server reads.")),
}
"""What the framework's own refusals are called, and are told in: heading and words by status."""

REFUSED = (noted("That did not work"), noted("The server could not do this. Nothing was changed."))
"""Heading and words of any other refusal of the framework."""

LEFT = noted("You gave this game up.")
PAUSED = noted("Paused. The clock stands still, and the cards are covered.")
STALE = noted("The table has changed since; this is how it stands now.")
NOT_FOUND = noted("There is nothing here, or it is somebody else’s.")
TOO_LARGE = noted("That is too large.")
UNAVAILABLE = noted("The table is busy for a moment; nothing is lost. Please try again.")
FORGED = noted("This came from another site, so nothing was done.")
BROKEN = noted("Something broke on our side; nothing is lost. Please try again.")
TOO_BUSY = noted("The solver has its hands full. Please try again in a moment.")
TOO_FAST = noted("Too many tries. Please wait a little before the next one.")
UNAUTHORIZED = noted("Nobody has this token.")
NONE_FOUND = noted("No deal that can be won was found in time; by these rules they may be rare. Please try again.")
