"""HTML on its way out: as who asks prefers it, compressed for whoever takes it, asked for again each time."""

from deflate import gzip_compress
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.web.accepted import accepted
from app.web.deps import preferences, rooms
from app.web.layers.below import base_of, html_below
from app.web.table.page_views import Page

_ZIPPED_FROM = 600
_ZIP_LEVEL = 9


def page_answer(request: Request, view: Page, status: int = 200, headers: dict[str, str] | None = None) -> HTMLResponse:
    """The whole page of a view, as the player who asks prefers it."""
    return html_answer(request, rooms(request).render.page(view, preferences(request)), status, headers)


def html_answer(request: Request, html: str, status: int = 200, headers: dict[str, str] | None = None) -> HTMLResponse:
    """A page or a fragment, compressed with gzip where that pays and is accepted."""
    # Pages are asked for again each time, yet may be kept for the way back.
    sent = {"Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Accept-Language, Cookie", **(headers or {})}
    body = html_below(base_of(request), html).encode()
    if len(body) >= _ZIPPED_FROM and takes_gzip(request):
        sent["Content-Encoding"] = "gzip"
        body = bytes(gzip_compress(body, _ZIP_LEVEL))
    return HTMLResponse(body, status, sent)


def takes_gzip(request: Request) -> bool:
    """Whether whoever asks takes gzip, and names it."""
    return "gzip" in accepted(request.headers, "accept-encoding")
