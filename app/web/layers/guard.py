"""What holds for every answer: its language, security headers, no forged posts, a plain word when something breaks."""

import logging
from asyncio import CancelledError

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.play.errors import NotFound, Unavailable
from app.web.accepted import accepted
from app.web.deps import from_program, preferences
from app.web.errors import API, BROKEN, FORGED, MEETINGS, Meeting, problem
from app.web.language import SOURCE, listen, speak
from app.web.layers.below import enter, headers_below
from app.web.layers.watched import route_of

log = logging.getLogger("pyramid")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: that would turn the Origin of our own forms into null.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_RAW_HEADERS = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE = (b"cache-control", b"no-store")
"""For what programs are answered: it changes with each action, and some of it is secret."""

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_OWN_SITE = {"same-origin", "none"}


class Guard:
    """The layer within Watched, as plain ASGI.

    ``base`` is the path below which a proxy offers us, empty at the root; with ``hsts`` answers over https bind
    browsers to https for a year.
    """

    def __init__(self, app: ASGIApp, base: str = "", *, hsts: bool = False) -> None:
        self._app = app
        self._base = base
        self._hsts = hsts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless another site forged it, and complete the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._base:
            scope = enter(scope, self._base)
        request, private = Request(scope), scope["path"].startswith(API)
        if private or from_program(request):
            # Programs are answered in English; on a connection that is used again another language may still stand.
            speak(SOURCE)
        else:
            listen(accepted(request.headers, "accept-language"), preferences(request).language)
        headers = [*_RAW_HEADERS, _NO_STORE] if private else _RAW_HEADERS
        if self._hsts and scope["scheme"] == "https":
            headers = [*headers, _HSTS]
        answer = _Answer(send, headers, self._base, headless=scope["method"] == "HEAD")
        refused = _refusal(request)
        if refused is not None:
            await problem(Request(scope), refused)(scope, receive, answer.send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._answered(scope, receive, answer)

    async def _answered(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        """Have a request answered, in plain words where that goes wrong."""
        try:
            await self._app(scope, receive, answer.send)
        except ClientDisconnect:
            # Nobody is there to be answered.
            return
        except CancelledError:
            # The server ends, and this would have taken longer than it waits. What has begun to be sent just ends.
            if not answer.started:
                await problem(Request(scope), MEETINGS[Unavailable])(scope, receive, answer.send)
        except Exception:
            log.exception("%s %s failed", scope["method"], route_of(scope))
            if answer.started:
                raise
            await problem(Request(scope), BROKEN)(scope, receive, answer.send)


class _Answer:
    """An answer under way: adds the headers, and leaves out the body where only the head was asked for."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]], base: str, *, headless: bool) -> None:
        self._send = send
        self._headers = headers
        self._base = base
        self._headless = headless
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            own = headers_below(self._base, message["headers"]) if self._base else message["headers"]
            message["headers"] = [*own, *self._headers]
        elif self._headless and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)


def _refusal(request: Request) -> Meeting | None:
    """Why a request goes no further, or None."""
    if request.method not in _SAFE_METHODS and _is_forged(request.headers):
        return FORGED
    # No address of ours has a NUL, and PostgreSQL takes no text with one.
    return MEETINGS[NotFound] if "\0" in request.scope["path"] else None


def _is_forged(headers: Headers) -> bool:
    """Whether another site sent a request: by Sec-Fetch-Site, else by Origin; programs send neither.

    Browsers send the first only over https and to this very machine. A proxy that asks us by a name of its own tells
    the one it was asked by in X-Forwarded-Host, which no page of another site can make a browser send.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in _OWN_SITE
    origin = headers.get("origin")
    if origin is None:
        return False
    forwarded = [part.strip() for text in headers.getlist("x-forwarded-host") for part in text.split(",")]
    return origin.partition("://")[2] not in {headers.get("host"), *forwarded}
