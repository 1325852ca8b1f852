"""A result to be shown to others, and challenges: the same deal for a friend, whose result is told afterwards."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.play.table import Table
from app.play.together.challenges import Challenge, Result
from app.play.together.links import Kind
from app.rules.ruleset import RuleSet
from app.web import urls, words
from app.web.deps import own_game, preferences, rooms, token
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import ngettext, pgettext
from app.web.metered import run_dear
from app.web.table.actions import begin_on
from app.web.table.pages import opening_page

_KIND: Kind = "challenge"


@dataclass(frozen=True, slots=True)
class ResultPage:
    """A finished game as text for others: ``text`` and the path of its deal; ``challenge`` is empty without one."""

    template: ClassVar[str] = "result.html"

    title: str
    text: str
    deal_url: str
    game_url: str
    replay_url: str
    text_url: str
    board_url: str
    dare: str
    challenge: str
    post_url: str
    withdraw_url: str


@dataclass(frozen=True, slots=True)
class OwnChallenge:
    """What the sender of a challenge can do with it: send its link on with ``dare``, withdraw it, see his result."""

    link: str
    dare: str
    withdraw_url: str
    result_url: str


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """Two results of the same deal, each as (who, how it ended); ``mine`` is for the sender of the challenge."""

    template: ClassVar[str] = "compared.html"

    title: str
    rules_name: str
    deal_name: str
    verdict: str
    results: tuple[tuple[str, str], ...]
    deal_url: str
    board_url: str
    mine: OwnChallenge | None


async def result(request: Request) -> Response:
    """How a finished game of the player's ended. Raises NotFound for one that is still played."""
    room, game_id, table = rooms(request), request.path_params["game"], await own_game(request)
    if not table.over:
        raise NotFound("this game is still being played")
    find_key = partial(room.links.key_of, token=token(request), game_id=game_id, kind=_KIND)
    key = await room.run(find_key)
    page = ResultPage(
        title=_("Result"),
        text=_ending(table, timed=preferences(request).timed),
        deal_url=urls.deal_of(table),
        game_url=urls.game(game_id),
        replay_url=urls.replay(game_id),
        text_url=urls.game_text(game_id),
        board_url=urls.board_of(table),
        dare=_dare(table.rules),
        challenge=urls.challenge(key) if key else "",
        post_url=urls.dare(game_id),
        withdraw_url=urls.withdraw(game_id),
    )
    return page_answer(request, page)


async def dare(request: Request) -> Response:
    """Make the link that dares others to play a finished game's deal."""
    room, game_id = rooms(request), request.path_params["game"]
    await run_dear(request, partial(room.links.share, token=token(request), game_id=game_id, kind=_KIND))
    return RedirectResponse(urls.result(game_id), status_code=303)


async def withdraw(request: Request) -> Response:
    """Take the challenge back: its link leads nowhere any more."""
    room, game_id = rooms(request), request.path_params["game"]
    await room.run(partial(room.links.withdraw, token=token(request), game_id=game_id, kind=_KIND))
    return RedirectResponse(urls.result(game_id), status_code=303)


async def meet(request: Request) -> Response:
    """A challenge: the deal to be played; once it has been, both results, unless it is played again."""
    met = await _met(request)
    # Without script a chosen card stands in the address, and nothing else does.
    if met.theirs is None or request.query_params.keys() & {"again", "chosen"}:
        return await opening_page(request, met.opening, words.challenged(met.sender))
    return page_answer(request, _compared(met, met.theirs, timed=preferences(request).timed))


async def accept(request: Request) -> Response:
    """The first action on a challenge's deal, which begins a game."""
    return await begin_on(request, (await _met(request)).opening)


routes = [
    Route("/g/{game}/result", result),
    Route("/g/{game}/challenge", dare, methods=["POST"]),
    Route("/g/{game}/challenge/withdraw", withdraw, methods=["POST"]),
    Route("/c/{key}", meet),
    Route("/c/{key}", accept, methods=["POST"]),
]


async def _met(request: Request) -> Challenge:
    room = rooms(request)
    return await room.run(partial(room.challenges.meet, token=token(request), key=request.path_params["key"]))


def _ending(table: Table, *, timed: bool) -> str:
    """A result without spoilers, as in: Pyramid 13, Endless, deal 42: won in 57 moves, 4:12."""
    deal = words.deal_name(table.deal.seed, table.origin.daily)
    won = table.game.won_after is not None
    ended = _ended(Result(won, table.game.moves, table.seconds if won else None, table.hints), timed=timed)
    return f"Pyramid 13, {words.rules_name(table.rules)}, {deal}: {ended}."


def _ended(result: Result, *, timed: bool) -> str:
    parts = [_end(result)]
    if result.won and timed and result.seconds is not None:
        parts.append(words.clock(result.seconds))
    if result.hints:
        parts.append(ngettext("%(count)s hint", "%(count)s hints", result.hints))
    return ", ".join(parts)


def _end(result: Result) -> str:
    if result.won:
        return ngettext("won in %(count)s move", "won in %(count)s moves", result.moves)
    return ngettext("given up after %(count)s move", "given up after %(count)s moves", result.moves)


def _compared(met: Challenge, theirs: Result, *, timed: bool) -> ComparedPage:
    own, sender, you = met.own, met.sender or _("Your friend"), pgettext("player", "You")
    results = [(you if met.mine else sender, _ended(theirs, timed=timed))]
    if own is not None:
        results.insert(0, (you, _ended(own, timed=timed)))
    rules, deal = met.opening.rules, met.opening.deal
    name, deal_name = words.rules_name(rules), words.deal_name(deal.seed)
    return ComparedPage(
        title=" · ".join((_("Challenge"), name, deal_name)),
        rules_name=name,
        deal_name=deal_name,
        verdict=words.compared(own, theirs, met.sender, timed=timed)
        if own is not None
        else _("This challenge is yours: send its link on."),
        results=tuple(results),
        deal_url=urls.deal(rules, deal),
        board_url=urls.board(rules, deal) if deal.seed is not None else "",
        mine=_own_challenge(met, met.mine) if met.mine else None,
    )


def _own_challenge(met: Challenge, game_id: str) -> OwnChallenge:
    return OwnChallenge(
        link=urls.play(met.opening),
        dare=_dare(met.opening.rules),
        withdraw_url=urls.withdraw(game_id),
        result_url=urls.result(game_id),
    )


def _dare(rules: RuleSet) -> str:
    return _("Can you beat me? %(rules)s, the same cards for you:", rules=words.rules_name(rules))
