"""What the templates of a replay see, and the words for a look back."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from app.play.advice.lookback import LookBack, Mark, Slip, Step, Track
from app.play.table import Table
from app.rules.game import Game
from app.rules.moves import Redo
from app.rules.state import is_won
from app.web import advice, deeds, urls
from app.web.language import gettext as _
from app.web.language import ngettext, noted, number, pgettext
from app.web.table.views import Shown, TableView, table_view

MarkKind = Literal["won", "winnable", "lost", "unknown", "waiting"]

_SIGNS: dict[MarkKind, str] = {"won": "0", "winnable": "•", "lost": "×", "unknown": "?", "waiting": "…"}

_SLIPS = {
    False: (
        noted("Move %(number)s, %(move)s, lost the game; %(instead)s would have kept it."),
        noted("Move %(number)s, %(move)s, lost the game too, and was taken back; %(instead)s would have kept it."),
        noted("Move %(number)s, %(move)s, lost the game, and was taken back; %(instead)s would have kept it."),
    ),
    True: (
        noted("Move %(number)s, %(move)s again, lost the game; %(instead)s would have kept it."),
        noted(
            "Move %(number)s, %(move)s again, lost the game too, and was taken back; %(instead)s would have kept it."
        ),
        noted("Move %(number)s, %(move)s again, lost the game, and was taken back; %(instead)s would have kept it."),
    ),
}
"""A slip in words, by whether the move was done again: the decisive one, one beside it, one where there is none."""


@dataclass(frozen=True, slots=True)
class PositionView:
    """A game after ``at`` of its ``of`` actions, and what the last of them did; ``won`` says so where it is won.

    The addresses are empty where there is nowhere to go. ``open`` tells whether one can play on from here.
    """

    table: TableView
    at: int
    of: int
    said: str
    won: str
    first_url: str
    back_url: str
    next_url: str
    last_url: str
    open: bool


@dataclass(frozen=True, slots=True)
class MarkView:
    """A position in the strip: its sign (the fewest moves to win where they are known) and its name in full.

    ``slip`` tells whether the move that led here lost the game.
    """

    at: int
    kind: MarkKind
    sign: str
    name: str
    url: str
    slip: bool
    here: bool


@dataclass(frozen=True, slots=True)
class SlipView:
    """A move that lost the game, in words, and where it was made."""

    text: str
    at: int
    url: str
    decisive: bool


@dataclass(frozen=True, slots=True)
class LookBackView:
    """A look back as far as it is known; ``url`` is where to ask for more, empty once it is done.

    ``progress`` tells how far it is, ``plain_url`` leads to the whole of it without script; ``kinds`` are those of
    its marks.
    """

    url: str
    plain_url: str
    progress: str
    summary: str
    slips: tuple[SlipView, ...]
    marks: tuple[MarkView, ...]
    kinds: frozenset[MarkKind] = frozenset()


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The replay of a game, at one of its positions.

    ``game_url`` leads back to one's own game, ``deal_url`` to the deal; either may be empty. ``looks`` is None where
    one cannot look back, and ``later`` says why. ``link`` leads to the replay for everybody, once it is shared.
    """

    template: ClassVar[str] = "replay.html"

    title: str
    rules_name: str
    deal_name: str
    position: PositionView
    page_url: str
    position_url: str
    on_url: str
    game_url: str
    deal_url: str
    looks: LookBackView | None
    later: str
    share_url: str
    unshare_url: str
    link: str


def position_view(table: Table, track: Track, at: int, page: str) -> PositionView:
    """The view of a game after ``at`` actions, on a replay's page."""
    of, state = len(track.steps), track.states[at]
    won_after = table.game.won_after
    game = Game((state,), actions=at, won_after=won_after if won_after is not None and at >= won_after else None)
    shown = table_view(Table(table.rules, table.deal, game), Shown(), timed=False)
    goto = [urls.replay_at(page, where) for where in (0, at - 1, at + 1, of)]
    return PositionView(
        table=shown,
        at=at,
        of=of,
        said=_did(track, at),
        won=ngettext("Won, after %(count)s move.", "Won, after %(count)s moves.", at) if is_won(state) else "",
        first_url=goto[0] if at else "",
        back_url=goto[1] if at else "",
        next_url=goto[2] if at < of else "",
        last_url=goto[3] if at < of else "",
        open=not is_won(state),
    )


def waiting_view(place: str, page: str, at: int, progress: str = "") -> LookBackView:
    """A look back that is still to be asked for."""
    return LookBackView(urls.lookback(place, at), urls.looked_at(page, at), progress, "", (), ())


def lookback_view(table: Table, found: LookBack, at: int, place: str, page: str) -> LookBackView:
    """The view of a look back, with the position that is shown."""
    slips = {slip.number for slip in found.slips}
    return LookBackView(
        url="" if found.done else urls.lookback(place, at),
        plain_url="" if found.done else urls.looked_at(page, at),
        progress="" if found.done else _progress(found),
        summary=_summary(table, found) if found.done else "",
        slips=_slip_views(found, page) if found.done else (),
        marks=tuple(
            _mark_view(mark, place, urls.replay_at(page, place), slip=place in slips, here=place == at)
            for place, mark in enumerate(found.marks)
        ),
        kinds=frozenset(map(_kind, found.marks)),
    )


def _progress(found: LookBack) -> str:
    return ngettext(
        "Looking back: %(looked)s of %(count)s position",
        "Looking back: %(looked)s of %(count)s positions",
        len(found.marks),
        looked=number(found.looked),
    )


def _mark_view(mark: Mark | None, at: int, url: str, *, slip: bool, here: bool) -> MarkView:
    kind = _kind(mark)
    sign = number(mark.moves) if mark is not None and mark.moves is not None else _SIGNS[kind]
    text = _("not looked at yet") if mark is None else _mark_text(mark, slip=slip)
    name = _("After move %(number)s: %(told)s", number=number(at), told=text) if at else _("Start: %(told)s", told=text)
    return MarkView(at, kind, sign, name, url, slip, here)


def _kind(mark: Mark | None) -> MarkKind:
    if mark is None:
        return "waiting"
    if mark.winnable is None:
        return "unknown"
    if not mark.winnable:
        return "lost"
    return "won" if mark.moves == 0 else "winnable"


def _mark_text(mark: Mark, *, slip: bool) -> str:
    if mark.winnable is None:
        return _("not known")
    if not mark.winnable:
        return _("lost, by this move") if slip else pgettext("position", "lost")
    if mark.moves is None:
        return _("can be won")
    if not mark.moves:
        return pgettext("position", "won")
    return ngettext(
        "can be won, in %(count)s move at the least", "can be won, in %(count)s moves at the least", mark.moves
    )


def _summary(table: Table, found: LookBack) -> str:
    """How the whole game went, in a sentence or two."""
    first, won = found.marks[0], table.game.won_after
    last = found.marks[-1]
    if won is not None:
        text = ngettext("Won in %(count)s move.", "Won in %(count)s moves.", won)
        return f"{text} {advice.fewest(first.moves, won)}" if first and first.moves is not None else text
    if first is None or last is None or last.winnable is None:
        return _("Whether this game could be won to the end is not known.")
    if first.winnable is False:
        return _("This game could not be won from the start, whatever one did.")
    if last.winnable:
        return _still_winnable(last.moves)
    return "" if found.slips else _("This game could be won at first, and was lost on the way.")


def _still_winnable(moves: int | None) -> str:
    if moves is None:
        return _("This game could still be won when it was given up.")
    return ngettext(
        "This game could still be won when it was given up, in %(count)s move.",
        "This game could still be won when it was given up, in %(count)s moves.",
        moves,
    )


def _slip_views(found: LookBack, page: str) -> tuple[SlipView, ...]:
    decided = any(slip.decisive for slip in found.slips)
    return tuple(
        SlipView(_slip_text(slip, decided=decided), slip.number, urls.replay_at(page, slip.number - 1), slip.decisive)
        for slip in found.slips
    )


def _slip_text(slip: Slip, *, decided: bool) -> str:
    """A move that lost the game, in words; ``decided`` tells whether another one lost it for good."""
    which = 0 if slip.decisive else 1 if decided else 2
    message, (move, instead) = _SLIPS[slip.again][which], map(deeds.move_name, (slip.move, slip.instead))
    return _(message, number=number(slip.number), move=move, instead=instead)


def _did(track: Track, at: int) -> str:
    """What the action before a position did."""
    if not at:
        return _("The start.")
    step: Step = track.steps[at - 1]
    if not step.forward:
        return deeds.undone(step.move)
    tell = deeds.again if isinstance(step.action, Redo) else deeds.happened
    return tell(step.move, track.states[at - 1], track.states[at])
