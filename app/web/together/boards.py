"""Boards as pages and as JSON."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.together.boards import Board, Row
from app.play.together.daily import day_of
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet
from app.web import urls, words
from app.web.api import router
from app.web.deps import preferences, rooms, token
from app.web.html import html_answer
from app.web.table.pages import named_deal
from app.web.together.daily import named_daily

_LISTS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("First attempts", "The first game of each player on this deal, won without help.", frozenset()),
    ("With help", "After a hint, or after the solution had been seen.", frozenset({"with help"})),
    ("Further attempts", "The best of each player who had begun the deal before.", frozenset({"again"})),
    ("On later days", "The deal of the day, begun when the day was over.", frozenset()),
)
"""The lists: heading, a line on what stands in them, and what need not be said again of each row."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a board; ``day`` is when it was won, YYYY-MM-DD, ``note`` what is to be said of it."""

    place: int
    name: str
    moves: int
    clock: str
    day: str
    note: str
    own: bool


@dataclass(frozen=True, slots=True)
class ListView:
    """A list of a board, with its heading and a line on what stands in it."""

    heading: str
    line: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A deal's board; ``you_url`` is empty for an asker who has a name."""

    template: ClassVar[str] = "board.html"

    title: str
    rules_name: str
    deal_name: str
    deal_url: str
    you_url: str
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
    if not urls.board(rules, deal).startswith(request.url.path):
        return RedirectResponse(urls.board(rules, deal), status_code=308)
    found = await rooms(request).boards.board(token(request), rules, deal)
    return _page(request, _board_page(rules, words.deal_name(deal.seed), urls.deal(rules, deal), found))


async def daily_board(request: Request) -> Response:
    """The board of a day's deal."""
    room, (rules, day) = rooms(request), named_daily(request)
    deal = await room.dailies.deal(rules, day)
    found = await room.boards.board(token(request), rules, deal, day)
    return _page(
        request, _board_page(rules, words.deal_name(None, day.isoformat()), urls.daily(rules, day.isoformat()), found)
    )


@router.get("/boards/{rules}/{seed}")
async def show_board(request: Request, rules: str, seed: str) -> BoardJson:  # noqa: ARG001 - documented parameters.
    """Who won a deal. ``seed`` may be a whole deck, as in deal links."""
    rule_set, deal = named_deal(request)
    found = await rooms(request).boards.board(token(request), rule_set, deal)
    return _board_json(rule_set, deal, found)


routes = [
    Route("/b/{rules}/{seed}", board),
    Route("/b/{rules}", board),
    Route("/daily/{rules}/{day}/board", daily_board),
]


def _page(request: Request, view: BoardPage) -> Response:
    return html_answer(request, rooms(request).render.page(view, preferences(request)))


def _board_page(rules: RuleSet, deal_name: str, deal_url: str, found: Board) -> BoardPage:
    """The first list stands there even when it is empty; the others only with something in them."""
    lists = (found.first, found.helped, found.repeats, found.late)
    name = words.rules_name(rules)
    return BoardPage(
        title=f"{name}, {deal_name}: board",
        rules_name=name,
        deal_name=deal_name,
        deal_url=deal_url,
        you_url="" if found.named else urls.YOU,
        lists=tuple(
            ListView(heading, line, tuple(_row_view(row, told) for row in rows))
            for (heading, line, told), rows in zip(_LISTS, lists, strict=True)
            if rows or heading == _LISTS[0][0]
        ),
    )


def _row_view(row: Row, told: frozenset[str]) -> RowView:
    notes = (("you", row.own), ("with help", row.helped), ("again", row.repeat))
    return RowView(
        place=row.place,
        name=row.name,
        moves=row.moves,
        clock=words.clock(row.milliseconds // 1000),
        day=day_of(row.won_at).isoformat(),
        note=", ".join(note for note, true in notes if true and note not in told),
        own=row.own,
    )


def _board_json(rules: RuleSet, deal: Deal, found: Board) -> BoardJson:
    return BoardJson(
        rules=rules.slug,
        seed=deal.seed,
        link=urls.deal(rules, deal),
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
