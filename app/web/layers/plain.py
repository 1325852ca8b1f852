"""The pages and forms as plain routes in front of the API."""

from collections.abc import Mapping, Sequence

from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import BaseRoute, Router
from starlette.types import ASGIApp, ExceptionHandler, Receive, Scope, Send

from app.web.layers.watched import note_route


class PlainRoutes:
    """Answers its own routes and passes everything else on.

    A form or a page needs none of what FastAPI does for a JSON endpoint (parameters, models, a stack of
    resources to close), which would cost a move a third of its time.
    """

    def __init__(
        self, app: ASGIApp, routes: Sequence[BaseRoute], handlers: Mapping[type[Exception] | int, ExceptionHandler]
    ) -> None:
        self._inner = app
        self._routed = ExceptionMiddleware(Router(routes, default=app, redirect_slashes=False), handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        # Anything but a request (the start and the end of the server) is not for a router of ours.
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        try:
            await self._routed(scope, receive, send)
        finally:
            note_route(scope)
