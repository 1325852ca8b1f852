"""Running the application on a port: uvicorn, with a time and a size for each request.

httptools and uvloop are not made for Windows: there uvicorn serves plainly, with neither.
"""

import gc
import logging
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, cast

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.config import Settings
from app.web.deps import PROXIED_PORT
from app.web.layers.watched import through

if TYPE_CHECKING:
    from asyncio import Protocol

if sys.platform != "win32":
    import resource

    from app.connection import Connection

log = logging.getLogger("pyramid")

_FORWARDED = {b"x-forwarded-for", b"x-forwarded-proto"}

_STOP_SECONDS = 3
"""How long what is under way may take when the server is to stop."""

_KEEP_SECONDS = 130
"""How long a connection is kept without a request. The one who closes first had better be the proxy in front, or it
sends a request into a connection that is being closed and has to answer 502: nginx keeps its own for 60 seconds,
Caddy for 120."""
_BACKLOG = 2_048
"""How many connections may wait to be accepted; the system may allow fewer."""

_FILES = 10_240
"""How many files and connections may be open at once; the most that every system takes."""

COLLECT = (700, 3, 5_000)
"""After how many new objects the collector looks at the youngest, and how rarely at the older ones.

While it looks, nobody is answered: at a thousand tables, whose memory is cold, 10,000 objects took it 25 ms, and ten
times as many 200. Nothing that a request leaves behind is in a circle, so it finds next to nothing.
"""


def run(app: ASGIApp, settings: Settings) -> None:
    """Serve until SIGTERM, SIGHUP or Ctrl+C; what was begun by then is answered.

    Raises what the application raises at its start; exits with 3 if the server cannot start otherwise.
    """
    _settle()
    _listen_to_signals()
    starting = _Starting(_Wary(app, settings.trusted_proxies))
    try:
        uvicorn.run(
            starting,
            # None, which uvicorn tells as 0.0.0.0, is all addresses, as nothing is.
            host=cast("str", settings.host or None),
            port=settings.port,
            http=_protocol(settings.read_seconds),
            ws="none",
            proxy_headers=True,
            forwarded_allow_ips=settings.trusted_proxies,
            access_log=False,
            log_config=None,
            server_header=False,
            # No limit_concurrency: it counts connections, so that 300 slow ones would shut out all others.
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_SECONDS,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )
    finally:
        if starting.fault is not None:
            raise starting.fault


class _Starting:
    """Keeps what the application raises at its start for whoever runs the server; uvicorn would log it at length."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.fault: Exception | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._app(scope, receive, send)
            return
        failed = False

        async def without_words(message: Message) -> None:
            nonlocal failed
            failed = message["type"] == "lifespan.startup.failed"
            if failed:
                # That it ends is told with the reason.
                logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await send({"type": message["type"]} if failed else message)

        try:
            await self._app(scope, receive, without_words)
        except Exception as error:
            if not failed:
                raise
            self.fault = error


class _Wary:
    """Says once, in the log, that somebody forwards requests who is not trusted: mostly a proxy that was not named."""

    def __init__(self, app: ASGIApp, trusted: str) -> None:
        self._app = app
        self._trusted = through(trusted)
        self._told = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._told and scope["type"] == "http":
            self._look_at(scope)
        await self._app(scope, receive, send)

    def _look_at(self, scope: Scope) -> None:
        # uvicorn has put the address there that a trusted proxy told.
        if (scope["client"] or ("", PROXIED_PORT))[1] == PROXIED_PORT:
            return
        if any(name in _FORWARDED for name, _ in scope["headers"]) and not self._trusted(scope):
            self._told = True
            log.warning(
                "a request with X-Forwarded-For or X-Forwarded-Proto came from an address that PYRAMID_TRUSTED_PROXIES "
                "does not name, so they are not believed; if your proxy sent it, name the proxy's address there"
            )


def _protocol(read_seconds: float) -> "type[Protocol] | str":
    if sys.platform == "win32":
        return "auto"
    # uvicorn only calls it.
    return cast("type[Protocol]", partial(Connection, read_seconds=read_seconds))


def _listen_to_signals() -> None:
    """End by SIGTERM and SIGHUP, unless that is ignored, as by nohup."""
    signal.signal(signal.SIGTERM, _leave)
    # Windows has no SIGHUP.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))


def _leave(_number: int, _frame: object) -> None:
    """End with status 0. uvicorn sends itself the signal again when all is done, which would look like a failure."""
    sys.exit(0)


def _settle() -> None:
    """Make this process a server: few pauses, and as many connections as the system lets it have."""
    # What was made by now stays for good: the collector need not look at it again while players wait. Nor should it
    # walk all the games in memory every few thousand moves, which takes it a tenth of a second: little of what is
    # made later is ever in a circle.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    if sys.platform != "win32":
        # Each connection that is kept open is a file, and the usual limit is 1,024.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
