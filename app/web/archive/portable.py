"""Taking games along: a game as a text, everything as JSON, the games as CSV, and the way back in."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from app.play.errors import NotFound, Unauthorized
from app.play.players import Player
from app.rules.cards import Unreadable
from app.rules.moves import read_action
from app.rules.record import TEXT_MOST, game_text, recorded
from app.web import urls
from app.web.deps import (
    TooLarge,
    WrongMediaType,
    from_program,
    media_type,
    prefer,
    preferences,
    read_version,
    remember,
    rooms,
    token,
)
from app.web.html import html_answer

EXPORT_MOST = 32 * 1024 * 1024
"""The most bytes that an import may have."""

_UPLOAD_SECONDS = 300
_LENGTH_DIGITS = 9
_FORM, _JSON, _TEXT = "multipart/form-data", "application/json", "text/plain"
_PRIVATE = {"Cache-Control": "private, no-store"}


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The form for an export or a game text; ``told`` says what came of the last one, empty before.

    ``known`` tells whether there is a player, whose games could be exported.
    """

    template: ClassVar[str] = "import.html"

    title: str
    known: bool
    told: str = ""


async def text(request: Request) -> Response:
    """A game as a text, for its player."""
    room, game_id = rooms(request), request.path_params["game"]
    table = await room.run(partial(room.games.show, token=token(request), game_id=game_id))
    actions = tuple(map(read_action, table.log.split()))
    record = recorded(table.rules, table.deal, table.opening, actions, table.game)
    return PlainTextResponse(game_text(record), headers={**_PRIVATE, **_named(f"pyramid13-{table.id}.txt")})


async def export(request: Request) -> Response:
    """Everything about the player who asks, as JSON."""
    player, asker = await _player(request)
    return _download(rooms(request).portable.export(player, asker), _JSON, "pyramid13.json")


async def table(request: Request) -> Response:
    """The games of the player who asks, as CSV."""
    _, asker = await _player(request)
    return _download(rooms(request).portable.table(asker), "text/csv", "pyramid13-games.csv")


async def ask(request: Request) -> Response:
    """The form for what is to be imported, and what came of it."""
    room, told = rooms(request), ""
    if "imported" in request.query_params:
        told = _told(*(read_version(request.query_params.get(name, "0")) for name in ("imported", "known")))
    known = await room.run(partial(room.players.find, token=token(request))) is not None
    view = ImportPage("Bring games in", known, told)
    return html_answer(request, room.render.page(view, preferences(request)))


async def bring(request: Request) -> Response:
    """Take in an export or a game text, once. Raises TooBusy, TooLarge, WrongMediaType, Unreadable."""
    room, asker = rooms(request), token(request)
    if "authorization" in request.headers and await room.run(partial(room.players.find, token=asker)) is None:
        raise Unauthorized
    with room.portable.turn():
        brought = await room.portable.bring(asker, preferences(request), await _received(request))
    if from_program(request):
        response: Response = JSONResponse({"imported": brought.imported, "known": brought.known})
    else:
        response = RedirectResponse(urls.imported(brought.imported, brought.known), status_code=303)
    remember(request, response, brought.token)
    if brought.preferences is not None:
        prefer(response, brought.preferences)
    return response


routes = [
    Route("/g/{game}/text", text),
    Route("/me/export", export),
    Route("/me/games.csv", table),
    Route("/me/import", ask),
    Route("/me/import", bring, methods=["POST"]),
]


async def _player(request: Request) -> tuple[Player, str]:
    """The player who asks, and his token. Raises NotFound."""
    room, asker = rooms(request), token(request)
    player = await room.run(partial(room.players.show, token=asker))
    if player is None or asker is None:
        raise NotFound
    return player, asker


def _download(pieces: AsyncIterator[str], kind: str, name: str) -> Response:
    return StreamingResponse(pieces, media_type=f"{kind}; charset=utf-8", headers={**_PRIVATE, **_named(name)})


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _told(imported: int, known: int) -> str:
    came = "One game came in" if imported == 1 else f"{imported:,} games came in"
    if not known:
        return f"{came}."
    return f"{came}; {'one was' if known == 1 else f'{known:,} were'} here already."


async def _received(request: Request) -> bytes:
    """What is to be imported, whichever way it is sent."""
    kind = media_type(request)
    if kind not in {_FORM, _JSON, _TEXT}:
        raise WrongMediaType(f"{_FORM}, {_JSON} or {_TEXT}")
    length = request.headers.get("content-length", "0")
    if len(length) > _LENGTH_DIGITS or int(length) > EXPORT_MOST:
        raise _too_large()
    try:
        async with asyncio.timeout(_UPLOAD_SECONDS):
            return await _from_form(request) if kind == _FORM else b"".join([part async for part in _bounded(request)])
    except TimeoutError as why:
        raise Unreadable("this took too long to arrive") from why


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    """The body in parts, given up on as soon as it is too large."""
    length = 0
    async for part in request.stream():
        length += len(part)
        if length > EXPORT_MOST:
            raise _too_large()
        yield part


async def _from_form(request: Request) -> bytes:
    """The file in a form, or the text."""
    parser = MultiPartParser(request.headers, _bounded(request), max_files=1, max_fields=2, max_part_size=2 * TEXT_MOST)
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError, LookupError) as why:
        raise Unreadable("the form cannot be read") from why
    try:
        given = [await _content(name, value) for name, value in form.multi_items()]
    finally:
        await form.close()
    filled = [content for content in given if content.strip()]
    if len(filled) != 1:
        raise Unreadable("choose a file or paste a game, not both" if filled else "choose a file or paste a game")
    return filled[0]


async def _content(name: str, value: UploadFile | str) -> bytes:
    if name not in {"file", "text"}:
        raise Unreadable("the form has a file and a text")
    return value.encode("utf-8", "replace") if isinstance(value, str) else await value.read()


def _too_large() -> TooLarge:
    return TooLarge(f"an import may have {EXPORT_MOST // 1024**2} MB at the most")
