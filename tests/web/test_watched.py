"""What is seen of each request, and what it leaves behind."""

import asyncio
import gc
import weakref
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Scope

from tests.conftest import Clock, make_app
from tests.web.api import SEED

FORM = b"version=0&action=draw"


class Line:
    """A request as a server holds it: it knows its scope, and what answers it knows the request."""

    def __init__(self, method: str, path: str) -> None:
        self.answered: list[Message] = []
        self.scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [
                (b"host", b"test"),
                (b"hx-request", b"true"),
                (b"content-type", b"application/x-www-form-urlencoded"),
                (b"content-length", str(len(FORM)).encode()),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "state": {},
        }

    async def receive(self) -> Message:
        return {"type": "http.request", "body": FORM, "more_body": False}

    async def send(self, message: Message) -> None:
        self.answered.append(message)


async def answered(app: ASGIApp, method: str, path: str) -> tuple[int, "weakref.ref[Line]"]:
    line = Line(method, path)
    await app(line.scope, line.receive, line.send)
    return line.answered[0]["status"], weakref.ref(line)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/rules", 200), ("GET", "/readyz", 200), ("POST", f"/d/endless/{SEED}", 200), ("POST", "/nothing", 404)],
)
def test_a_request_is_gone_when_it_is_answered_and_leaves_the_collector_nothing(
    tmp_path: Path, method: str, path: str, status: int
) -> None:
    app = make_app(tmp_path, Clock())

    async def ask() -> None:
        async with app.router.lifespan_context(app):
            found, line = await answered(app, method, path)
            await asyncio.sleep(0)
            assert (found, line()) == (status, None)

    gc.disable()
    try:
        asyncio.run(ask())
    finally:
        gc.enable()
