"""Running the application on a port: uvicorn, with a time and a size for each request.

httptools and uvloop are not made for Windows: there uvicorn serves plainly, with neither.
"""

import gc
import signal
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING, cast

import uvicorn
from starlette.types import ASGIApp

from app.config import Settings

if TYPE_CHECKING:
    from asyncio import Protocol

if sys.platform != "win32":
    import resource

    from app.connection import Connection

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

_COLLECT = (10_000, 10, 1_000)
"""After how many new objects the collector looks at the youngest, and how rarely at the older ones."""


def run(app: ASGIApp, settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl+C; what was begun by then is answered. Exits with 3 if the server cannot start.

    Raises OSError with a plain sentence where nobody can listen on the address.
    """
    _try_to_listen(settings.host, settings.port)
    _settle()
    signal.signal(signal.SIGTERM, _leave)
    uvicorn.run(
        app,
        host=settings.host,
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


def _try_to_listen(host: str, port: int) -> None:
    """Take the address for a moment: uvicorn would tell of a failure by its number, and not for which address."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:
        raise OSError(f"cannot listen on {host}:{port}: it is no name of a host") from error
    except OSError as error:
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from error
    faults = [fault for family, *_, address in found if (fault := _fault(family, address))]
    if len(faults) == len(found):
        raise OSError(f"cannot listen on {host}:{port}: {faults[0].strerror}") from faults[0]


def _fault(family: int, address: tuple[object, ...]) -> OSError | None:
    """Why an address cannot be listened on, or None."""
    try:
        with socket.socket(family) as tried:
            if sys.platform != "win32":
                # As the server itself does: the connections of the one before may still be ending.
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            tried.bind(address)
    except OSError as error:
        return error
    return None


def _protocol(read_seconds: float) -> "type[Protocol] | str":
    if sys.platform == "win32":
        return "auto"
    # uvicorn only calls it.
    return cast("type[Protocol]", partial(Connection, read_seconds=read_seconds))


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
    gc.set_threshold(*_COLLECT)
    if sys.platform != "win32":
        # Each connection that is kept open is a file, and the usual limit is 1,024.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
