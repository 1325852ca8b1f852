from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.config import Settings
from app.main import Sources, create_app
from tests.web.api import Api
from tests.web.server import Server


class Clock:
    """A clock that stands still until it is moved; milliseconds since 1970."""

    def __init__(self) -> None:
        self.milliseconds = 1_800_000_000_000

    def __call__(self) -> int:
        return self.milliseconds

    def tick(self, seconds: float) -> None:
        """Move the clock on (or back)."""
        self.milliseconds += round(seconds * 1000)


class Numbered:
    """A source of "random" texts that can be foretold: a prefix and a running number, 43 characters."""

    def __init__(self, prefix: str) -> None:
        self.count = 0
        self._prefix = prefix

    def __call__(self) -> str:
        self.count += 1
        return f"{self._prefix}{self.count:0{43 - len(self._prefix)}}"


def make_app(folder: Path, clock: Clock) -> FastAPI:
    """The application on a folder of its own, with nothing random in it."""
    seeds, ids = Numbered("seed-"), Numbered("game-")
    return create_app(
        Settings(data=folder),
        Sources(clock, lambda: ids()[:5] + ids()[-11:], fresh_key=Numbered("key-"), fresh_seed=seeds),
    )


def new_client(app: FastAPI, base_url: str = "http://testserver") -> TestClient:
    """A client without a cookie, which follows no redirect and meets a broken server as a browser would."""
    return TestClient(app, base_url=base_url, follow_redirects=False, raise_server_exceptions=False)


def beside(client: TestClient, app: FastAPI, base_url: str = "http://testserver") -> TestClient:
    """Another visitor of the server that a client runs, in the same event loop."""
    visitor = new_client(app, base_url)
    visitor.portal = client.portal
    return visitor


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> FastAPI:
    return make_app(tmp_path, clock)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with new_client(app) as client:
        yield client


@pytest.fixture
def other(app: FastAPI, client: TestClient) -> TestClient:
    """A second visitor of the same, running server."""
    return beside(client, app)


@pytest.fixture
def api(client: TestClient) -> Api:
    return Api(client)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A real server process with a database of its own."""
    with Server(tmp_path / "data") as running:
        yield running
