"""Whether an address can be listened on."""

import errno
import socket
import sys

_NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


def try_to_listen(host: str, port: int, what: str = "cannot listen on") -> None:
    """Take an address for a moment: uvicorn would tell of a failure by its number, and not for which address.

    Raises OSError with a plain sentence, which begins with ``what``, where nobody can listen on it.
    """
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:
        raise OSError(f"{what} {host}:{port}: it is no name of a host") from error
    except OSError as error:
        raise OSError(f"{what} {host}:{port}: {error.strerror}") from error
    faults = [fault for family, *_, address in found if (fault := _fault(family, address))]
    # Of a name's addresses one that this machine has not is no harm.
    for fault in faults if len(faults) == len(found) else (one for one in faults if one.errno not in _NOT_HERE):
        raise OSError(f"{what} {host}:{port}: {fault.strerror}") from fault


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
