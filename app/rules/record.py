"""A game as a small text: written, read back, and replayed by the rules, so that nothing in it is taken on trust."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.rules.cards import Unreadable, shown
from app.rules.deal import Deal, deck_text, read_deal, read_deck
from app.rules.game import ACTIONS_MOST, Fold, Game, actions_text, begin
from app.rules.moves import Action, Move, read_action, read_move
from app.rules.ruleset import IllegalRuleSet, RuleSet, read_rules
from app.rules.state import IllegalMove, Outcome, Reason, apply, outcome, start

TEXT_MOST = 262_144
"""The most characters of a game text that are read, enough for the longest; all of them are ASCII."""

HEADING = "pyramid13 game"

_WIDTH = 100
_FIELDS = ("rules", "deal", "opening", "actions", "result")
_RESULT = re.compile(r"(won|stuck|open|given up), (0|[1-9][0-9]{0,4}) moves?")
_LEFT = "given up"
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u202f", " "))
"""What programs put in the place of a space, so that no line breaks at it."""

_WORDS = {Outcome.PLAYING: "open", Outcome.STUCK: "stuck", Outcome.WON: "won"}


class BrokenRecord(Unreadable):
    """A recorded game that is not one by the rules; ``str()`` names the action at which it breaks."""


_REFUSED = {
    Reason.ALREADY_WON: BrokenRecord("already won"),
    Reason.STOCK_EMPTY: BrokenRecord("stock empty"),
    Reason.STOCK_NOT_EMPTY: BrokenRecord("stock not empty"),
    Reason.NO_REDEAL_LEFT: BrokenRecord("no redeal left"),
    Reason.WASTE_EMPTY: BrokenRecord("waste empty"),
    Reason.NOTHING_TO_UNDO: BrokenRecord("nothing to undo"),
    Reason.NOTHING_TO_REDO: BrokenRecord("nothing to redo"),
    Reason.TOO_LONG: BrokenRecord("too long"),
}
"""What is said of a refused action that names no cards; these errors are never raised."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played.

    ``opening`` the moves from the deal to where an onward game starts; ``moves`` as Game.moves counts them;
    ``won`` whether it was won at any time; ``outcome`` how its last position stands; ``left`` whether its player gave
    it up.
    """

    rules: RuleSet
    deal: Deal
    opening: tuple[Move, ...]
    actions: tuple[Action, ...]
    moves: int
    won: bool
    outcome: Outcome
    left: bool = False

    @property
    def result(self) -> str:
        """How the game stands, in words: ``won, 57 moves``, ``stuck, 12 moves``, ``open, 1 move``, ``given up, …``."""
        return result_text(self.outcome, self.moves, won=self.won, left=self.left)


def result_text(last: Outcome, moves: int, *, won: bool, left: bool = False) -> str:
    """The same from how the last position stands, the moves, and whether the game was won at any time, or given up."""
    word = _LEFT if left and not won else _WORDS[Outcome.WON if won else last]
    return f"{word}, {moves} {'move' if moves == 1 else 'moves'}"


def recorded(rules: RuleSet, deal: Deal, opening: tuple[Move, ...], actions: tuple[Action, ...], game: Game) -> Record:
    """The record of a game that some actions led to."""
    return Record(rules, deal, opening, actions, game.moves, game.won_after is not None, outcome(game.state))


def replayed(rules: RuleSet, deal: Deal, opening: Sequence[str], actions: Sequence[str]) -> Record:
    """The record of a game of which every move and action is given in notation.

    Raises BrokenRecord at the first that cannot be read or that the rules refuse, or for more than ACTIONS_MOST.
    """
    if max(len(opening), len(actions)) > ACTIONS_MOST:
        raise BrokenRecord("a game may have %(most)s actions at the most", most=ACTIONS_MOST)
    state, moves = start(rules, deal.deck), list[Move]()
    for number, text in enumerate(opening, 1):
        try:
            moves.append(read_move(text))
            state = apply(state, moves[-1])
        except (Unreadable, IllegalMove) as why:
            raise BrokenRecord(
                "opening move %(number)s, %(text)s: %(why)s", number=number, text=shown(text), why=_told(why)
            ) from why
    fold, taken = Fold(begin(state)), list[Action]()
    for number, text in enumerate(actions, 1):
        try:
            taken.append(read_action(text))
            fold.act(taken[-1])
        except (Unreadable, IllegalMove) as why:
            raise BrokenRecord(
                "action %(number)s, %(text)s: %(why)s", number=number, text=shown(text), why=_told(why)
            ) from why
    return recorded(rules, deal, tuple(moves), tuple(taken), fold.game)


def game_text(record: Record) -> str:
    """A game as a text of short lines that ends with a line feed; read_game_text reads it back."""
    deal = record.deal.seed or deck_text(record.deal.deck)
    opening, actions = actions_text(record.opening), actions_text(record.actions)
    fields = zip(_FIELDS, (record.rules.slug, deal, opening, actions, record.result), strict=True)
    lines = (_wrapped(f"{name}: {text}") for name, text in fields if text or name != "opening")
    return "\n".join((HEADING, *lines)) + "\n"


def read_game_text(text: str) -> Record:
    """The game of a text, replayed; no-break spaces, spaces at the ends of lines, empty lines around, CR LF do no harm.

    Raises Unreadable for another form, and BrokenRecord where the rules refuse an action or the result differs
    from the one replayed.
    """
    fields = _read_fields(text)
    deal = fields["deal"]
    try:
        rules = read_rules(fields["rules"])
    except IllegalRuleSet as why:
        raise Unreadable(why) from why
    cards = Deal(read_deck(deal)) if " " in deal else read_deal(deal)
    record = replayed(rules, cards, fields.get("opening", "").split(), fields["actions"].split())
    record = replace(record, left=fields["result"].startswith(_LEFT))
    check_result(record, fields["result"])
    return record


def check_result(record: Record, told: str) -> None:
    """Raise BrokenRecord unless a result is the one of a record, and Unreadable for what is no result."""
    found = _RESULT.fullmatch(told)
    if found is None:
        raise Unreadable("“%(text)s” is no result: won, 57 moves, or stuck, open or given up", text=shown(told))
    if found[1] != record.result.partition(",")[0] or int(found[2]) != record.moves:
        raise BrokenRecord("the result should be %(result)s, not %(told)s", result=record.result, told=told)


def refused(why: IllegalMove) -> BrokenRecord:
    """What is said of an action that the rules refuse: its reason in short, and the cards at fault."""
    cards = deck_text(why.cards)
    match why.reason:
        case Reason.NOT_ON_TABLE:
            return BrokenRecord("not on the table: %(cards)s", cards=cards)
        case Reason.COVERED:
            return BrokenRecord("covered: %(cards)s", cards=cards)
        case Reason.NOT_THIRTEEN:
            return BrokenRecord("not thirteen: %(cards)s", cards=cards)
        case reason:
            return _REFUSED[reason]


def _told(why: Unreadable | IllegalMove) -> Unreadable:
    return why if isinstance(why, Unreadable) else refused(why)


def _wrapped(line: str) -> str:
    return textwrap.fill(line.rstrip(), _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _read_fields(text: str) -> dict[str, str]:
    """The fields of a game text by name, each on one line."""
    if len(text) > TEXT_MOST:
        raise Unreadable("a game text has %(most)s plain characters at the most", most=TEXT_MOST)
    text = text.translate(_SPACES)
    if not text.isascii():
        first = next(character for character in text if not character.isascii())
        raise Unreadable("a game text has plain characters only, and “%(text)s” is none", text=shown(first))
    heading, *lines = (line.rstrip() for line in text.strip().split("\n"))
    if heading != HEADING:
        raise Unreadable(
            "a game text begins with the line “%(heading)s”, not with “%(text)s”", heading=HEADING, text=shown(heading)
        )
    fields: dict[str, list[str]] = {}
    for line in lines:
        if not line[:1].isspace():
            name, _, rest = line.partition(":")
            if name not in _FIELDS or (fields and _FIELDS.index(name) <= _FIELDS.index([*fields][-1])):
                raise Unreadable(
                    "“%(line)s” is not a line of a game text, or stands in the wrong place", line=shown(line)
                )
            fields[name] = [rest.strip()]
        elif fields:
            fields[[*fields][-1]].append(line.strip())
        else:
            raise Unreadable("a game text has no indented line after its heading")
    for name in _FIELDS:
        if name not in fields and name != "opening":
            raise Unreadable("the game text has no line “%(name)s:”", name=name)
    return {name: " ".join(filter(None, parts)) for name, parts in fields.items()}
