"""The server's processor time for a move, without a network: ``python -m tests.bench.inside``.

32 players at a time play random games of 100 moves through the htmx form, straight into the application, on a database
of its own (synchronous=NORMAL). What is told is the median of the rounds, the first of which is not counted.
"""

import argparse
import asyncio
import gc
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop
from starlette.types import ASGIApp, Message

from app.config import Settings
from app.main import create_app
from app.server import COLLECT
from tests.bench.moves import Script, scripts

_PLAYERS, _MOVES = 32, 100


async def _post(app: ASGIApp, path: str, body: bytes, cookie: str) -> dict[str, str]:
    """Post a form as htmx does; the headers of the answer, which must be 200."""
    answers: list[Message] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop()

    async def send(message: Message) -> None:
        answers.append(message)

    headers = {
        "host": "bench",
        "hx-request": "true",
        "cookie": cookie,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(body)),
    }
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    await app(scope, receive, send)
    assert answers[0]["status"] == 200
    return {name.decode(): text.decode() for name, text in answers[0]["headers"]}


async def _play(app: ASGIApp, script: Script) -> None:
    cookie, path = "none=none", script.path
    for body in script.bodies[:_MOVES]:
        headers = await _post(app, path, body, cookie)
        cookie = headers.get("set-cookie", cookie).partition(";")[0]
        path = headers.get("hx-replace-url", path)


async def _measure(rounds: int) -> list[float]:
    games = scripts(_PLAYERS * (rounds + 1))
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder), synchronous="NORMAL"))
        async with app.router.lifespan_context(app):
            for number in range(rounds + 1):
                began = time.process_time()
                at_once = games[number * _PLAYERS : (number + 1) * _PLAYERS]
                await asyncio.gather(*(_play(app, script) for script in at_once))
                seen.append((time.process_time() - began) / (_PLAYERS * _MOVES) * 1e6)
                if not number:
                    # As the server does once it has started.
                    gc.collect()
                    gc.freeze()
                    gc.set_threshold(*COLLECT)
    return seen[1:]


def main() -> None:
    """Measure and print the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    seen = uvloop.run(_measure(parser.parse_args().rounds))
    print(f"{statistics.median(seen):.0f} µs of the processor for a move ({min(seen):.0f} to {max(seen):.0f})")


if __name__ == "__main__":
    main()
