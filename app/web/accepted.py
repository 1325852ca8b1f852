"""What a request takes, by the headers of the Accept family and their weights, and what it has already."""

import re
from collections.abc import Mapping
from functools import lru_cache

from starlette.datastructures import Headers

_MOST = 256
"""So much of a header is read; what browsers send is far shorter."""

_WEIGHT = re.compile(r"0(?:\.[0-9]*)?|1(?:\.0*)?")


def accepted(headers: Headers, name: str) -> Mapping[str, float]:
    """What a header lists, in lower case, the most wanted first, with weights above 0 to 1 (RFC 9110, 12.4.2).

    What has a weight of 0, or one that cannot be read, is not taken; of several the least counts. Several headers of
    that name are one.
    """
    text = ",".join(headers.getlist(name))
    # What the end cuts short might say the opposite.
    return _accepted(text if len(text) <= _MOST else text[:_MOST].rpartition(",")[0])


def has_already(headers: Headers, tag: str) -> bool:
    """Whether whoever asks has what bears an entity tag, given with its quotation marks (RFC 9110, 13.1.2)."""
    tags = ",".join(headers.getlist("if-none-match")).split(",")
    return not {"*", tag}.isdisjoint(one.strip().removeprefix("W/") for one in tags)


@lru_cache(maxsize=1_024)
def _accepted(text: str) -> Mapping[str, float]:
    weighted: dict[str, float] = {}
    for part in text.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights = [value.strip() for key, _, value in (one.partition("=") for one in parameters) if key.strip() == "q"]
        weight = (weights or ["1"])[0]
        weighted[name] = min(weighted.get(name, 1), float(weight) if _WEIGHT.fullmatch(weight) else 0)
    taken = [(name, weight) for name, weight in weighted.items() if name and weight]
    return dict(sorted(taken, key=lambda one: -one[1]))
