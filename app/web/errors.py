"""What each refusal is met with: a status and words, as a page, a fragment, or problem+json (RFC 9457)."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.play.errors import GameLeft, Illegal, NotFound, Refused, Stale, TooBusy, TooFast, Unauthorized, Unavailable
from app.rules.cards import Unreadable
from app.rules.ruleset import IllegalRuleSet
from app.rules.told import Told
from app.web import words
from app.web.deps import TooLarge, WrongMediaType, from_htmx, from_program, own_game, rooms
from app.web.html import html_answer, page_answer
from app.web.language import error_text, noted
from app.web.language import gettext as _
from app.web.layers.below import base_of
from app.web.table.actions import refused_answer
from app.web.table.gamejson import game_json
from app.web.table.page_views import ErrorPage
from app.web.table.views import Notice, NoticeKind

API = "/api/"
RETRY_SECONDS = 5
TRY_AGAIN = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
"""What passes: the answer tells when to ask again."""

Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """How an exception is met: status, a stable kind for programs, a heading, words, and the look of the notice.

    ``text`` is empty where the exception brings its own words; ``notice`` is for what leaves a table to show.
    """

    status: HTTPStatus
    kind: str
    title: str
    text: str = ""
    notice: NoticeKind = "refused"


MEETINGS: dict[type[Exception], Meeting] = {
    Unreadable: Meeting(HTTPStatus.UNPROCESSABLE_ENTITY, "unreadable", noted("That cannot be read")),
    IllegalRuleSet: Meeting(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-rule-set", noted("No such game")),
    Illegal: Meeting(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-action", noted("Not possible")),
    GameLeft: Meeting(HTTPStatus.UNPROCESSABLE_ENTITY, "game-left", noted("Given up"), words.LEFT, "left"),
    Stale: Meeting(HTTPStatus.CONFLICT, "stale", noted("The table has changed"), words.STALE, "stale"),
    NotFound: Meeting(HTTPStatus.NOT_FOUND, "not-found", noted("Not found"), words.NOT_FOUND),
    WrongMediaType: Meeting(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "wrong-media-type", noted("Wrong kind of body")),
    TooLarge: Meeting(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", noted("Too large"), words.TOO_LARGE),
    TooBusy: Meeting(HTTPStatus.TOO_MANY_REQUESTS, "too-busy", noted("One moment, please"), words.TOO_BUSY),
    TooFast: Meeting(HTTPStatus.TOO_MANY_REQUESTS, "too-fast", noted("Not so fast"), words.TOO_FAST),
    Unauthorized: Meeting(HTTPStatus.UNAUTHORIZED, "unauthorized", noted("Who is this?"), words.UNAUTHORIZED),
    Unavailable: Meeting(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", noted("One moment, please"), words.UNAVAILABLE),
}

FORGED = Meeting(HTTPStatus.FORBIDDEN, "forged", noted("Not from here"), words.FORGED)
BROKEN = Meeting(HTTPStatus.INTERNAL_SERVER_ERROR, "broken", noted("Something broke"), words.BROKEN)


def handlers() -> dict[type[Exception] | int, Handler]:
    """The exception handlers of the application."""
    return {**dict.fromkeys(MEETINGS, meet), RequestValidationError: meet_invalid, HTTPException: meet_http}


async def meet(request: Request, error: Exception) -> Response:
    """The answer to one of MEETINGS."""
    meeting = next(MEETINGS[kind] for kind in type(error).__mro__ if kind in MEETINGS)
    text = _own_words(error) or _(meeting.text)
    if not isinstance(error, Refused):
        response = problem(request, meeting, text, await _game_acted_on(request, error))
        if isinstance(error, TooFast):
            response.headers["Retry-After"] = str(error.seconds)
        if isinstance(error, Unauthorized):
            response.headers["WWW-Authenticate"] = "Bearer"
        return response
    if not request.url.path.startswith(API):
        return refused_answer(request, error, Notice(meeting.notice, text), meeting.status)
    game = {"game": game_json(error.table, base_of(request))}
    if not isinstance(error, Illegal):
        return problem(request, meeting, text, game)
    if error.table.paused:
        # Of a paused game no card is told, not even that it cannot go.
        return problem(request, meeting, _(words.PAUSED), game)
    return problem(request, meeting, text, {"reason": error.why.reason.value, **game})


async def meet_invalid(request: Request, _error: Exception) -> Response:
    """The answer to an address or a query that does not fit."""
    return problem(request, MEETINGS[Unreadable], _("A part of the address cannot be read."))


async def meet_http(request: Request, error: Exception) -> Response:
    """The answer to what the framework refuses: no such address, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    title, text = words.STATUSES.get(status, words.REFUSED)
    response = problem(request, Meeting(status, status.phrase.lower().replace(" ", "-"), title, text))
    response.headers.update(error.headers or {})
    return response


def problem(
    request: Request, meeting: Meeting, text: str = "", extra: Mapping[str, object] = MappingProxyType({})
) -> Response:
    """An error as the one who asked can use it."""
    title, text = _(meeting.title), text or _(meeting.text)
    headers = {"Retry-After": str(RETRY_SECONDS)} if meeting.status in TRY_AGAIN else {}
    if request.url.path.startswith(API) or from_program(request):
        body = {"type": f"urn:pyramid13:{meeting.kind}", "title": title, "status": meeting.status.value}
        content = {**body, "detail": text, **extra}
        return JSONResponse(content, meeting.status, headers, media_type="application/problem+json")
    if request.method == "POST" and from_htmx(request):
        # Nothing on the table changes: only the live region is told.
        html = rooms(request).render.live(text)
        return html_answer(request, html, meeting.status, {**headers, "HX-Reswap": "none"})
    return page_answer(request, ErrorPage(title, text), meeting.status, headers)


async def _game_acted_on(request: Request, error: Exception) -> dict[str, object]:
    """The game of a program's action that was refused before it came to the game; nothing of anybody else's."""
    action = request.method == "POST" and request.url.path.startswith(API) and "game" in request.path_params
    if not action or isinstance(error, NotFound | Unauthorized | Unavailable):
        return {}
    try:
        return {"game": game_json(await own_game(request), base_of(request))}
    except (NotFound, Unavailable):
        return {}


def _own_words(error: Exception) -> str:
    """What an exception says itself, where it was made for the player's eyes."""
    if isinstance(error, Illegal):
        return words.refusal(error.why)
    return words.sentence(error_text(error)) if isinstance(error, Told) else ""
