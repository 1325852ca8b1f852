"""A real browser before a real server; every page is watched for errors until its test ends."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.player import Player, Visitor
from tests.web.server import Server

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}

Visit = Callable[..., Visitor]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser last: it is slowest."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


def browser_path() -> str:
    """Where the browser is that the tests drive; empty where there is none."""
    if named := os.environ.get("PYRAMID_TEST_BROWSER"):
        return named
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), "")


# One for each file: while it runs, no other test of its thread can have an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = browser_path()
    if not path:
        why = "no Chromium is installed, and PYRAMID_TEST_BROWSER names none"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all browser tests; each test is a player of his own."""
    with Server(tmp_path_factory.mktemp("browser") / "data") as running:
        yield running


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Makes visitors, each with cookies of his own; at the end none may have met an error he did not expect."""
    visitors: list[Visitor] = []

    def visit(base_url: str = "", **options: Any) -> Visitor:  # noqa: ANN401 - as Playwright takes them.
        url = base_url or server.url
        # The worker that shows a page of ours without a connection has tests of its own; elsewhere it stays away, so
        # that a server that is silent on purpose need not answer it.
        context = {"service_workers": "block", **DESK, **options}
        visitor = Visitor(browser.new_context(base_url=url, **context), url)
        visitor.context.set_default_timeout(5_000)
        visitors.append(visitor)
        return visitor

    yield visit
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints()] == []


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return visit()


@pytest.fixture
def player(visitor: Visitor) -> Player:
    """A player at a desk, who has not yet opened a page."""
    return visitor.player()
