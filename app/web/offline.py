"""What a browser shows when it cannot reach the server: one page, kept by a service worker that does nothing else."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.web import urls
from app.web.deps import rooms
from app.web.html import html_answer

_MARK_LENGTH = 12


@dataclass(frozen=True, slots=True)
class OfflinePage:
    """That there is no connection, and that nothing is lost."""

    template: ClassVar[str] = "offline.html"

    title: str = "No connection"


@dataclass(frozen=True, slots=True)
class Worker:
    """The service worker's script, which keeps the page at ``page_url``; ``mark`` changes with that page."""

    template: ClassVar[str] = "offline.worker.js"

    page_url: str
    mark: str
    title: str = "The offline page's worker"


async def offline(request: Request) -> Response:
    """The page that is shown without a connection; the same for everyone."""
    return html_answer(request, rooms(request).render.page(OfflinePage()))


async def worker(request: Request) -> Response:
    """The service worker: asked for anew each time, and at the root, since it minds only what lies below it."""
    render = rooms(request).render
    # The page names its styles with their marks, so its own mark changes with theirs, too.
    mark = hashlib.sha256(render.page(OfflinePage()).encode()).hexdigest()[:_MARK_LENGTH]
    script = render.page(Worker(urls.OFFLINE, mark))
    return Response(script, headers={"Cache-Control": "no-cache"}, media_type="text/javascript")


routes = [
    Route(urls.OFFLINE, offline),
    Route(urls.WORKER, worker),
]
