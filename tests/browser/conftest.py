"""A real browser before a real server; every page is watched for errors until its test ends."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from app.web.urls import ALIVE
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
Before = Callable[[Callable[[Visitor], list[str]]], tuple[list[Any], list[str]]]

SHELL = "chromium-headless-shell"
"""Chromium without all that surrounds its pages, which the tests never see; with it they take a third less time."""

SPARE = 4
"""Contexts that are kept for the next test; each holds some memory."""

LONGEST = ("test_languages", "test_boxes", "test_whole_games", "test_replay", "test_dragging", "test_zoom")
"""The files that take longest come first, lest one of them is left over while other processes have nothing to do."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser last: it is slowest, and while it runs, no other test of its thread can have an event loop."""

    def rank(item: pytest.Item) -> int:
        if item.get_closest_marker("browser") is None:
            return -1
        return LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST)

    items.sort(key=rank)


def browser_path(*first: str) -> str:
    """Where a Chromium is; empty where there is none. Of several, one of these names comes first."""
    if named := os.environ.get("PYRAMID_TEST_BROWSER"):
        return named
    found = map(shutil.which, (*first, "chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), "")


@cache
def has_tabs(browser: Browser) -> bool:
    """Whether a browser shows the icons of its pages; the shell has nothing to show them on, and fetches none."""
    session = browser.new_browser_cdp_session()
    product: str = session.send("Browser.getVersion")["product"]
    session.detach()
    return not product.startswith("Headless")


class Seats:
    """Contexts with a tab each. To open one takes the browser longer than most tests, so that they are used again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._spare: list[tuple[str, Visitor]] = []

    def take(self, url: str, first: str, options: dict[str, Any]) -> Visitor:
        """A visitor to whom nothing has happened yet; ``first`` is a script that runs before those of every page."""
        kind = _kind(url, first, options)
        for spare in self._spare:
            if spare[0] == kind:
                self._spare.remove(spare)
                spare[1].begin(options)
                return spare[1]
        context = self._browser.new_context(base_url=url, **options)
        context.set_default_timeout(5_000)
        if first:
            context.add_init_script(first)
        return Visitor(context, url)

    def give_back(self, visitor: Visitor, first: str, options: dict[str, Any]) -> None:
        """Keep a seat for the next visitor; the one that nobody has taken for longest goes."""
        # For an address that is not the server's, and for the next one that is, the browser begins a process each. But
        # where what is shown names no icon, a browser with tabs asks for one that is not there.
        if visitor.leave("about:blank" if has_tabs(self._browser) else ALIVE):
            self._spare.append((_kind(visitor.url, first, options), visitor))
        if len(self._spare) > SPARE:
            self._spare.pop(0)[1].context.close()


def _kind(url: str, first: str, options: dict[str, Any]) -> str:
    return json.dumps([url, first, options], sort_keys=True)


# One for all files: they come last, as no other test of their thread can have an event loop any more.
@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = browser_path(SHELL)
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
def seats(browser: Browser) -> Seats:
    return Seats(browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all browser tests; each test is a player of his own."""
    with Server(tmp_path_factory.mktemp("browser") / "data") as running:
        yield running


@pytest.fixture
def visit(browser: Browser, seats: Seats, server: Server) -> Iterator[Visit]:
    """Makes visitors, each with cookies of his own; at the end none may have met an error he did not expect.

    Whoever changes what outlasts a page and is no cookie (its clock, say) comes ``alone``: to a seat that nobody else
    has had or will have. So does whoever comes to another server, or lets the worker do its work."""
    visitors: list[Visitor] = []
    leaving: list[Callable[[], None]] = []

    def visit(base_url: str = "", *, alone: bool = False, first: str = "", **given: Any) -> Visitor:  # noqa: ANN401 - as Playwright takes them.
        # The worker that shows a page of ours without a connection has tests of its own; elsewhere it stays away, so
        # that a server that is silent on purpose need not answer it.
        options = {"service_workers": "block", **DESK, **given}
        if alone or base_url or "service_workers" in given:
            visitor = Seats(browser).take(base_url or server.url, first, options)
            leaving.append(visitor.context.close)
        else:
            visitor = seats.take(server.url, first, options)
            leaving.append(lambda: seats.give_back(visitor, first, options))
        visitors.append(visitor)
        return visitor

    yield visit
    for leave in leaving:
        leave()
    assert [complaint for visitor in visitors for complaint in visitor.complaints()] == []


@pytest.fixture(scope="session")
def before(seats: Seats, server: Server) -> Before:
    """Somebody's past, which takes long to make: made once, it is that of every visitor who gets its cookies.

    What a past is made of returns the addresses that it leads to. Who has it only looks, and changes none of it."""
    known: dict[Callable[[Visitor], list[str]], tuple[list[Any], list[str]]] = {}

    def before(past: Callable[[Visitor], list[str]]) -> tuple[list[Any], list[str]]:
        if past not in known:
            options = {"service_workers": "block", **DESK}
            visitor = seats.take(server.url, "", options)
            paths = past(visitor)
            known[past] = (list(visitor.context.cookies()), paths)
            seats.give_back(visitor, "", options)
        return known[past]

    return before


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return visit()


@pytest.fixture
def player(visitor: Visitor) -> Player:
    """A player at a desk, who has not yet opened a page."""
    return visitor.player()
