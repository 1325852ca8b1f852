"""The forms: every POST is one action, answered to htmx with a fragment and to a plain form with 303 to the page."""

import re
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import GameLeft, Illegal, Refused, Stale
from app.play.games import New, open_deal
from app.play.preferences import chosen
from app.play.table import Acted, Table
from app.rules.cards import Card, Unreadable, read_card
from app.rules.moves import Action, discard, is_king, read_action
from app.rules.state import IllegalMove, check_choosable
from app.web import deeds, urls, words
from app.web.deps import (
    from_htmx,
    own_game,
    prefer,
    preferences,
    read_form,
    read_number,
    read_version,
    remember,
    renew,
    rooms,
    token,
)
from app.web.html import html_answer, page_answer
from app.web.language import gettext as _
from app.web.metered import run_dear
from app.web.table import page_views
from app.web.table.pages import named_deal
from app.web.table.telling import drawn, hint_on, news, take_hint, told_at_once
from app.web.table.views import Notice, Shown

_BACK_MOST = 1_000
_BEGIN_KEY = re.compile(r"[A-Za-z0-9_-]{20,64}")


@dataclass(frozen=True, slots=True)
class _Pressed:
    """What was pressed: an action, or a card to be chosen; a card after a first one is both.

    ``action`` is tried first; where the rules refuse it and there is a ``card``, that card becomes the choice.
    ``back`` undoes so many moves at once; ``hint`` asks for the first or the second half of a hint; ``pause`` is
    ``on`` or ``off``.
    """

    version: int
    begin: str = ""
    action: Action | None = None
    card: Card | None = None
    back: int = 0
    hint: int = 0
    pause: str = ""


async def act(request: Request) -> Response:
    """An action on a game."""
    room, game_id = rooms(request), request.path_params["game"]
    pressed = await _press(request)
    if pressed.hint:
        return await _hint(request, game_id, pressed, token(request))
    if pressed.back:
        return await _back(request, game_id, pressed)
    if pressed.pause:
        on = pressed.pause == "on"
        table = await room.run(partial(room.games.pause, token=token(request), game_id=game_id, on=on))
        return _shown(request, table, "")
    if pressed.action is None:
        return _chosen(request, await own_game(request), pressed)
    use_case = partial(
        room.games.act, token=token(request), game_id=game_id, version=pressed.version, action=pressed.action
    )
    return await _acted(request, room.run(use_case), pressed)


async def begin(request: Request) -> Response:
    """The first action on a deal, which begins a game."""
    return await begin_on(request, open_deal(*named_deal(request)))


async def begin_on(request: Request, opening: Table) -> Response:
    """The first action on an opening table, whatever page it stands on."""
    room = rooms(request)
    pressed = await _press(request)
    new = New(pressed.begin or room.fresh_key(), preferences(request))
    if pressed.version:
        return refused_answer(request, Stale(opening), Notice("stale", _(words.STALE)), 409, new.key)
    if pressed.hint:
        opened = partial(room.games.open, token=token(request), opening=opening, new=new)
        table, new_token = await run_dear(request, opened)
        response = await _hint(request, table.id or "", pressed, new_token or token(request))
        response.headers["HX-Replace-Url"] = urls.game(table.id or "")
        remember(request, response, new_token)
        return response
    if pressed.back or pressed.pause:
        raise Unreadable("this game has not begun")
    if pressed.action is None:
        return _chosen(request, opening, pressed)
    use_case = partial(room.games.begin, token=token(request), opening=opening, new=new, action=pressed.action)
    return await _acted(request, run_dear(request, use_case), pressed)


async def _acted(request: Request, acting: Awaitable[Acted], pressed: _Pressed) -> Response:
    try:
        acted = await acting
    except Illegal as refused:
        return _refused(request, refused, pressed)
    return _answer(request, acted)


async def _back(request: Request, game_id: str, pressed: _Pressed) -> Response:
    """Some moves undone at once."""
    room = rooms(request)
    use_case = partial(
        room.games.back, token=token(request), game_id=game_id, version=pressed.version, count=pressed.back
    )
    return _answer(request, await room.run(use_case), pressed.back)


async def _hint(request: Request, game_id: str, pressed: _Pressed, asker: str | None) -> Response:
    """A hint, counted once there is one; its second half names the cards. Raises TooBusy."""
    hint, table = await take_hint(request, asker, game_id, pressed.version)
    if not from_htmx(request):
        return RedirectResponse(urls.hint(game_id, pressed.hint), status_code=303)
    shown = hint_on(request, table, hint, pressed.hint)
    return html_answer(
        request, rooms(request).render.table(drawn(request, table, shown), shown.notice.text if shown.notice else "")
    )


async def leave(request: Request) -> Response:
    """Give a game up."""
    room = rooms(request)
    table = await room.run(partial(room.games.leave, token=token(request), game_id=request.path_params["game"]))
    return _shown(request, table, "")


async def settings(request: Request) -> Response:
    """Keep what a player chooses: in his browser, and with him where he is known."""
    room, form = rooms(request), await read_form(request)
    back = urls.local(form.pop("next", "/"))
    wanted = chosen(form, preferences(request))
    await room.run(partial(room.players.prefer, token=token(request), preferences=wanted))
    response = RedirectResponse(urls.settings(back, kept=True), status_code=303)
    prefer(request, response, wanted)
    return response


routes = [
    Route("/g/{game}", act, methods=["POST"]),
    Route("/d/{rules}/{seed}", begin, methods=["POST"]),
    Route("/d/{rules}", begin, methods=["POST"]),
    Route("/g/{game}/leave", leave, methods=["POST"]),
    Route("/settings", settings, methods=["POST"]),
]


def refused_answer(request: Request, refused: Refused, notice: Notice, status: int, begin: str = "") -> Response:
    """The current table with the reason why nothing was changed."""
    verdict = told_at_once(request, refused.table)
    view = drawn(request, refused.table, Shown(begin=begin, notice=notice, verdict=verdict))
    if from_htmx(request):
        return html_answer(request, rooms(request).render.table(view, notice.text), status)
    return page_answer(request, page_views.table_page(refused.table, view, said=notice.text), status)


async def _press(request: Request) -> _Pressed:
    """What was pressed. Raises Unreadable, for a hint too where the player wants none."""
    pressed = _pressed(await read_form(request))
    if pressed.hint and not preferences(request).hinted:
        raise Unreadable("hints are turned off in the settings")
    return pressed


def _pressed(form: dict[str, str]) -> _Pressed:
    """Read the form. Raises Unreadable."""
    version, begin = read_version(form.get("version")), form.get("begin", "")
    if begin and not _BEGIN_KEY.fullmatch(begin):
        raise Unreadable("this page is not one of ours; open the deal again")
    named = [name for name in ("action", "card", "back", "hint", "pause") if name in form]
    if len(named) != 1:
        raise Unreadable("a form names one action, or one card")
    match named[0]:
        case "action":
            return _Pressed(version, begin, read_action(form["action"]))
        case "back":
            return _Pressed(version, begin, back=_read_number(form["back"], _BACK_MOST))
        case "hint":
            return _Pressed(version, begin, hint=_read_number(form["hint"], 2))
        case "pause" if form["pause"] in {"on", "off"}:
            return _Pressed(version, begin, pause=form["pause"])
        case "pause":
            raise Unreadable("a pause is on or off")
    card = read_card(form["card"])
    first = read_card(form["chosen"]) if form.get("chosen") else card
    action = discard(card) if is_king(card) else discard(first, card) if first != card else None
    return _Pressed(version, begin, action, card)


def _read_number(text: str, most: int) -> int:
    number = read_number(text)
    if not 1 <= number <= most:
        raise Unreadable("a number from 1 to %(most)s is expected", most=most)
    return number


def _chosen(request: Request, table: Table, pressed: _Pressed) -> Response:
    """The table with a card chosen, where it can be."""
    card = pressed.card
    if table.left:
        raise GameLeft(table)
    # Of a paused game no card is told, not even that it cannot go.
    if card is not None and not table.paused:
        try:
            check_choosable(table.game.state, card)
        except IllegalMove as why:
            return _not_possible(request, Illegal(table, why), pressed)
    return _shown(request, table, "", card=card, begin=pressed.begin)


def _refused(request: Request, refused: Illegal, pressed: _Pressed) -> Response:
    """A second card that does not go with the first becomes the choice, without scolding."""
    if refused.table.paused:
        return _shown(request, refused.table, "")
    if pressed.card is not None and not is_king(pressed.card):
        return _chosen(request, refused.table, pressed)
    return _not_possible(request, refused, pressed)


def _not_possible(request: Request, refused: Illegal, pressed: _Pressed) -> Response:
    """The table unchanged, with the reason; a deal's page keeps the key of the game that may begin there."""
    return refused_answer(request, refused, Notice("refused", words.refusal(refused.why)), 422, pressed.begin)


def _answer(request: Request, acted: Acted, back: int = 0) -> Response:
    """The table after an action, and what the action did, in words; ``back`` undos were one press."""
    game = acted.table.game
    said = "" if acted.before is None else deeds.all_undone(back) if back > 1 else deeds.did(acted.action, game)
    begun = acted.table.version == 1
    if acted.wins:
        rooms(request).judge.judge_later(acted.table)
    response = _shown(request, acted.table, said, begun=begun, back=back > 0)
    if acted.token is not None:
        remember(request, response, acted.token)
    elif begun:
        renew(request, response)
    return response


def _shown(  # noqa: PLR0913 - what can stand on a table, and how it came to stand there.
    request: Request,
    table: Table,
    said: str,
    *,
    card: Card | None = None,
    begin: str = "",
    begun: bool = False,
    back: bool = False,
) -> Response:
    page_url = urls.page(table)
    if not from_htmx(request):
        return RedirectResponse(urls.with_choice(page_url, card), status_code=303)
    verdict = told_at_once(request, table)
    view = drawn(request, table, Shown(begin=begin, chosen=card, verdict=verdict))
    ending = view.notice.text if view.notice else ""
    heard = news(request, table, verdict, back=back) if said else ""
    response = html_answer(request, rooms(request).render.table(view, " ".join(filter(None, (said, ending, heard)))))
    if begun:
        response.headers["HX-Replace-Url"] = page_url
    return response
