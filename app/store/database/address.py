"""The address of a PostgreSQL database, as it may be shown."""

import re

_PLACE = re.compile(r"(?:(?:[^:,\[\]]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:,|$))*")


def masked(address: str) -> str:
    """An address without what may be secret: its password, up to the last ``@``, and all its parameters.

    Where it cannot be told which is which, nothing but the scheme is left.
    """
    scheme, found, rest = address.partition("://")
    if not found:
        return address and "***"
    user, at, place = rest.rpartition("@")
    if not at and not _PLACE.fullmatch(place.partition("?")[0].partition("/")[0]):
        # What should stand before the @ that was forgotten.
        return f"{scheme}://***"
    if "?" in user or "/" in user.partition(":")[0]:
        return f"{scheme}://***"
    place, asked, _ = place.partition("?")
    name, colon, _ = user.partition(":")
    return f"{scheme}://{name}{':***' if colon else ''}{at}{place}{'?***' if asked else ''}"
