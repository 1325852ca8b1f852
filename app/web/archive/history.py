"""The history: all games of a player, page by page."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.play.archive.records import Line, read_cursor
from app.rules.cards import Unreadable
from app.rules.ruleset import DEFAULT, read_rules
from app.web import urls, words
from app.web.archive.records import Moment, clock, end_name, moment
from app.web.deps import preferences, rooms, token
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.table import page_views


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A game in the history; ``replay_url`` is empty where the game is not over."""

    url: str
    rules: str
    code: str
    deal: str
    end: str
    moves: int
    time: str
    hints: int
    begun: Moment
    onward: bool
    replay_url: str


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history; the addresses are empty where there is nowhere to go."""

    template: ClassVar[str] = "history.html"

    title: str
    timed: bool
    chosen: str
    choices: tuple[page_views.RulesChoice, ...]
    rows: tuple[HistoryRow, ...]
    first_url: str
    newer_url: str
    older_url: str


async def history(request: Request) -> Response:
    """A page of the games of the player who asks."""
    room, asked = rooms(request), request.query_params
    rules = read_rules(asked["rules"]) if asked.get("rules") else None
    before, after = (read_cursor(asked[name]) if name in asked else None for name in ("before", "after"))
    if before and after:
        raise Unreadable("a page of games is before a place or after one, not both")
    use_case = partial(room.records.history, token=token(request), rules=rules, before=before, after=after)
    found = await room.run(use_case)
    chosen = rules.slug if rules else ""
    page = HistoryPage(
        title=_("Games"),
        timed=preferences(request).timed,
        chosen=chosen,
        choices=page_views.rules_choices(rules or DEFAULT),
        rows=tuple(_history_row(line) for line in found.lines),
        first_url=urls.history(chosen) if found.newer or before else "",
        newer_url=urls.history(chosen, after=found.newer.text) if found.newer else "",
        older_url=urls.history(chosen, before=found.older.text) if found.older else "",
    )
    return page_answer(request, page)


routes = [Route(urls.HISTORY, history)]


def _history_row(line: Line) -> HistoryRow:
    return HistoryRow(
        url=urls.game(line.id),
        rules=words.rules_name(line.rules),
        code=words.rules_code(line.rules),
        deal=words.deal_name(line.seed, line.daily),
        end=end_name(line.end),
        moves=line.moves,
        time=clock(line.won_in),
        hints=line.hints,
        begun=moment(line.begun_at),
        onward=line.onward,
        replay_url=urls.replay(line.id) if line.end in {"won", "left"} else "",
    )
