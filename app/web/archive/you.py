"""The player about himself: name, recovery code, the way to another browser, and the way out."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.play.players import NAME_MOST, Player, code_text, read_code, read_name
from app.rules.cards import Unreadable
from app.web import language, urls, words
from app.web.deps import forget, network, prefer, read_form, remember, rooms, token
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import noted

_WRONG_CODE = noted("Nobody has this code. Codes are shown once; a newer one makes the older ones void.")
_RECOVERY = noted("Recovery")
_ENTERED_MOST = 64
_SECRET = {"Cache-Control": "no-store"}


@dataclass(frozen=True, slots=True)
class YouPage:
    """The player, None before his first game; ``code`` is a recovery code just made, shown this once.

    ``fault`` says what was wrong with a name, ``entered`` is that name; ``kept`` when one was just kept. ``most`` are
    the characters that it may have.
    """

    template: ClassVar[str] = "you.html"

    title: str
    player: Player | None
    code: str = ""
    link: str = ""
    fault: str = ""
    entered: str = ""
    kept: bool = False
    most: int = NAME_MOST


@dataclass(frozen=True, slots=True)
class RecoverPage:
    """The form for a recovery code; ``here`` tells whether this browser has a player already.

    ``fault`` says what was wrong with a code, ``entered`` is what was entered.
    """

    template: ClassVar[str] = "recover.html"

    title: str
    here: bool
    fault: str = ""
    entered: str = ""


@dataclass(frozen=True, slots=True)
class ForgetPage:
    """The question whether everything should be deleted."""

    template: ClassVar[str] = "forget.html"

    title: str


async def you(request: Request) -> Response:
    """What is known of the player who asks."""
    return page_answer(request, YouPage(_("You"), await _player(request), kept="kept" in request.query_params))


async def rename(request: Request) -> Response:
    """Another display name, or none."""
    room, entered = rooms(request), (await read_form(request)).get("name", "")
    try:
        name = read_name(entered)
    except Unreadable as fault:
        text = words.sentence(language.error_text(fault))
        return page_answer(request, YouPage(_("You"), await _player(request), fault=text, entered=entered), 422)
    await room.run(partial(room.players.rename, token=token(request), name=name))
    return RedirectResponse(urls.NAME_KEPT, status_code=303)


async def new_code(request: Request) -> Response:
    """A fresh recovery code, shown in this answer and never again."""
    room = rooms(request)
    code = await room.run(partial(room.players.new_code, token=token(request)))
    page = YouPage(_("You"), await _player(request), code_text(code), urls.recovery(code))
    return page_answer(request, page, 200, _SECRET)


async def recovery(request: Request) -> Response:
    """The form for a recovery code."""
    return page_answer(request, RecoverPage(_(_RECOVERY), await _player(request) is not None))


async def recover(request: Request) -> Response:
    """Bring a player to this browser by his code."""
    room, form, asker = rooms(request), await read_form(request), network(request)
    await room.run(partial(room.slowdown.enter, who=asker))
    try:
        code = read_code(form.get("code", ""))
        new_token, preferred = await room.moving.recover(token(request), code, bring="bring" in form)
    except (Unreadable, NotFound) as fault:
        text = _(_WRONG_CODE) if isinstance(fault, NotFound) else words.sentence(language.error_text(fault))
        here, entered = await _player(request) is not None, form.get("code", "")[:_ENTERED_MOST]
        return page_answer(request, RecoverPage(_(_RECOVERY), here, text, entered), 422, _SECRET)
    await room.run(partial(room.slowdown.forgive, who=asker))
    response = RedirectResponse(urls.RECORDS, status_code=303)
    remember(request, response, new_token)
    prefer(request, response, preferred)
    return response


async def ask_to_forget(request: Request) -> Response:
    """Ask once whether everything should be deleted. Raises NotFound where there is nothing."""
    room = rooms(request)
    await room.run(partial(room.players.require, token=token(request)))
    return page_answer(request, ForgetPage(_("Delete everything")))


async def forget_me(request: Request) -> Response:
    """Delete the player with all games, records and links."""
    room = rooms(request)
    if (await read_form(request)).get("sure") != "yes":
        raise Unreadable("the question was not answered")
    await room.moving.forget(token(request))
    response = RedirectResponse("/", status_code=303)
    forget(request, response)
    return response


routes = [
    Route("/you", you),
    Route("/you/name", rename, methods=["POST"]),
    Route("/you/code", new_code, methods=["POST"]),
    Route("/recover", recovery),
    Route("/recover", recover, methods=["POST"]),
    Route("/you/delete", ask_to_forget),
    Route("/you/delete", forget_me, methods=["POST"]),
]


async def _player(request: Request) -> Player | None:
    room = rooms(request)
    return await room.run(partial(room.players.show, token=token(request)))
