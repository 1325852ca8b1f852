"""What is seen of each request: an id, which its log lines and its answer carry, and what is told of it in the end."""

import logging
import re
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from secrets import token_urlsafe
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from app.web import urls
from app.web.deps import PROXIED_PORT

log = logging.getLogger("pyramid.requests")

Counting = Callable[[str, str, int, float], None]
"""Told of each request: its method, route and status, and the seconds that it took."""

UNROUTED = "none"
"""The route of what no route answers."""

CLIENT_GONE = 499
"""The status, in the log and the numbers, of a request whose client left before it was answered."""

_BROKEN, _BUSY = 500, 503
_OWN_ID_BYTES = 9
_ID_HEADER = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_SEEN = "pyramid.seen"
_QUIET = {urls.ALIVE, urls.READY}


def through(trusted: str) -> Callable[[Scope], bool]:
    """Whether a request came through a proxy whose word is taken; ``trusted`` as in the settings."""
    if "*" in trusted.split(","):
        return lambda _scope: True
    networks = [ip_network(part) for part in trusted.split(",") if part]

    def came_through(scope: Scope) -> bool:
        host, port = scope["client"] or ("", None)
        if port == PROXIED_PORT:
            return True
        try:
            return any(ip_address(host) in network for network in networks)
        except ValueError:
            return False

    return came_through


def route_of(scope: Scope) -> str:
    """The route that a request was matched to, as ``/g/{game}``: never the keys that its address may hold."""
    return str(getattr(scope.get("route"), "path_format", UNROUTED))


def note_route(scope: Scope) -> None:
    """Tell the layer around all others which route was matched; what lies between may have copied the scope."""
    seen: _Seen | None = scope.get(_SEEN)
    if seen is not None:
        seen.route = route_of(scope)


class Watched:
    """The layer around all others, as plain ASGI.

    ``from_proxy`` says whether a request comes from a proxy whose X-Request-ID is believed. Requests that fail are
    logged, with ``log_all`` the others as well; ``count`` is told of each.
    """

    def __init__(
        self,
        app: ASGIApp,
        from_proxy: Callable[[Scope], bool],
        *,
        log_all: bool = False,
        count: Counting | None = None,
    ) -> None:
        self._app = app
        self._from_proxy = from_proxy
        self._log_all = log_all
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and tell what came of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        request_id = self._given(scope) or token_urlsafe(_OWN_ID_BYTES)
        bind_contextvars(request_id=request_id)
        scope[_SEEN] = seen = _Seen()
        try:
            await self._app(scope, receive, _Answer(send, seen, request_id).send)
        finally:
            if self._log_all or self._count is not None or seen.status >= _BROKEN:
                self._tell(scope["method"], seen, perf_counter() - began)

    def _given(self, scope: Scope) -> str | None:
        """The id that a proxy gave the request, if there is one."""
        for name, text in scope["headers"]:
            if name == _ID_HEADER:
                return text.decode() if _ID.fullmatch(text) and self._from_proxy(scope) else None
        return None

    def _tell(self, method: str, seen: "_Seen", seconds: float) -> None:
        if self._count is not None:
            self._count(method, seen.route, seen.status, seconds)
        level = _level(seen.status)
        if level > logging.INFO or (self._log_all and seen.route not in _QUIET):
            fields = {"method": method, "route": seen.route, "status": seen.status, "ms": round(seconds * 1000, 1)}
            log.log(level, "answered", extra=fields)


class _Seen:
    """What is seen of a request under way.

    It lies in the scope, which the server's ``send`` leads to: did it know that, each request would leave a circle for
    the garbage collector, whose search stops all players.
    """

    __slots__ = ("route", "status")

    def __init__(self) -> None:
        self.route = UNROUTED
        self.status = CLIENT_GONE


class _Answer:
    """An answer under way: its status is noted, its id added."""

    __slots__ = ("_id", "_seen", "_send")

    def __init__(self, send: Send, seen: _Seen, request_id: str) -> None:
        self._send = send
        self._seen = seen
        self._id = (_ID_HEADER, request_id.encode())

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._seen.status = int(message["status"])
            message["headers"] = [*message["headers"], self._id]
        await self._send(message)


def _level(status: int) -> int:
    """A busy server warns; a broken one has an error."""
    if status < _BROKEN:
        return logging.INFO
    return logging.WARNING if status == _BUSY else logging.ERROR
