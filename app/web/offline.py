"""What a browser keeps of us: the manifest of what is installed, and the page for when there is no connection.

That page is kept by a service worker that does nothing else. Both are asked for without the player's cookies, so their
addresses carry the language.
"""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.web import urls
from app.web.deps import rooms
from app.web.html import html_answer
from app.web.language import CODES, SOURCE, speak, spoken
from app.web.language import gettext as _
from app.web.layers.below import base_of

_MARK_LENGTH = 12
_MANIFEST_LASTS = 86_400


@dataclass(frozen=True, slots=True)
class OfflinePage:
    """That there is no connection, and that nothing is lost."""

    template: ClassVar[str] = "offline.html"

    title: str


@dataclass(frozen=True, slots=True)
class Worker:
    """The service worker's script, which keeps the page at ``page_url``; ``mark`` changes with that page.

    What it keeps has a name that begins with ``ours``, and so does nothing of another program at our address.
    """

    template: ClassVar[str] = "offline.worker.js"

    title: str
    page_url: str
    ours: str
    mark: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is installed, as a Web Application Manifest; ``base`` stands in front of our addresses."""

    template: ClassVar[str] = "manifest.webmanifest"

    title: str
    base: str


async def offline(request: Request) -> Response:
    """The page that is shown without a connection; the same for everyone who speaks a language."""
    _speak_as_asked(request)
    return html_answer(request, rooms(request).render.page(_offline_page()))


async def manifest(request: Request) -> Response:
    """What is installed, for everyone who speaks a language; in English where the address names none."""
    # Caches keep it for all who ask by the same address.
    speak(SOURCE)
    _speak_as_asked(request)
    text = rooms(request).render.page(Manifest("Pyramid 13", base_of(request)))
    headers = {"Cache-Control": f"public, max-age={_MANIFEST_LASTS}"}
    return Response(text, headers=headers, media_type="application/manifest+json")


async def worker(request: Request) -> Response:
    """The service worker: asked for anew each time, and above all else, since it minds only what lies below it."""
    render, base = rooms(request).render, base_of(request)
    # The page names its styles with their marks, so its own mark changes with theirs, too.
    mark = hashlib.sha256(render.page(_offline_page()).encode()).hexdigest()[:_MARK_LENGTH]
    script = render.page(Worker("Pyramid 13", base + urls.offline(spoken()), f"{base} offline-".lstrip(), mark))
    return Response(script, headers={"Cache-Control": "no-cache"}, media_type="text/javascript")


routes = [
    Route(urls.OFFLINE, offline),
    Route(urls.WORKER, worker),
    Route(urls.MANIFEST, manifest),
]


def _offline_page() -> OfflinePage:
    return OfflinePage(_("No connection"))


def _speak_as_asked(request: Request) -> None:
    """Answer in the language that the address names, if it names one of ours."""
    code = request.query_params.get("language")
    if code in CODES:
        speak(code)
