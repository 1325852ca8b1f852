"""Replays: a game stepped through, looked back on, shown to others, and played on from any of its positions."""

from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.advice.lookback import LookBack, can_look_back
from app.play.errors import NotFound, TooBusy
from app.play.table import Table
from app.rules.cards import Unreadable
from app.rules.state import is_won
from app.web import urls, words
from app.web.deps import own_game, preferences, read_form, read_number, remember, renew, rooms, token
from app.web.html import html_answer, page_answer
from app.web.language import gettext as _
from app.web.language import noted
from app.web.metered import run_dear
from app.web.replay.replay_views import (
    LookBackView,
    PositionView,
    ReplayPage,
    lookback_view,
    position_view,
    waiting_view,
)

WAIT_SECONDS = 20.0
"""How long a page without script waits for a look back."""

_LATER = noted("Once this game is won or given up, you can look back on it here, and share it.")
_TOO_LONG = noted("This game has too many moves to be looked back on.")


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A game that is replayed: by its player, or by whoever has the link (``own`` is False).

    ``page`` is the address of the replay, ``place`` that of the game or of the link.
    """

    table: Table
    page: str
    place: str
    own: bool


async def replay(request: Request) -> Response:
    """The replay of a game at one of its positions."""
    replayed = await _replayed(request)
    at = _read_at(request.query_params.get("at", "0"), replayed.table)
    room, table = rooms(request), replayed.table
    key = None
    if replayed.own and table.over:
        use_case = partial(room.links.key_of, token=token(request), game_id=table.id or "", kind="replay")
        key = await room.run(use_case)
    looks = await _looks(request, replayed, at, wait="looked" in request.query_params)
    page = _page(replayed, await _position(request, replayed, at), looks, urls.shared(key) if key else "")
    return page_answer(request, page)


async def position(request: Request) -> Response:
    """The fragment with another position."""
    replayed = await _replayed(request)
    at = _read_at(request.query_params.get("at"), replayed.table)
    return html_answer(request, rooms(request).render.position(await _position(request, replayed, at)))


async def lookback(request: Request) -> Response:
    """The fragment with the look back as far as it is known; it asks for the rest itself."""
    replayed = await _replayed(request)
    at = _read_at(request.query_params.get("at", "0"), replayed.table)
    room = rooms(request)
    try:
        found = await room.lookbacks.so_far(replayed.table)
        await told_better(request, replayed.table, found)
        view = lookback_view(replayed.table, found, at, replayed.place, replayed.page)
    except TooBusy:
        view = waiting_view(replayed.place, replayed.page, at, _(words.TOO_BUSY))
    return html_answer(request, room.render.lookback(view))


async def share(request: Request) -> Response:
    """Make the link to a replay."""
    at = _form_at(await read_form(request))
    room, game_id = rooms(request), request.path_params["game"]
    await run_dear(request, partial(room.links.share, token=token(request), game_id=game_id, kind="replay"))
    return RedirectResponse(urls.sharing(game_id, at), status_code=303)


async def unshare(request: Request) -> Response:
    """Withdraw the link to a replay."""
    at = _form_at(await read_form(request))
    room, game_id = rooms(request), request.path_params["game"]
    await room.run(partial(room.links.withdraw, token=token(request), game_id=game_id, kind="replay"))
    return RedirectResponse(urls.sharing(game_id, at), status_code=303)


async def play_on(request: Request) -> Response:
    """A game of one's own from a position of the one that is replayed."""
    replayed = await _replayed(request)
    at = _read_at((await read_form(request)).get("at"), replayed.table)
    room, table = rooms(request), replayed.table
    if is_won((await room.lookbacks.track(table)).states[at]):
        raise Unreadable("this position is won; there is nothing to play on from")
    use_case = partial(room.games.play_on, token=token(request), table=table, at=at, preferences=preferences(request))
    onward, new_token = await run_dear(request, use_case)
    if new_token is not None and table.game.won_after is not None:
        await _saw(request, table, new_token)
    response = RedirectResponse(urls.game(onward.id or ""), status_code=303)
    renew(request, response)
    remember(request, response, new_token)
    return response


async def told_better(request: Request, table: Table, found: LookBack) -> None:
    """Remember, for the boards, that a player was told which moves would have kept a game of a deal."""
    if found.done and found.slips:
        await _saw(request, table, token(request))


routes = [
    Route("/g/{game}/replay", replay),
    Route("/g/{game}/replay/at", position),
    Route("/g/{game}/lookback", lookback),
    Route("/g/{game}/share", share, methods=["POST"]),
    Route("/g/{game}/unshare", unshare, methods=["POST"]),
    Route("/g/{game}/on", play_on, methods=["POST"]),
    Route("/r/{key}", replay),
    Route("/r/{key}/at", position),
    Route("/r/{key}/lookback", lookback),
    Route("/r/{key}/on", play_on, methods=["POST"]),
]


async def _replayed(request: Request) -> _Replayed:
    """The game that the address names, if whoever asks may see it and an action was taken. Raises NotFound."""
    room = rooms(request)
    if "key" in request.path_params:
        key = request.path_params["key"]
        table = await room.run(partial(room.links.shared, key=key, kind="replay"))
        if table.game.won_after is not None:
            # Another's win shows how the deal goes.
            await _saw(request, table, token(request))
        return _Replayed(table, urls.shared(key), urls.shared(key), own=False)
    table = await own_game(request)
    if not table.version:
        raise NotFound("no move has been made in this game yet")
    if table.paused:
        raise NotFound("this game is paused; its cards are covered")
    game_id = request.path_params["game"]
    return _Replayed(table, urls.replay(game_id), urls.game(game_id), own=True)


async def _saw(request: Request, table: Table, asker: str | None) -> None:
    if asker is not None:
        room = rooms(request)
        await room.run(partial(room.boards.saw, token=asker, rules=table.rules, deal=table.deal))


async def _position(request: Request, replayed: _Replayed, at: int) -> PositionView:
    track = await rooms(request).lookbacks.track(replayed.table)
    return position_view(replayed.table, track, at, replayed.page)


async def _looks(request: Request, replayed: _Replayed, at: int, *, wait: bool) -> LookBackView | None:
    """The look back as the page has it: to be asked for, or the whole where someone waits for it."""
    if not can_look_back(replayed.table):
        return None
    if wait:
        try:
            found = await rooms(request).lookbacks.whole(replayed.table, WAIT_SECONDS)
            await told_better(request, replayed.table, found)
            return lookback_view(replayed.table, found, at, replayed.place, replayed.page)
        except TooBusy:
            return waiting_view(replayed.place, replayed.page, at, _(words.TOO_BUSY))
    return waiting_view(replayed.place, replayed.page, at)


def _page(replayed: _Replayed, shown: PositionView, looks: LookBackView | None, link: str) -> ReplayPage:
    table, name = replayed.table, words.rules_name(replayed.table.rules)
    deal_name = words.deal_name(table.deal.seed, table.origin.daily)
    game_id = table.id or ""
    mine = replayed.own and table.over
    return ReplayPage(
        title=f"{name} · {deal_name}",
        rules_name=name,
        deal_name=deal_name,
        position=shown,
        page_url=replayed.page,
        position_url=urls.replay_position(replayed.page),
        on_url=urls.play_on(replayed.place),
        game_url=urls.game(game_id) if replayed.own else "",
        # The address of a given deck would show cards that the positions do not.
        deal_url=urls.deal(table.rules, table.deal) if table.deal.seed is not None else "",
        looks=looks,
        later="" if looks else _(_TOO_LONG) if table.over else _(_LATER),
        share_url=urls.share(game_id) if mine and not link else "",
        unshare_url=urls.unshare(game_id) if mine and link else "",
        link=link,
    )


def _read_at(text: str | None, table: Table) -> int:
    """The number of a position of a game. Raises Unreadable."""
    at = read_number(text)
    if at > table.version:
        raise Unreadable("this game has %(count)s actions, not %(at)s", count=table.version, at=at)
    return at


def _form_at(form: dict[str, str]) -> int:
    """The position that a form was sent from; the first where it does not say."""
    return read_number(form["at"]) if "at" in form else 0
