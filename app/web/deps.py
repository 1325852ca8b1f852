"""What handlers need: the rooms behind them, who asks, and the request's fields in readable form."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote

from pydantic import BaseModel, ValidationError
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

from app.play.advice.coach import STRANGER, Coach
from app.play.advice.judge import Judge
from app.play.advice.lookback import LookBacks
from app.play.archive.moving import Moving
from app.play.archive.pieces import each_once, no_constant
from app.play.archive.portable import Portable
from app.play.archive.records import Records
from app.play.games import Games
from app.play.limits import Limits
from app.play.players import Players
from app.play.preferences import USUAL, Preferences, read_preferences
from app.play.readiness import Readiness
from app.play.run import Run
from app.play.slowdown import Slowdown
from app.play.table import Table
from app.play.together.boards import Boards
from app.play.together.challenges import Challenges
from app.play.together.daily import Dailies
from app.play.together.links import Links
from app.rules.cards import Unreadable, shown
from app.rules.told import Told
from app.web.layers.below import base_of
from app.web.preview.gallery import Gallery
from app.web.render import Renderer

Body = TypeVar("Body", bound=BaseModel)

MAX_BODY = 16_384
"""The most bytes that a request's body may have."""

_FIELDS_MOST = 12
_LENGTH_DIGITS = 9
_PREFERENCES_MOST = 1_024
_COOKIE_DAYS = 400
_COOKIE = "pyramid_player"
_SAFE_COOKIE = "__Host-pyramid_player"
_SAFE_COOKIE_BELOW = "__Secure-pyramid_player"
"""Below a path; browsers take __Host- for the root alone."""

PREFERENCES_COOKIE = "pyramid_settings"
_COOKIES = "pyramid.cookies"
_FOR_PROGRAMS = ("/api/", "/me/")
PROXIED_PORT = 0
"""The port of a client whose address a trusted proxy told; nobody connects from it."""

_NAMELESS = "nameless"
"""The one network of all whom a proxy tells something else of than an address, such as "unknown"."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Rooms:
    """What the handlers work with; ``fresh_key`` makes unguessable keys, ``fresh_seed`` new deals' numbers."""

    run: Run
    readiness: Readiness
    players: Players
    moving: Moving
    games: Games
    challenges: Challenges
    slowdown: Slowdown
    limits: Limits
    coach: Coach
    judge: Judge
    records: Records
    links: Links
    dailies: Dailies
    boards: Boards
    lookbacks: LookBacks
    portable: Portable
    render: Renderer
    gallery: Gallery
    fresh_key: Callable[[], str]
    fresh_seed: Callable[[], str]


class WrongMediaType(Told):
    """A body of another kind than the address takes."""


class TooLarge(Told):
    """A body of more than MAX_BODY bytes, or of more than an import may have."""


def rooms(request: Request) -> Rooms:
    """The rooms behind a request."""
    found: Rooms = request.app.state.rooms
    return found


def from_htmx(request: Request) -> bool:
    """Whether htmx sent the request and will swap in a fragment."""
    return request.headers.get("hx-request") == "true"


def media_type(request: Request) -> str:
    """What kind of body a request has, in lower case; empty where it does not say."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def from_program(request: Request) -> bool:
    """Whether a program asks, not a page: by a bearer's token, or by a body that no form of ours sends."""
    return "authorization" in request.headers or media_type(request) in {"application/json", "text/plain"}


def token(request: Request) -> str | None:
    """The token of the player who asks, or None; one in another form than ours counts as none.

    It comes with the cookie, or as a bearer's where programs ask: from the API, and for what is brought and taken away.
    """
    bearer = request.headers.get("authorization")
    if bearer is not None and request.url.path.startswith(_FOR_PROGRAMS):
        scheme, _, text = bearer.partition(" ")
        return text if scheme.lower() == "bearer" and _TOKEN.fullmatch(text) else None
    cookie = _cookie(request, _cookie_name(request))
    return cookie if cookie is not None and _TOKEN.fullmatch(cookie) else None


async def own_game(request: Request) -> Table:
    """The game that the address names, as it stands, for its player. Raises NotFound."""
    room = rooms(request)
    return await room.run(partial(room.games.show, token=token(request), game_id=request.path_params["game"]))


def who(request: Request) -> str:
    """Who asks the solver about a game: its player, by a token that has just been found to be his."""
    return token(request) or stranger(request)


def stranger(request: Request) -> str:
    """Who asks the solver outside of a game: the network that he comes from, whatever cookie he sends."""
    return f"{STRANGER}{network(request)}"


def network(request: Request) -> str:
    """Where a request comes from: an IPv4 address, or the /64 of an IPv6 one, whose owner has 2^64 of them."""
    client = request.scope.get("client")
    return _network(client[0])[0] if client else ""


def metered_network(request: Request) -> str | None:
    """The same where it is charged; None for the server's own machine, and where there is no address."""
    client = request.scope.get("client")
    if not client:
        return None
    charged = _network(client[0])[1]
    if charged == _NAMELESS and client[1] != PROXIED_PORT:
        return None
    return charged


def preferences(request: Request) -> Preferences:
    """What the player prefers, as his browser keeps it; as usual where the cookie is longer than any of ours."""
    kept = _cookie(request, PREFERENCES_COOKIE) or ""
    return read_preferences(unquote(kept)) if len(kept) <= _PREFERENCES_MOST else USUAL


def prefer(request: Request, response: Response, chosen: Preferences) -> None:
    """Keep preferences in the browser."""
    value, lasts, path = quote(chosen.text, safe=""), _COOKIE_DAYS * 86_400, _cookie_path(request)
    response.set_cookie(PREFERENCES_COOKIE, value, max_age=lasts, path=path, httponly=True, samesite="lax")


def renew(request: Request, response: Response) -> None:
    """Give a player who uses his cookie another 400 days of it."""
    if "authorization" not in request.headers:
        remember(request, response, token(request))


def remember(request: Request, response: Response, new_token: str | None) -> None:
    """Give a player his cookie: HttpOnly, SameSite=Lax, and bound to https where that is spoken; None: he has it."""
    if new_token is None:
        return
    response.set_cookie(
        _cookie_name(request),
        new_token,
        max_age=_COOKIE_DAYS * 86_400,
        path=_cookie_path(request),
        secure=_is_https(request),
        httponly=True,
        samesite="lax",
    )


def forget(request: Request, response: Response) -> None:
    """Take a player's cookie and preferences back from his browser."""
    name, path, https = _cookie_name(request), _cookie_path(request), _is_https(request)
    response.delete_cookie(name, path=path, secure=https, httponly=True, samesite="lax")
    response.delete_cookie(PREFERENCES_COOKIE, path=path, httponly=True, samesite="lax")


async def read_form(request: Request) -> dict[str, str]:
    """The fields of an urlencoded form, each once.

    Raises WrongMediaType for another kind of body, TooLarge, and Unreadable for one that is no form, has a
    field twice, or has more than 12.
    """
    expected = "application/x-www-form-urlencoded"
    if media_type(request) != expected:
        raise WrongMediaType("the body must be %(expected)s", expected=expected)
    body = await _body(request)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=_FIELDS_MOST,
        )
    except ValueError as error:
        raise Unreadable("the form cannot be read") from error
    return each_once(pairs)


async def read_json(request: Request, body_type: type[Body]) -> Body:
    """The request's JSON object as a model.

    Raises WrongMediaType for another kind of body, TooLarge, and Unreadable for one that is not JSON, has a
    name twice, or does not fit the model.
    """
    if media_type(request) != "application/json":
        raise WrongMediaType("the body must be %(expected)s", expected="application/json")
    try:
        fields = json.loads((await _body(request)).decode(), object_pairs_hook=each_once, parse_constant=no_constant)
        return body_type.model_validate(fields)
    except ValidationError as error:
        first = _first_fault(error)
        raise Unreadable(first) from error
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable("the body is not readable JSON") from error


def read_version(text: str | None) -> int:
    """The version in a form, read as read_number() does. Raises Unreadable."""
    if text is None or not _NUMBER.fullmatch(text):
        raise Unreadable("“%(text)s” is no version of a game", text=shown(text or ""))
    return int(text)


def read_number(text: str | None) -> int:
    """A number in a form or an address: digits without leading zeros, 0..999999999. Raises Unreadable."""
    if text is None or not _NUMBER.fullmatch(text):
        raise Unreadable("“%(text)s” is no whole number", text=shown(text or ""))
    return int(text)


def announced_too_large(request: Request, most: int) -> bool:
    """Whether a request says itself that its body has more than so many bytes."""
    length = request.headers.get("content-length", "0")
    return len(length) > _LENGTH_DIGITS or int(length) > most


async def _body(request: Request) -> bytes:
    """The body, given up on as soon as it is too large."""
    if announced_too_large(request, MAX_BODY):
        raise TooLarge
    parts = bytearray()
    async for part in request.stream():
        parts += part
        if len(parts) > MAX_BODY:
            raise TooLarge
    return bytes(parts)


def _cookie(request: Request, name: str) -> str | None:
    """A cookie of ours; each layer asks, so they are read once for all."""
    if _COOKIES not in request.scope:
        request.scope[_COOKIES] = _cookies(request)
    cookies: dict[str, str] = request.scope[_COOKIES]
    return cookies.get(name)


def _cookies(request: Request) -> dict[str, str]:
    """Of two with a name the first is that of the longer path, and not of another game above us."""
    if not base_of(request):
        return request.cookies
    sent = [part for header in request.headers.getlist("cookie") for part in header.split(";")]
    return cookie_parser(";".join(reversed(sent)))


def _cookie_name(request: Request) -> str:
    if not _is_https(request):
        return _COOKIE
    return _SAFE_COOKIE_BELOW if base_of(request) else _SAFE_COOKIE


def _cookie_path(request: Request) -> str:
    return base_of(request) or "/"


@lru_cache(maxsize=4_096)
def _network(host: str) -> tuple[str, str | None]:
    try:
        address = ip_address(host)
    except ValueError:
        return host, _NAMELESS
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    name = str(IPv6Network((int(address), 64), strict=False)) if isinstance(address, IPv6Address) else str(address)
    return name, None if address.is_loopback else name


def _is_https(request: Request) -> bool:
    return bool(request.scope["scheme"] == "https")


def _first_fault(error: ValidationError) -> Unreadable:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, fault["loc"])) or "the body"
    return Unreadable("%(where)s: %(fault)s", where=shown(where), fault=fault["msg"])
