import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.config import Settings
from app.main import Sources, create_app
from tests import databases
from tests.postgres import Postgres, binaries
from tests.web import described
from tests.web.api import Api
from tests.web.server import Server

# An example may take as long as a busy machine needs for it.
settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")


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
    """A source of "random" texts that can be foretold: a prefix and a running number, 43 characters as of a key."""

    def __init__(self, prefix: str, length: int = 43) -> None:
        self.count = 0
        self._prefix = prefix
        self._length = length

    def __call__(self) -> str:
        self.count += 1
        return f"{self._prefix}{self.count:0{self._length - len(self._prefix)}}"


class Compiled(BytecodeCache):
    """The templates' code, compiled once in a process."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def make_app(folder: Path, clock: Clock, **settings: Any) -> FastAPI:  # noqa: ANN401 - any setting's value.
    """The application on a folder of its own, with nothing random in it."""
    seeds, ids = Numbered("seed-"), Numbered("game-")
    return create_app(
        Settings(data=folder, database=SecretStr(databases.address(folder)), **settings),
        Sources(clock, lambda: ids()[:5] + ids()[-11:], fresh_key=Numbered("key-"), fresh_seed=seeds),
        COMPILED,
    )


def new_client(app: FastAPI, base_url: str = "http://testserver") -> TestClient:
    """A client without a cookie, which follows no redirect and meets a broken server as a browser would."""
    made = TestClient(app, base_url=base_url, follow_redirects=False, raise_server_exceptions=False)
    made.event_hooks = {"response": [described.look_at]}
    return made


def beside(client: TestClient, app: FastAPI, base_url: str = "http://testserver") -> TestClient:
    """Another visitor of the server that a client runs, in the same event loop."""
    visitor = new_client(app, base_url)
    visitor.portal = client.portal
    return visitor


@pytest.fixture
def clock() -> Clock:
    return Clock()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if databases.POSTGRESQL:
        left_out = [item for item in items if item.get_closest_marker("sqlite")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="module", autouse=True)
def _databases_of_a_module() -> Iterator[None]:
    before = databases.given()
    yield
    databases.take_back(databases.given() - before)


@pytest.fixture(autouse=True)
def _databases_of_a_test(_databases_of_a_module: None) -> Iterator[None]:
    before = databases.given()
    yield
    databases.take_back(databases.given() - before)


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> FastAPI:
    databases.fill(tmp_path)
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


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL that syncs to disk, as in earnest."""
    if binaries() is None:
        if "CI" in os.environ:
            pytest.fail("PostgreSQL is missing")
        pytest.skip("PostgreSQL is not installed")
    with Postgres(sync=True) as running:
        yield running
