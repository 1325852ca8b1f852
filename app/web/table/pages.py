"""The pages: a GET answers with a whole page and sets no cookie; verdict and menu are fetched apart."""

import re
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app import __version__
from app.play.advice.coach import BACKEND, Verdict
from app.play.errors import NotFound
from app.play.games import open_deal
from app.play.limits import DEAR
from app.play.table import GameLine, Table
from app.rules.cards import Card, Unreadable, read_card
from app.rules.deal import Deal, Seed, asked_deal, read_deal, seeded
from app.rules.ruleset import DEFAULT, IllegalRuleSet, RuleSet, read_rules
from app.rules.state import start
from app.web import urls, words
from app.web.deps import own_game, preferences, read_number, rooms, stranger, token
from app.web.html import html_answer, page_answer
from app.web.language import error_text
from app.web.language import gettext as _
from app.web.layers.below import base_of
from app.web.metered import charge
from app.web.table import page_views
from app.web.table.page_views import Asked, SettingsPage
from app.web.table.telling import challenge_of, drawn, hint_shown, news, own_best, told_at_once, told_in_full
from app.web.table.views import Shown, menu_view

_TABLE = re.compile(r"/(g/[^/?]+|d/[^/?]+(/[^/?]+)?|c/[^/?]+|daily/[^/?]+/[0-9-]+)(\?|$)")
"""What the address of a page with a table on it begins with."""


async def home(request: Request) -> Response:
    """The first page: unfinished games and the form for a new deal."""
    return await _home(request, Asked(DEFAULT, winnable=preferences(request).winnable == "on"))


async def rules(request: Request) -> Response:
    """The rules of the game."""
    return page_answer(request, page_views.rules_page(_table_before(request)))


async def new(request: Request) -> Response:
    """On to a deal: of the given seed or deck, else a fresh one; back to the form if it cannot be read."""
    given = {name: request.query_params.get(name, "").strip() for name in ("rules", "seed", "deck", "winnable")}
    winnable = given["winnable"] == "on" or (not given["winnable"] and preferences(request).winnable == "on")
    asked, field = Asked(DEFAULT, given["seed"], given["deck"], winnable), ""
    try:
        asked = replace(asked, rules=read_rules(given["rules"]) if given["rules"] else DEFAULT)
        field = "deck" if asked.deck else "seed"
        deal = asked_deal(asked.seed or None, asked.deck or None) or await _fresh_deal(request, asked)
    except (Unreadable, IllegalRuleSet) as error:
        return await _home(request, replace(asked, fault=words.sentence(error_text(error)), field=field), status=422)
    if deal is None:
        return await _home(request, replace(asked, fault=_(words.NONE_FOUND)), status=503)
    return RedirectResponse(urls.deal(asked.rules, deal), status_code=303)


async def deal(request: Request) -> Response:
    """The opening table of a deal, ready to be played."""
    rule_set, cards = named_deal(request)
    if away := moved(request, urls.deal(rule_set, cards)):
        return away
    return await opening_page(request, open_deal(rule_set, cards))


async def opening_page(
    request: Request, opening: Table, word: str = "", others: tuple[GameLine, ...] | None = None
) -> Response:
    """The page of an opening table, ready to be played, whatever it was opened from; ``word`` says what that was.

    ``others`` are games to go on with; None: all that the player has of the deal.
    """
    room, rules, deal = rooms(request), opening.rules, opening.deal
    if others is None:
        others = await room.run(partial(room.games.unfinished, token=token(request), rules=rules, deal=deal))
    view = drawn(request, opening, Shown(begin=room.fresh_key(), chosen=chosen_card(request)))
    preview = page_views.link_preview(rules, deal, room.gallery.public_url)
    page = page_views.table_page(opening, view, word=word, others=others)
    if not others and not word:
        last = await room.run(partial(room.games.interrupted, token=token(request)))
        page = replace(page, last=page_views.game_links([last] if last else []))
    return page_answer(request, replace(page, preview=preview, best=await own_best(request, opening)))


async def game(request: Request) -> Response:
    """A game as it stands, for its player."""
    table = await own_game(request)
    half = request.query_params.get("hint")
    # A hint is shown as it was asked for, and only where it was.
    if half in {"1", "2"} and table.hinted and preferences(request).hinted:
        shown = await hint_shown(request, table, int(half))
    elif "told" in request.query_params:
        shown = Shown(verdict=await told_in_full(request, table))
    else:
        shown = Shown(chosen=chosen_card(request), verdict=told_at_once(request, table))
    page = page_views.table_page(table, drawn(request, table, shown), word=await _word(request, table))
    return page_answer(request, replace(page, best=await own_best(request, table)))


async def verdict(request: Request) -> Response:
    """The fragment that tells whether a game can still be won."""
    table = await own_game(request)
    if request.query_params.get("version") != str(table.version):
        # The game has gone on: whoever asked has another table by now.
        return Response(status_code=204)
    view = await told_in_full(request, table)
    return html_answer(request, rooms(request).render.verdict(view, news(request, table, view)))


async def menu(request: Request) -> Response:
    """The fragment with what else can be done in a game."""
    return html_answer(request, rooms(request).render.menu(menu_view(await own_game(request))))


async def solution_of_game(request: Request) -> Response:
    """On to the solution of a game's deal."""
    table = await own_game(request)
    return RedirectResponse(urls.solution(table.rules, table.deal), status_code=303)


async def solution(request: Request) -> Response:
    """Whether a deal can be won, in how few moves, and how, step by step."""
    rule_set, cards = named_deal(request)
    at = read_number(request.query_params.get("at", "0"))
    if away := moved(request, urls.solution(rule_set, cards, at)):
        return away
    verdict = await solved(request, rule_set, cards)
    await saw_solution(request, rule_set, cards, verdict)
    games = await running(request, rule_set, cards)
    return page_answer(request, replace(page_views.solution_page(rule_set, cards, verdict, at), game_urls=games))


async def settings(request: Request) -> Response:
    """What a player can choose."""
    back = urls.local(request.query_params.get("from", "/"))
    return page_answer(
        request, SettingsPage(_("Settings"), preferences(request), back, kept="kept" in request.query_params)
    )


async def leave(request: Request) -> Response:
    """Ask whether a game is to be given up; on to the game where it cannot be."""
    table = await own_game(request)
    if table.over:
        return RedirectResponse(urls.page(table), status_code=303)
    return page_answer(request, page_views.leave_page(table))


async def deal_of_game(request: Request) -> Response:
    """On to the deal link of a game; a given deck shows its cards only there.

    Who wants to play it ``again`` meets the challenge again that the game was begun from, unless that was withdrawn.
    """
    room, table = rooms(request), await own_game(request)
    key = table.origin.challenge
    if key is not None and "again" in request.query_params:
        try:
            await room.run(partial(room.challenges.meet, token=token(request), key=key))
            return RedirectResponse(urls.challenge_again(key), status_code=303)
        except NotFound:
            pass
    return RedirectResponse(urls.deal(table.rules, table.deal), status_code=303)


async def version(_request: Request) -> Response:
    """What runs here: the version, and which search solves."""
    return JSONResponse({"version": __version__, "solver": BACKEND})


def named_deal(request: Request) -> tuple[RuleSet, Deal]:
    """The rule set and the deal that a deal link names. Raises NotFound, with the reason in words."""
    try:
        seed = request.path_params.get("seed") or request.query_params.get("seed", "")
        return read_rules(request.path_params["rules"]), read_deal(seed)
    except (Unreadable, IllegalRuleSet) as error:
        raise NotFound(error) from error


def moved(request: Request, url: str) -> Response | None:
    """The way on to ``url`` for a request by another spelling of it, of which codes and decks have several; else None.

    Only the path is compared, and ``url`` need only begin with it: it may have a query as well, and a seed in its path
    that the request has in its query (``/d/endless?seed=42``).
    """
    return None if url.startswith(request.url.path) else RedirectResponse(url, status_code=308)


async def solved(request: Request, rules: RuleSet, deal: Deal) -> Verdict:
    """How a deal is won, in the fewest moves; charged where the solver has to be asked. Raises TooBusy or TooFast."""
    coach, opening = rooms(request).coach, start(rules, deal.deck)
    known = await coach.known_fewest(opening)
    if known is not None:
        return known
    charge(request, DEAR)
    return await coach.fewest(stranger(request), opening)


async def saw_solution(request: Request, rules: RuleSet, deal: Deal, verdict: Verdict) -> None:
    """Remember, for the boards, that a player was shown how a deal is won; nothing of a stranger."""
    if verdict.line is not None and token(request) is not None:
        room = rooms(request)
        await room.run(partial(room.boards.saw, token=token(request), rules=rules, deal=deal))


async def running(request: Request, rules: RuleSet, deal: Deal) -> tuple[str, ...]:
    """The ways back to the games of a deal that the player who asks is in the middle of, last touched first."""
    use_case = partial(rooms(request).games.unfinished, token=token(request), rules=rules, deal=deal)
    return tuple(urls.game(game.id) for game in await rooms(request).run(use_case))


def chosen_card(request: Request) -> Card | None:
    """The first card of a pair, where the address names one."""
    try:
        return read_card(request.query_params.get("chosen", ""))
    except Unreadable:
        return None


routes = [
    Route("/", home),
    Route("/rules", rules),
    Route("/new", new),
    Route("/d/{rules}/{seed}", deal),
    Route("/d/{rules}", deal),
    Route("/g/{game}", game),
    Route("/g/{game}/deal", deal_of_game),
    Route("/g/{game}/leave", leave),
    Route("/g/{game}/menu", menu),
    Route("/g/{game}/verdict", verdict),
    Route("/g/{game}/solution", solution_of_game),
    Route("/s/{rules}/{seed}", solution),
    Route("/s/{rules}", solution),
    Route("/settings", settings),
    Route("/version", version),
]


def _table_before(request: Request) -> str:
    """The address of the table that a link of ours was followed from; empty for any other page, and for none.

    By then it may be another one than when the page was made: a deal's page becomes that of the game begun there.
    """
    came = urlsplit(request.headers.get("referer", ""))
    path = came.path.removeprefix(base_of(request))
    url = urls.local(f"{path}?{came.query}" if came.query else path)
    return url if _TABLE.match(url) else ""


async def _word(request: Request, table: Table) -> str:
    """What a game that is still played was begun from: a challenge whose result its player does not know yet."""
    met = None if table.over else await challenge_of(request, table)
    return words.challenged(met.sender) if met is not None and met.theirs is None else ""


async def _home(request: Request, asked: Asked, status: int = 200) -> Response:
    room = rooms(request)
    games = await room.run(partial(room.games.unfinished, token=token(request)))
    page = page_views.home_page(games, asked)
    return page_answer(request, page if token(request) else replace(page, learn_url=urls.LEARN), status)


async def _fresh_deal(request: Request, asked: Asked) -> Deal | None:
    """A deal with a fresh seed; None where it should be winnable and none such was found in time."""
    room = rooms(request)
    if asked.winnable:
        charge(request, DEAR)
        return await room.coach.winnable_deal(stranger(request), asked.rules, room.fresh_seed)
    return seeded(Seed(room.fresh_seed()))
