"""The pages: every GET answers with a whole page, stores nothing and sets no cookie."""

from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.play.games import open_deal
from app.rules.cards import Card, Unreadable, read_card
from app.rules.deal import Deal, Seed, read_deal, read_deck, read_seed, seeded
from app.rules.ruleset import DEFAULT, IllegalRuleSet, RuleSet, read_rules
from app.web import urls, views
from app.web.deps import rooms, token
from app.web.html import html_answer
from app.web.views import RulesPage


async def home(request: Request) -> Response:
    """The first page: unfinished games and the form for a new deal."""
    return await _home(request, DEFAULT)


async def rules(request: Request) -> Response:
    """The rules of the game."""
    return _page(request, RulesPage("The rules", views.rules_choices(DEFAULT)))


async def new(request: Request) -> Response:
    """On to a deal: of the given seed or deck, else a fresh one; back to the form if it cannot be read."""
    asked = {name: request.query_params.get(name, "").strip() for name in ("rules", "seed", "deck")}
    rule_set = DEFAULT
    try:
        rule_set = read_rules(asked["rules"]) if asked["rules"] else DEFAULT
        deal = _asked_deal(asked["seed"], asked["deck"]) or seeded(Seed(rooms(request).fresh_seed()))
    except (Unreadable, IllegalRuleSet) as error:
        return await _home(request, rule_set, seed=asked["seed"], deck=asked["deck"], fault=str(error))
    return RedirectResponse(urls.deal(rule_set, deal), status_code=303)


async def deal(request: Request) -> Response:
    """The opening table of a deal, ready to be played."""
    rule_set, cards = named_deal(request)
    if not urls.deal(rule_set, cards).startswith(request.url.path):
        return RedirectResponse(urls.deal(rule_set, cards), status_code=308)
    room = rooms(request)
    others = await room.run(partial(room.games.unfinished, token=token(request), rules=rule_set, deal=cards))
    table = open_deal(rule_set, cards)
    view = views.table_view(table, begin=room.fresh_key(), chosen=_chosen(request))
    return _page(request, views.table_page(table, view, others=others))


async def game(request: Request) -> Response:
    """A game as it stands, for its player."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    return _page(request, views.table_page(table, views.table_view(table, chosen=_chosen(request))))


async def deal_of_game(request: Request) -> Response:
    """On to the deal link of a game; a given deck shows its cards only there."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    return RedirectResponse(urls.deal(table.rules, table.deal), status_code=303)


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
]


async def _home(request: Request, rule_set: RuleSet, *, seed: str = "", deck: str = "", fault: str = "") -> Response:
    room = rooms(request)
    games = await room.run(partial(room.games.unfinished, token=token(request)))
    page = views.home_page(games, rules=rule_set, seed=seed, deck=deck, fault=fault)
    return _page(request, page, status=422 if fault else 200)


def _page(request: Request, view: views.Page, status: int = 200) -> Response:
    return html_answer(request, rooms(request).render.page(view), status)


def _asked_deal(seed: str, deck: str) -> Deal | None:
    if seed and deck:
        raise Unreadable("give a seed or a deck, not both")
    if deck:
        return Deal(read_deck(deck))
    return seeded(read_seed(seed)) if seed else None


def _chosen(request: Request) -> Card | None:
    """The first card of a pair, where the address names one."""
    try:
        return read_card(request.query_params.get("chosen", ""))
    except Unreadable:
        return None
