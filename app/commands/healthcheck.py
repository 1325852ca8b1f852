"""``python -m app healthcheck``: whether the server that the settings describe is ready."""

import argparse
import sys
from concurrent.futures import Future
from contextlib import closing
from http.client import HTTPConnection, HTTPException, InvalidURL
from ipaddress import ip_address
from threading import Thread

from app.commands.arguments import WRONG, Commands, take_address
from app.commands.config import settings_of

_SECONDS = 3
"""How long all may take, from the name of the host to the last line of the answer's head."""

_READY = 200


def add(commands: Commands) -> None:
    """The command's arguments."""
    asked = commands.add_parser("healthcheck", help="ask the server that runs here whether it is ready")
    take_address(asked, "the port that it listens on")
    asked.set_defaults(command=healthcheck)


def healthcheck(asked: argparse.Namespace) -> int:
    """Ask /readyz, and say what came of it; 1 where the server is not ready."""
    settings = settings_of(asked, "host", "port")
    address = f"http://{_bracketed(reached(settings.host))}:{settings.port}{settings.base_path}/readyz"
    if not settings.port:
        return _unready("PYRAMID_PORT is 0, so nobody knows where the server listens")
    answer: Future[int] = Future()
    asking = reached(settings.host), settings.port, f"{settings.base_path}/readyz", answer
    # Its socket's own limit is for each step of many. Whom nobody waits for any more ends with the program.
    Thread(target=_ask, args=asking, daemon=True).start()
    try:
        status = answer.result(_SECONDS)
    except TimeoutError:
        return _unready(f"{address}: no answer within {_SECONDS} seconds")
    except (InvalidURL, ValueError):
        return _unready(f"{address}: “{settings.host}” is no name of a host")
    except (OSError, HTTPException) as error:
        return _unready(f"{address}: {' '.join(str(error).split()) or type(error).__name__}")
    if status != _READY:
        return _unready(f"{address}: {status}")
    print(f"{address}: ready")
    return 0


def _ask(host: str, port: int, path: str, answer: Future[int]) -> None:
    """Put the status that the server answers with, or what went wrong, where it is waited for."""
    try:
        with closing(HTTPConnection(host, port, timeout=_SECONDS)) as connection:
            connection.request("GET", path)
            answer.set_result(connection.getresponse().status)
    except Exception as error:  # noqa: BLE001 - it is raised again in the other thread.
        answer.set_exception(error)


def reached(host: str) -> str:
    """Where a server that listens on an address is reached from the same machine."""
    try:
        address = ip_address(host)
    except ValueError:
        return host or "127.0.0.1"
    if not address.is_unspecified:
        return host
    return "127.0.0.1" if address.version == 4 else "::1"  # noqa: PLR2004 - IPv4.


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _unready(sentence: str) -> int:
    print(f"pyramid: {sentence}", file=sys.stderr)
    return WRONG
