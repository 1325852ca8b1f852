"""The pages: a GET answers with a whole page and sets no cookie; verdict and menu are fetched apart."""

from dataclasses import replace
from functools import partial

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
from app.web.deps import preferences, read_version, rooms, stranger, token
from app.web.html import html_answer
from app.web.language import gettext as _
from app.web.language import told
from app.web.metered import charge
from app.web.table import page_views
from app.web.table.page_views import Asked, SettingsPage
from app.web.table.telling import challenge_of, drawn, hint_shown, news, own_best, told_at_once, told_in_full
from app.web.table.views import Shown, menu_view


async def home(request: Request) -> Response:
    """The first page: unfinished games and the form for a new deal."""
    return await _home(request, Asked(DEFAULT, winnable=preferences(request).winnable == "on"))


async def rules(request: Request) -> Response:
    """The rules of the game."""
    return _page(request, page_views.rules_page())


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
        return await _home(request, replace(asked, fault=words.sentence(told(error)), field=field), status=422)
    if deal is None:
        return await _home(request, replace(asked, fault=_(words.NONE_FOUND)), status=503)
    return RedirectResponse(urls.deal(asked.rules, deal), status_code=303)


async def deal(request: Request) -> Response:
    """The opening table of a deal, ready to be played."""
    rule_set, cards = named_deal(request)
    if not urls.deal(rule_set, cards).startswith(request.url.path):
        return RedirectResponse(urls.deal(rule_set, cards), status_code=308)
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
    return _page(request, replace(page, preview=preview, best=await own_best(request, opening)))


async def game(request: Request) -> Response:
    """A game as it stands, for its player."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    half = request.query_params.get("hint")
    # A hint is shown as it was asked for, and only where it was.
    if half in {"1", "2"} and table.hinted and preferences(request).hints == "on":
        shown = await hint_shown(request, table, int(half))
    elif "told" in request.query_params:
        shown = Shown(verdict=await told_in_full(request, table))
    else:
        shown = Shown(chosen=chosen_card(request), verdict=told_at_once(request, table))
    page = page_views.table_page(table, drawn(request, table, shown), word=await _word(request, table))
    return _page(request, replace(page, best=await own_best(request, table)))


async def verdict(request: Request) -> Response:
    """The fragment that tells whether a game can still be won."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    if request.query_params.get("version") != str(table.version):
        # The game has gone on: whoever asked has another table by now.
        return Response(status_code=204)
    told = await told_in_full(request, table)
    return html_answer(request, room.render.verdict(told, news(request, table, told)))


async def menu(request: Request) -> Response:
    """The fragment with what else can be done in a game."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    return html_answer(request, room.render.menu(menu_view(table)))


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
    verdict = await solved(request, rule_set, cards)
    await saw_solution(request, rule_set, cards, verdict)
    games = await running(request, rule_set, cards)
    return _page(request, replace(page_views.solution_page(rule_set, cards, verdict, at), game_urls=games))


async def settings(request: Request) -> Response:
    """What a player can choose."""
    back = urls.local(request.query_params.get("from", "/"))
    return _page(request, SettingsPage(_("Settings"), preferences(request), back, kept="kept" in request.query_params))


async def leave(request: Request) -> Response:
    """Ask whether a game is to be given up; on to the game where it cannot be."""
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
    if table.over:
        return RedirectResponse(urls.page(table), status_code=303)
    return _page(request, page_views.leave_page(table))


async def deal_of_game(request: Request) -> Response:
    """On to the deal link of a game; a given deck shows its cards only there.

    Who wants to play it ``again`` meets the challenge again that the game was begun from, unless that was withdrawn.
    """
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))
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


async def _word(request: Request, table: Table) -> str:
    """What a game that is still played was begun from: a challenge whose result its player does not know yet."""
    met = None if table.over else await challenge_of(request, table)
    return words.challenged(met.sender) if met is not None and met.theirs is None else ""


async def _home(request: Request, asked: Asked, status: int = 200) -> Response:
    room = rooms(request)
    games = await room.run(partial(room.games.unfinished, token=token(request)))
    page = page_views.home_page(games, asked)
    return _page(request, page if token(request) else replace(page, learn_url=urls.LEARN), status)


def _page(request: Request, view: page_views.Page, status: int = 200) -> Response:
    return html_answer(request, rooms(request).render.page(view, preferences(request)), status)


async def _fresh_deal(request: Request, asked: Asked) -> Deal | None:
    """A deal with a fresh seed; None where it should be winnable and none such was found in time."""
    room = rooms(request)
    if asked.winnable:
        charge(request, DEAR)
        return await room.coach.winnable_deal(stranger(request), asked.rules, room.fresh_seed)
    return seeded(Seed(room.fresh_seed()))
