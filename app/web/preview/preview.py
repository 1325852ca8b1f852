"""What a link to a deal shows elsewhere: a picture of its opening table, with a few words."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.rules.board import SLOTS
from app.rules.cards import Card, Unreadable, read_card, shown
from app.rules.ruleset import IllegalRuleSet, read_rules
from app.web import urls
from app.web.accepted import has_already
from app.web.deps import rooms
from app.web.preview.picture import Opening, opening
from app.web.table.pages import moved, named_deal

MAX_AGE = 604_800
"""A week: a deal never changes, but the way it is drawn may."""


async def picture(request: Request) -> Response:
    """The picture of a deal's opening table, as PNG."""
    if "cards" in request.query_params and "seed" not in request.path_params:
        return await _answer(request, _named_opening(request))
    rule_set, cards = named_deal(request)
    if away := moved(request, urls.picture(rule_set, cards)):
        return away
    return await _answer(request, opening(rule_set, cards.deck))


routes = [
    Route("/p/{rules}/{seed}", picture),
    Route("/p/{rules}", picture),
]


async def _answer(request: Request, seen: Opening) -> Response:
    drawn = await rooms(request).gallery.picture(seen)
    headers = {"ETag": f'"{drawn.mark}"', "Cache-Control": f"public, max-age={MAX_AGE}"}
    if has_already(request.headers, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(drawn.png, headers=headers, media_type="image/png")


def _named_opening(request: Request) -> Opening:
    """The opening whose cards stand in the address: what a given deck shows, without what it hides. Raises NotFound."""
    text = request.query_params["cards"]
    try:
        rule_set = read_rules(request.path_params["rules"])
        cards = _read_seen(text, len(SLOTS) + rule_set.open)
    except (Unreadable, IllegalRuleSet) as error:
        raise NotFound(error) from error
    return Opening(rule_set, cards[: len(SLOTS)], cards[len(SLOTS)] if rule_set.open else None)


def _read_seen(text: str, wanted: int) -> tuple[Card, ...]:
    """The different cards in a text of two characters each. Raises Unreadable for any other number of them."""
    if len(text) != 2 * wanted:
        raise Unreadable(
            "an opening shows %(count)s cards of two characters each, not “%(text)s”", count=wanted, text=shown(text)
        )
    cards = tuple(read_card(text[place : place + 2]) for place in range(0, len(text), 2))
    if len(set(cards)) != wanted:
        raise Unreadable("a card is there twice")
    return cards
