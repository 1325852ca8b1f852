"""The path below which a proxy offers us. Inside there is none.

It is taken off requests at the gate, where the proxy has not done so, and put in front of addresses when an answer
leaves.
"""

import re
from collections.abc import Iterable

from starlette.requests import Request
from starlette.types import Scope

_KEY = "pyramid.base"

_IN_HTML = re.compile(r'(\s(?:href|src|action|formaction|hx-get|hx-post|data-path|data-page|data-position)=")(?=/)')
"""Before an address of ours; what players wrote cannot look like it, since a quotation mark of theirs is escaped."""


def enter(scope: Scope, base: str) -> Scope:
    """A request as it is inside, however much of its path a proxy has left; ``base`` is not empty."""
    path = scope["path"]
    if path == base:
        path = "/"
    elif path.startswith(f"{base}/"):
        path = path[len(base) :]
    return {**scope, "path": path, _KEY: base}


def base_of(request: Request) -> str:
    """What stands in front of our addresses outside; empty at the root."""
    base: str = request.scope.get(_KEY, "")
    return base


def html_below(base: str, html: str) -> str:
    """HTML with ``base`` in front of its addresses."""
    # Markup, which fragments are, would escape what is put into it.
    return _IN_HTML.sub(rf"\g<1>{base}", str(html)) if base else html


def headers_below(base: str, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """An answer's headers, with ``base`` in front of the addresses among them: Location and htmx's."""
    front = base.encode()
    return [
        (name, front + text if text.startswith(b"/") and (name == b"location" or name.startswith(b"hx-")) else text)
        for name, text in headers
    ]
