"""The first lesson: a few cards, one thing to press on each page; nothing of it is kept anywhere."""

from dataclasses import dataclass, replace
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.play.table import Table
from app.rules.cards import Card, read_card, shown
from app.rules.deal import Seed, seeded
from app.rules.game import begin
from app.rules.moves import DRAW, Discard, Move, discard, is_king, read_move
from app.rules.ruleset import DEFAULT
from app.rules.state import IllegalMove, State, apply, choosable, read_state
from app.web import urls, words
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import kept, noted
from app.web.table.views import Shown, TableView, table_view

_ROWS = 3

_START = read_state(f"endless | Qh / 7s 4h / 9c -- Kd {'/ ' + '-- ' * 22} | 6c | Ac | x")
"""The end of a game: three rows, one card in the stock and one on the waste. The lesson's moves win it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A step: what it teaches, what to press, and the move that leads on."""

    tells: str
    press: str
    move: Move


LESSONS = (
    Lesson(noted("A king goes alone."), noted("Press the king."), read_move("Kd")),
    Lesson(
        noted("The king is gone, so the 4 is open. Two open cards that add to 13 go together."),
        noted("Press the 9, then the 4."),
        read_move("9c+4h"),
    ),
    Lesson(
        noted("Nothing goes now: the 7 and the ace (1) are not 13. So turn a card."),
        noted("Press the stock."),
        DRAW,
    ),
    Lesson(
        noted("A card on the waste pairs, too: 7 and 6 are 13."),
        noted("Press the 7, then the 6 on the waste."),
        read_move("6c+7s"),
    ),
    Lesson(
        noted("A jack is 11, a queen 12; an ace is 1. The ace below is open again."),
        noted("Press the queen, then the ace."),
        read_move("Ac+Qh"),
    ),
)
"""What is taught, step by step; the page after the last says that this is all."""

_END = noted(
    "The pyramid has gone: you have won. That is all. A whole pyramid has seven rows, and undoing is always allowed."
)

STEPS = len(LESSONS) + 1


@dataclass(frozen=True, slots=True)
class LearnPage:
    """A step ``at`` of ``of``: what it tells, what to press (empty on the last step), and the table.

    Where something else was pressed it tells a kind word on that instead. ``draws`` where the stock is to be pressed.
    ``back_url`` is empty on the first step, ``on_url`` on the last, which leads to a new deal by ``play_url``.
    """

    template: ClassVar[str] = "learn.html"

    title: str
    at: int
    of: int
    tells: str
    press: str
    table: TableView
    draws: bool
    back_url: str
    on_url: str
    play_url: str


async def learn(request: Request) -> Response:
    """A step of the lesson; what was pressed there leads on, or is explained. Raises NotFound for no step."""
    at = _step(request.query_params.get("step", "1"))
    first = _card(request.query_params.get("chosen", ""))
    pressed = _card(request.query_params.get("card", ""))
    if at == STEPS or (pressed is None and "action" not in request.query_params):
        return page_answer(request, _lesson_page(at, None, ""))
    answer = _answer(at, first, pressed)
    if answer is None:
        return RedirectResponse(urls.learn(at + 1), status_code=303)
    return page_answer(request, _lesson_page(at, *answer))


routes = [Route(urls.LEARN, learn)]


def position(step: int) -> State:
    """The table at a step, 1..STEPS."""
    state = _START
    for lesson in LESSONS[: step - 1]:
        state = apply(state, lesson.move)
    return state


def _answer(at: int, first: Card | None, pressed: Card | None) -> tuple[Card | None, str] | None:
    """What comes of a press: None leads on, else the chosen card and a word; no card pressed is the stock."""
    state, lesson = position(at), LESSONS[at - 1]
    if first not in choosable(state):
        first = None
    if pressed is None:
        return None if lesson.move == DRAW else (first, _("Not yet: something goes."))
    if pressed == first:
        return None, _("You put it back.")
    if first is None and not is_king(pressed):
        return _chosen(state, lesson, pressed)
    move = discard(pressed) if first is None or is_king(pressed) else discard(first, pressed)
    if move == lesson.move:
        return None
    return None, _refusal(state, move)


def _chosen(state: State, lesson: Lesson, card: Card) -> tuple[Card | None, str]:
    """The first card of a pair was pressed: it is chosen if it is one, else it is said why not."""
    if isinstance(lesson.move, Discard) and card in lesson.move.cards:
        return card, ""
    if card in choosable(state):
        return None, _("The %(card)s has no partner yet.", card=words.card_name(card))
    return None, _("The %(card)s cannot go yet: only open cards can.", card=words.card_name(card))


def _refusal(state: State, move: Move) -> str:
    try:
        apply(state, move)
    except IllegalMove as illegal:
        return words.refusal(illegal)
    return _("That would go, too.")


@kept(256)
def _lesson_page(at: int, chosen: Card | None, word: str) -> LearnPage:
    """The page of a step, kept, as the HTML of its table is kept by it."""
    lesson = LESSONS[at - 1] if at < STEPS else None
    wanted = lesson.move.cards if lesson and isinstance(lesson.move, Discard) else ()
    hinted = frozenset[Card]() if chosen is not None else frozenset(wanted)
    # Only the position is shown of this table: which deal it would be of does not matter.
    table = table_view(Table(DEFAULT, seeded(Seed("learn")), begin(position(at))), Shown(chosen=chosen, hinted=hinted))
    return LearnPage(
        title=_("Learn it in a minute"),
        at=at,
        of=STEPS,
        tells=word or _(lesson.tells if lesson else _END),
        press=_press(lesson, chosen),
        table=replace(table, pyramid=table.pyramid._replace(height=_ROWS)),
        draws=lesson is not None and lesson.move == DRAW,
        back_url=urls.learn(at - 1) if at > 1 else "",
        on_url=urls.learn(at + 1) if lesson else "",
        play_url=urls.new(DEFAULT),
    )


def _press(lesson: Lesson | None, chosen: Card | None) -> str:
    if lesson is None:
        return ""
    if chosen is None or not isinstance(lesson.move, Discard):
        return _(lesson.press)
    (other,) = (card for card in lesson.move.cards if card != chosen)
    return _("Good. Now press the %(card)s.", card=words.card_name(other))


def _step(text: str) -> int:
    if text not in map(str, range(1, STEPS + 1)):
        raise NotFound("“%(text)s” is no step of the lesson", text=shown(text))
    return int(text)


def _card(text: str) -> Card | None:
    """The card that an address names, if any. Raises Unreadable."""
    return read_card(text) if text else None
