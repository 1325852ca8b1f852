"""Taking games along: a game as a text, everything as JSON, the games as CSV, and the way back in."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from app.play.errors import NotFound, Unauthorized
from app.play.limits import IMPORT
from app.play.players import Player
from app.rules.cards import Unreadable
from app.rules.moves import read_action
from app.rules.record import TEXT_MOST, game_text, recorded
from app.rules.ruleset import IllegalRuleSet
from app.web import language, urls, words
from app.web.deps import (
    TooLarge,
    WrongMediaType,
    announced_too_large,
    from_program,
    media_type,
    own_game,
    prefer,
    preferences,
    read_number,
    remember,
    rooms,
    stranger,
    token,
)
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import ngettext
from app.web.metered import charge_dear

EXPORT_MOST = 32 * 1024 * 1024
"""The most bytes that an import may have."""

_UPLOAD_SECONDS = 300
_FORM, _JSON, _TEXT = "multipart/form-data", "application/json", "text/plain"
_PRIVATE = {"Cache-Control": "private, no-store"}


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The form for an export or a game text; ``result`` says what came of the last one, empty before.

    ``known`` tells whether there is a player, whose games could be exported. ``fault`` says what was wrong with the
    last one, and ``text`` is what was pasted.
    """

    template: ClassVar[str] = "import.html"

    title: str
    known: bool
    result: str = ""
    fault: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Sent:
    """What was sent for an import: its ``parts``, and the text among them where it was pasted."""

    parts: tuple[bytes, ...]
    text: str = ""

    def whole(self) -> bytes:
        """The one part with something in it. Raises Unreadable."""
        filled = [part for part in self.parts if part.strip()]
        if not filled:
            raise Unreadable("choose a file or paste a game")
        if filled[1:]:
            raise Unreadable("choose a file or paste a game, not both")
        return filled[0]


async def text(request: Request) -> Response:
    """A game as a text, for its player."""
    table = await own_game(request)
    if table.deal.seed is None and not table.over:
        # The text would carry the deck, and so the cards that still lie face down.
        raise NotFound("the text of a game with a deck of its own can be had once it is over")
    actions = tuple(map(read_action, table.log.split()))
    record = replace(recorded(table.rules, table.deal, table.opening, actions, table.game), left=table.left)
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
    result = ""
    if "imported" in request.query_params:
        result = _result_text(*(read_number(request.query_params.get(name, "0")) for name in ("imported", "known")))
    return await _ask(request, result=result)


async def bring(request: Request) -> Response:
    """Take in an export or a game text, once. Raises TooFast, TooBusy, TooLarge, WrongMediaType, Unreadable."""
    room, asker = rooms(request), token(request)
    if "authorization" in request.headers and await room.run(partial(room.players.find, token=asker)) is None:
        raise Unauthorized
    sent = _Sent(())
    try:
        with room.portable.arriving(stranger(request)):
            await charge_dear(request, IMPORT)
            sent = await _received(request)
        with room.portable.turn():
            brought = await room.portable.bring(asker, preferences(request), sent.whole())
    except (Unreadable, IllegalRuleSet, TooLarge) as fault:
        if from_program(request):
            raise
        # What was pasted is not lost: it stands in the form again, with what is wrong with it.
        status = 413 if isinstance(fault, TooLarge) else 422
        return await _ask(request, status, fault=words.sentence(language.error_text(fault)), text=sent.text)
    if from_program(request):
        response: Response = JSONResponse({"imported": brought.imported, "known": brought.known})
    else:
        response = RedirectResponse(urls.imported(brought.imported, brought.known), status_code=303)
    remember(request, response, brought.token)
    if brought.preferences is not None:
        prefer(request, response, brought.preferences)
    return response


routes = [
    Route("/g/{game}/text", text),
    Route("/me/export", export),
    Route("/me/games.csv", table),
    Route("/me/import", ask),
    Route("/me/import", bring, methods=["POST"]),
]


async def _ask(request: Request, status: int = 200, *, result: str = "", fault: str = "", text: str = "") -> Response:
    room = rooms(request)
    known = await room.run(partial(room.players.find, token=token(request))) is not None
    return page_answer(request, ImportPage(_("Bring games in"), known, result, fault, text), status)


async def _player(request: Request) -> tuple[Player, str]:
    """The player who asks, and his token. Raises NotFound, and Unauthorized for a bearer whom nobody knows."""
    room, asker = rooms(request), token(request)
    player = await room.run(partial(room.players.show, token=asker))
    if player is None or asker is None:
        raise Unauthorized if "authorization" in request.headers else NotFound
    return player, asker


def _download(pieces: AsyncIterator[str], kind: str, name: str) -> Response:
    return StreamingResponse(
        _while_there(pieces), media_type=f"{kind}; charset=utf-8", headers={**_PRIVATE, **_named(name)}
    )


async def _while_there(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """The pieces, as long as the player is there: one who deletes himself meanwhile gets no more of them."""
    with suppress(NotFound):
        async for piece in pieces:
            yield piece


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _result_text(imported: int, known: int) -> str:
    came = ngettext("%(count)s game came in", "%(count)s games came in", imported)
    if imported == 1:
        came = _("one game came in")
    if not known:
        return words.sentence(came)
    here = ngettext("%(count)s was here already", "%(count)s were here already", known)
    if known == 1:
        here = _("one was here already")
    return words.sentence(f"{came}; {here}")


async def _received(request: Request) -> _Sent:
    """What is to be imported, whichever way it is sent."""
    kind = media_type(request)
    if kind not in {_FORM, _JSON, _TEXT}:
        raise WrongMediaType("the body must be %(one)s, %(other)s or %(third)s", one=_FORM, other=_JSON, third=_TEXT)
    if announced_too_large(request, EXPORT_MOST):
        raise _too_large()
    try:
        async with asyncio.timeout(_UPLOAD_SECONDS):
            if kind == _FORM:
                return await _from_form(request)
            return _Sent((b"".join([part async for part in _bounded(request)]),))
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


async def _from_form(request: Request) -> _Sent:
    """The file in a form, and the text."""
    parser = MultiPartParser(request.headers, _bounded(request), max_files=1, max_fields=2, max_part_size=2 * TEXT_MOST)
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError, LookupError) as why:
        raise Unreadable("the form cannot be read") from why
    try:
        pasted = "".join(value for _, value in form.multi_items() if isinstance(value, str))
        return _Sent(tuple([await _content(name, value) for name, value in form.multi_items()]), pasted)
    finally:
        await form.close()


async def _content(name: str, value: UploadFile | str) -> bytes:
    if name not in {"file", "text"}:
        raise Unreadable("the form has a file and a text")
    return value.encode("utf-8", "replace") if isinstance(value, str) else await value.read()


def _too_large() -> TooLarge:
    return TooLarge("an import may have %(most)s MB at the most", most=EXPORT_MOST // 1024**2)
