"""Boards as pages and as JSON."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.play.together.boards import Board, Kind, Row
from app.play.together.daily import day_of
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet
from app.web import language, urls, words
from app.web.api import router
from app.web.deps import preferences, rooms, token
from app.web.description import refusals
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import noted, pgettext
from app.web.layers.below import base_of
from app.web.table.pages import moved, named_deal, running
from app.web.together.daily import named_daily

_LISTS: dict[Kind, tuple[str, str]] = {
    "first": (noted("First attempts"), noted("The first game of each player on this deal, won without help.")),
    "helped": (noted("With help"), noted("After a hint, or after the solution had been seen.")),
    "repeats": (noted("Further attempts"), noted("The best of each player who had begun the deal before.")),
    "late": (noted("On later days"), noted("The deal of the day, begun when the day was over.")),
}
"""The lists: heading, and a line on what stands in them."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a board; ``day`` is when it was won, YYYY-MM-DD, ``note`` what is to be said of it.

    ``clock`` is empty for an asker who does not want to see any.
    """

    place: int
    name: str
    moves: int
    clock: str
    day: str
    day_name: str
    note: str
    own: bool


@dataclass(frozen=True, slots=True)
class ListView:
    """A list of a board, with its heading and a line on what stands in it."""

    key: Kind
    heading: str
    line: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A deal's board; ``you_url`` is empty for an asker who has a name, ``calendar_url`` for what is no day's deal.

    ``timed`` tells whether times are shown; ``game_urls`` lead to the games of the deal that the asker is in the
    middle of.
    """

    template: ClassVar[str] = "board.html"

    title: str
    rules_name: str
    code: str
    deal_name: str
    deal_url: str
    calendar_url: str
    you_url: str
    timed: bool
    game_urls: tuple[str, ...]
    lists: tuple[ListView, ...]


class PlaceJson(BaseModel):
    """A row of a board."""

    model_config = ConfigDict(frozen=True)

    place: int = Field(description="shared by those with as many moves and milliseconds")
    name: str
    moves: int
    milliseconds: int
    won_at: int = Field(description="milliseconds since 1970, UTC")
    own: bool


class BoardJson(BaseModel):
    """Who won a deal, best first; each player stands at most once in each list."""

    model_config = ConfigDict(frozen=True)

    rules: str
    seed: str | None = Field(description="null where the deck was given")
    link: str
    first: list[PlaceJson] = Field(description="the first attempt of each player, without help")
    helped: list[PlaceJson] = Field(description="after a hint or the solution")
    repeats: list[PlaceJson] = Field(description="further attempts, without help")


async def board(request: Request) -> Response:
    """The board of a deal."""
    rules, deal = named_deal(request)
    if away := moved(request, urls.board(rules, deal)):
        return away
    found = await rooms(request).boards.board(token(request), rules, deal)
    games = await running(request, rules, deal)
    page = _board_page(
        found, rules, words.deal_name(deal.seed), urls.deal(rules, deal), games, timed=preferences(request).timed
    )
    return page_answer(request, page)


async def daily_board(request: Request) -> Response:
    """The board of a day's deal."""
    room, (rules, day) = rooms(request), named_daily(request)
    deal = await room.dailies.deal(rules, day)
    found = await room.boards.board(token(request), rules, deal, day)
    text = day.isoformat()
    use_case = partial(room.dailies.running, token=token(request), day=day, rules=rules, deal=deal)
    games = tuple(urls.game(game.id) for game in await room.run(use_case))
    name, url = words.deal_name(None, text), urls.daily(rules, text)
    page = _board_page(found, rules, name, url, games, timed=preferences(request).timed)
    return page_answer(request, replace(page, calendar_url=urls.calendar(rules, f"{day:%Y-%m}")))


@router.get("/boards/{rules}/{seed}", responses=refusals(404))
async def show_board(request: Request, rules: str, seed: str) -> BoardJson:  # noqa: ARG001 - documented parameters.
    """Who won a deal. ``seed`` may be a whole deck, as in deal links."""
    rule_set, deal = named_deal(request)
    found = await rooms(request).boards.board(token(request), rule_set, deal)
    return _board_json(rule_set, deal, found, base_of(request))


routes = [
    Route("/b/{rules}/{seed}", board),
    Route("/b/{rules}", board),
    Route("/daily/{rules}/{day}/board", daily_board),
]


def _board_page(  # noqa: PLR0913 - what a board is of, and for whom.
    found: Board, rules: RuleSet, deal_name: str, deal_url: str, game_urls: tuple[str, ...], *, timed: bool
) -> BoardPage:
    """The first list stands there even when it is empty; the others only with something in them."""
    lists: dict[Kind, tuple[Row, ...]] = {
        "first": found.first,
        "helped": found.helped,
        "repeats": found.repeats,
        "late": found.late,
    }
    name = words.rules_name(rules)
    return BoardPage(
        title=_("%(rules)s, %(deal)s: board", rules=name, deal=deal_name),
        rules_name=name,
        code=words.rules_code(rules),
        deal_name=deal_name,
        deal_url=deal_url,
        calendar_url="",
        you_url="" if found.named else urls.YOU,
        timed=timed,
        game_urls=game_urls,
        lists=tuple(_list_view(key, rows, timed=timed) for key, rows in lists.items() if rows or key == "first"),
    )


def _list_view(key: Kind, rows: tuple[Row, ...], *, timed: bool) -> ListView:
    heading, line = _LISTS[key]
    return ListView(key, _(heading), _(line), tuple(_row_view(row, key, timed=timed) for row in rows))


def _row_view(row: Row, key: Kind, *, timed: bool) -> RowView:
    """The view of a row in a list; what all of the list are need not be said again."""
    helped, repeat = row.helped and key != "helped", row.repeat and key != "repeats"
    notes = ((_("you"), row.own), (_("with help"), helped), (pgettext("attempt", "again"), repeat))
    day = day_of(row.won_at)
    return RowView(
        place=row.place,
        name=row.name,
        moves=row.moves,
        clock=words.clock(row.milliseconds // 1000) if timed else "",
        day=day.isoformat(),
        day_name=language.day_text(day),
        note=", ".join(note for note, true in notes if true),
        own=row.own,
    )


def _board_json(rules: RuleSet, deal: Deal, found: Board, base: str) -> BoardJson:
    return BoardJson(
        rules=rules.slug,
        seed=deal.seed,
        link=base + urls.deal(rules, deal),
        first=_places(found.first),
        helped=_places(found.helped),
        repeats=_places(found.repeats),
    )


def _places(rows: Iterable[Row]) -> list[PlaceJson]:
    return [
        PlaceJson(
            place=row.place,
            name=row.name,
            moves=row.moves,
            milliseconds=row.milliseconds,
            won_at=row.won_at,
            own=row.own,
        )
        for row in rows
    ]
