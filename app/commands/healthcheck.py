"""``python -m app healthcheck``: whether the server that the settings describe is ready."""

import argparse
import sys
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address

from app.commands.arguments import WRONG, Commands, take_address
from app.commands.config import settings_of

_SECONDS = 3
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
    connection = HTTPConnection(reached(settings.host), settings.port, timeout=_SECONDS)
    try:
        connection.request("GET", f"{settings.base_path}/readyz")
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        return _unready(f"{address}: {' '.join(str(error).split()) or type(error).__name__}")
    finally:
        connection.close()
    if status != _READY:
        return _unready(f"{address}: {status}")
    print(f"{address}: ready")
    return 0


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
