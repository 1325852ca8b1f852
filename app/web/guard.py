"""What holds for every answer: its language, security headers, no forged posts, a plain word when something breaks."""

import logging

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.deps import from_program, preferences
from app.web.errors import API, BROKEN, FORGED, problem
from app.web.language import SOURCE, listen, speak

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
_NO_STORE = (b"cache-control", b"no-store")
"""For what programs are answered: it changes with each action, and some of it is secret."""

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_OWN_SITE = {"same-origin", "none"}


class Guard:
    """The outermost layer, as plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless another site forged it, and complete the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, private = Request(scope), scope["path"].startswith(API)
        if private or from_program(request):
            # Programs are answered in English; on a connection that is used again another language may still stand.
            speak(SOURCE)
        else:
            listen(",".join(request.headers.getlist("accept-language")), preferences(request).language)
        answer = _Answer(send, headless=scope["method"] == "HEAD", private=private)
        if scope["method"] not in _SAFE_METHODS and _is_forged(Headers(scope=scope)):
            await problem(Request(scope), FORGED)(scope, receive, answer.send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, receive, answer.send)
        except ClientDisconnect:
            # Nobody is there to be answered.
            return
        except Exception:
            log.exception("%s %s failed", scope["method"], Request(scope).url.path)
            if answer.started:
                raise
            await problem(Request(scope), BROKEN)(scope, receive, answer.send)


class _Answer:
    """An answer under way: adds the headers, and leaves out the body where only the head was asked for."""

    def __init__(self, send: Send, *, headless: bool, private: bool) -> None:
        self._send = send
        self._headers = [*_RAW_HEADERS, _NO_STORE] if private else _RAW_HEADERS
        self._headless = headless
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            message["headers"] = [*message["headers"], *self._headers]
        elif self._headless and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)


def _is_forged(headers: Headers) -> bool:
    """Whether another site sent a request: by Sec-Fetch-Site, else by Origin; programs send neither."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in _OWN_SITE
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")
