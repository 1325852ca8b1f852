"""The pages: every GET answers with a whole page, stores nothing and sets no cookie."""

from dataclasses import replace
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app import __version__
from app.play.coach import BACKEND
from app.play.errors import NotFound
from app.play.games import open_deal
from app.rules.cards import Card, Unreadable, read_card
from app.rules.deal import Deal, Seed, read_deal, read_deck, read_seed, seeded
from app.rules.ruleset import DEFAULT, IllegalRuleSet, RuleSet, read_rules
from app.rules.state import start
from app.web import urls, views, words
from app.web.deps import preferences, read_version, rooms, stranger, token
from app.web.html import html_answer
from app.web.telling import drawn, hint_shown, told_at_once, told_in_full
from app.web.views import Asked, RulesPage, SettingsPage, Shown


async def home(request: Request) -> Response:
    """The first page: unfinished games and the form for a new deal."""
    return await _home(request, Asked(DEFAULT, winnable=preferences(request).winnable == "on"))


async def rules(request: Request) -> Response:
    """The rules of the game."""
    return _page(request, RulesPage("The rules", views.rules_choices(DEFAULT)))


async def new(request: Request) -> Response:
    """On to a deal: of the given seed or deck, else a fresh one; back to the form if it cannot be read."""
    given = {name: request.query_params.get(name, "").strip() for name in ("rules", "seed", "deck", "winnable")}
    winnable = given["winnable"] == "on" or (not given["winnable"] and preferences(request).winnable == "on")
    asked = Asked(DEFAULT, given["seed"], given["deck"], winnable)
    try:
        asked = replace(asked, rules=read_rules(given["rules"]) if given["rules"] else DEFAULT)
        deal = _asked_deal(asked) or await _fresh_deal(request, asked)
    except (Unreadable, IllegalRuleSet) as error:
        return await _home(request, replace(asked, fault=str(error)), status=422)
    if deal is None:
        return await _home(request, replace(asked, fault=words.NONE_FOUND), status=503)
    return RedirectResponse(urls.deal(asked.rules, deal), status_code=303)


async def deal(request: Request) -> Response:
    """The opening table of a deal, ready to be played."""
    rule_set, cards = named_deal(request)
    if not urls.deal(rule_set, cards).startswith(request.url.path):
        return RedirectResponse(urls.deal(rule_set, cards), status_code=308)
    room = rooms(request)
    others = await room.run(partial(room.games.unfinished, token=token(request), rules=rule_set, deal=cards))
    table = open_deal(rule_set, cards)
    view = drawn(request, table, Shown(begin=room.fresh_key(), chosen=_chosen(request)))
    return _page(request, views.table_page(table, view, others=others))


async def game(request: Request) -> Response:
    """A game as it stands, for its player."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    half = request.query_params.get("hint")
    # A hint is shown as it was asked for, and only where it was.
    if half in {"1", "2"} and table.hinted:
        shown = await hint_shown(request, table, int(half))
    elif "told" in request.query_params:
        shown = Shown(verdict=await told_in_full(request, table))
    else:
        shown = Shown(chosen=_chosen(request), verdict=told_at_once(request, table))
    return _page(request, views.table_page(table, drawn(request, table, shown)))


async def verdict(request: Request) -> Response:
    """The fragment that tells whether a game can still be won."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    if request.query_params.get("version") != str(table.version):
        # The game has gone on: whoever asked has another table by now.
        return Response(status_code=204)
    told = await told_in_full(request, table)
    news = told.text if told.kind == "fewest" or (told.kind == "lost" and told.back == 1) else None
    return html_answer(request, room.render.verdict(told, news))


async def solution_of_game(request: Request) -> Response:
    """On to the solution of a game's deal."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    return RedirectResponse(urls.solution(table.rules, table.deal), status_code=303)


async def solution(request: Request) -> Response:
    """Whether a deal can be won, in how few moves, and how, step by step."""
    rule_set, cards = named_deal(request)
    at = read_version(request.query_params.get("at", "0"))
    if not urls.solution(rule_set, cards).startswith(request.url.path):
        return RedirectResponse(urls.solution(rule_set, cards, at), status_code=308)
    verdict = await rooms(request).coach.fewest(stranger(request), start(rule_set, cards.deck))
    return _page(request, views.solution_page(rule_set, cards, verdict, at))


async def settings(request: Request) -> Response:
    """What a player can choose."""
    return _page(request, SettingsPage("Settings", preferences(request)))


async def deal_of_game(request: Request) -> Response:
    """On to the deal link of a game; a given deck shows its cards only there."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
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
        raise NotFound(str(error)) from error


routes = [
    Route("/", home),
    Route("/rules", rules),
    Route("/new", new),
    Route("/d/{rules}/{seed}", deal),
    Route("/d/{rules}", deal),
    Route("/g/{game}", game),
    Route("/g/{game}/deal", deal_of_game),
    Route("/g/{game}/verdict", verdict),
    Route("/g/{game}/solution", solution_of_game),
    Route("/s/{rules}/{seed}", solution),
    Route("/s/{rules}", solution),
    Route("/settings", settings),
    Route("/version", version),
]


async def _home(request: Request, asked: Asked, status: int = 200) -> Response:
    room = rooms(request)
    games = await room.run(partial(room.games.unfinished, token=token(request)))
    return _page(request, views.home_page(games, asked), status)


def _page(request: Request, view: views.Page, status: int = 200) -> Response:
    return html_answer(request, rooms(request).render.page(view, preferences(request)), status)


def _asked_deal(asked: Asked) -> Deal | None:
    if asked.seed and asked.deck:
        raise Unreadable("give a seed or a deck, not both")
    if asked.deck:
        return Deal(read_deck(asked.deck))
    return seeded(read_seed(asked.seed)) if asked.seed else None


async def _fresh_deal(request: Request, asked: Asked) -> Deal | None:
    """A deal with a fresh seed; None where it should be winnable and none such was found in time."""
    room = rooms(request)
    if asked.winnable:
        return await room.coach.winnable_deal(stranger(request), asked.rules, room.fresh_seed)
    return seeded(Seed(room.fresh_seed()))


def _chosen(request: Request) -> Card | None:
    """The first card of a pair, where the address names one."""
    try:
        return read_card(request.query_params.get("chosen", ""))
    except Unreadable:
        return None
