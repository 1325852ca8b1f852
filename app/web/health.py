"""For whoever watches the server: whether it is alive, and whether it can play."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.web import urls
from app.web.deps import rooms
from app.web.errors import RETRY_SECONDS

_HEADERS = {"Cache-Control": "no-store"}


async def alive(_request: Request) -> Response:
    """That the server runs; nothing else is asked."""
    return PlainTextResponse("ok", headers=_HEADERS)


async def ready(request: Request) -> Response:
    """Whether it can play: ``ok``, or what is in the way."""
    fault = await rooms(request).readiness.fault()
    if fault is None:
        return PlainTextResponse("ok", headers=_HEADERS)
    return PlainTextResponse(fault, 503, {**_HEADERS, "Retry-After": str(RETRY_SECONDS)})


routes = [
    Route(urls.ALIVE, alive),
    Route(urls.READY, ready),
]
