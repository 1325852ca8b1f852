"""What the API's description promises, held against what is answered."""

import re
from functools import cache
from typing import Any

import httpx2
from starlette.routing import compile_path

from app.main import api
from app.web.description import Described

_UNROUTED = {405}
"""What no route answers, and so no description tells of."""


@cache
def operations() -> dict[str, dict[str, Any]]:
    """The described operations, by path and method in small letters."""
    app = Described(title="Pyramid 13", version="0")
    app.include_router(api.router)
    return app.openapi()["paths"]


@cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    return [(compile_path(path)[0], path) for path in operations()]


def look_at(answer: httpx2.Response) -> None:
    """Fail where a route of the API answered with a status that its description does not name."""
    _before, found, rest = answer.request.url.path.partition("/api/")
    path = next((path for pattern, path in _paths() if pattern.match(found + rest)), None)
    method = answer.request.method.lower().replace("head", "get")
    if path is None or method not in operations()[path]:
        return
    told = operations()[path][method]["responses"]
    assert str(answer.status_code) in told, (method, path, answer.status_code)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] in told[str(answer.status_code)]["content"]
