"""A player at the table: what he does by mouse and keyboard, with script and without, and what he meets."""

import json
import re
import time
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, Route

JsonObject = dict[str, Any]

_LONGEST_WAIT = 10
"""Seconds."""

ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}

# A violation is also reported as an event; the console then says it twice, which does no harm.
_TELL_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.effectiveDirective} refuses ${event.blockedURI}`))"""

_MIDDLES = """() => Object.fromEntries([...document.querySelectorAll("#table button")].map((button) => {
    const box = button.getBoundingClientRect();
    return [button.id, [box.left + box.width / 2, box.top + box.height / 2]];
}))"""

# What of the page has jumped so far, and how much of the screen: to run before it.
SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(
        [entry.value, entry.sources.map(({node}) => node?.id || node?.className || node?.nodeName || "")])))
        .observe({type: "layout-shift", buffered: true});"""


class Visitor:
    """A browser context, and all that its pages complained of or asked other hosts for."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.asked: list[str] = []
        self.posts: list[Request] = []
        self.heard: list[str] = []
        self._expected: list[str] = []
        self._tab: Page | None = None
        context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.heard.append(f"script: {error.error}"))
        context.on("request", self._request)

    def player(self) -> "Player":
        """A player with a tab of his own."""
        page, self._tab = self._tab or self.context.new_page(), None
        return Player(page, self)

    def has_been(self, before: tuple[list[Any], list[str]]) -> list[str]:
        """The addresses of a past that is this visitor's from now on."""
        cookies, paths = before
        self.context.add_cookies(cookies)
        return paths

    def leave(self, to: str) -> bool:
        """Give back all but a tab, which goes to an address; False, and the context is closed, where none is left."""
        if not self.context.pages:
            self.context.close()
            return False
        self._tab, *others = self.context.pages
        for page in others:
            page.close()
        self._tab.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(offline=False)
        # Whatever a page has under way ends here, and no answer to it can bring a cookie after that.
        self._tab.goto(to)
        self._tab.mouse.move(0, 0)
        self.context.clear_cookies()
        return True

    def begin(self, options: JsonObject) -> None:
        """Be somebody else, to whom nothing has happened, at a screen as these options for a context make it."""
        for kept in (self.asked, self.posts, self.heard, self._expected):
            kept.clear()
        if self._tab is not None:
            if self._tab.viewport_size != options["viewport"]:
                self._tab.set_viewport_size(options["viewport"])
            self._tab.emulate_media(media="null", color_scheme=options.get("color_scheme", "light"))

    def expects(self, *complaints: str) -> None:
        """Complaints that match these patterns belong to the test."""
        self._expected += complaints

    def complaints(self) -> list[str]:
        """What nobody expected."""
        return [heard for heard in self.heard if not any(re.search(known, heard) for known in self._expected)]

    def api(self, path: str, **body: str | int) -> JsonObject:
        """What the API answers this visitor, to a POST if there is a body."""
        request = self.context.request
        answer = request.post(f"/api/v1{path}", data=body) if body else request.get(f"/api/v1{path}")
        assert answer.ok, answer.text()
        found: JsonObject = answer.json()
        answer.dispose()
        return found

    def begun(self, rules: str, seed: str, *actions: str) -> JsonObject:
        """A game of this visitor after some actions."""
        return self.gone_on(self.api("/games", rules=rules, seed=seed), *actions)

    def gone_on(self, game: JsonObject, *actions: str) -> JsonObject:
        """A game of this visitor after some more actions.

        They are asked for past the browser, which would take several times as long for each."""
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in self.context.cookies(self.url))
        headers = {"Cookie": cookies, "Content-Type": "application/json"}
        with closing(HTTPConnection(urlsplit(self.url).netloc, timeout=30)) as line:
            for action in actions:
                body = json.dumps({"version": game["version"], "action": action}).encode()
                line.request("POST", f"/api/v1/games/{game['id']}/actions", body, headers)
                answer = line.getresponse()
                text = answer.read()
                assert answer.status == HTTPStatus.OK, text
                game = json.loads(text)
        return game

    def _console(self, message: ConsoleMessage) -> None:
        # That the worker is kept away is our own doing.
        if message.type in {"error", "warning"} and "blocked by Playwright" not in message.text:
            self.heard.append(f"console: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)
        if not request.url.startswith(self.url):
            self.heard.append(f"another host: {request.url}")
        if request.method == "POST":
            self.posts.append(request)


class Player:
    """Someone with a page before him. ``act`` and ``key_in`` take actions in the game's notation."""

    def __init__(self, page: Page, visitor: Visitor) -> None:
        self.page = page
        self.visitor = visitor
        self.table = page.locator("#table")
        self.live = page.locator("#live")
        self.stock = page.locator("#stock, #draw")

    # ---- Looking ----

    def open(self, path: str) -> None:
        """Go to an address."""
        # By then the deferred scripts have run; only the icon may still be under way.
        self.page.goto(path, wait_until="domcontentloaded")

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.visitor.url)

    def card(self, code: str) -> Locator:
        return self.page.locator(f'#table [name=card][value="{code}"]')

    def attribute(self, name: str) -> str:
        """What the table tells the script."""
        return self.table.get_attribute(f"data-{name}") or ""

    @property
    def version(self) -> int:
        return int(self.attribute("version"))

    def says(self, text: str) -> bool:
        """Whether the live region says a text, at once."""
        return text in (self.live.text_content() or "")

    def cards(self) -> list[str]:
        """The cards on the table, in the order of the document."""
        return self.every("#table [name=card]", "value")

    def every(self, selector: str, attribute: str) -> list[str]:
        """An attribute of all elements that a selector finds."""
        found: list[str] = self.page.eval_on_selector_all(
            selector, "(all, name) => all.map((one) => one.getAttribute(name))", attribute
        )
        return found

    def shown(self) -> tuple[list[str], list[str], str]:
        """The table at a glance: cards, the counts in words, moves."""
        counts = self.page.locator(".piles small").all_text_contents()
        return self.cards(), counts, self.page.locator(".score b").first.text_content() or ""

    def reaches(self, version: int) -> None:
        """Wait until the table has a version."""
        self.page.locator(f'#table[data-version="{version}"]').wait_for(state="attached")

    # ---- The mouse ----

    def buttons(self, action: str) -> list[Locator]:
        """What is pressed for an action: its button, or the cards of a discard."""
        if action in {"draw", "redeal"}:
            return [self.stock]
        if action in {"undo", "redo"}:
            return [self.page.locator(f"#{action}")]
        return [self.card(code) for code in action.split("+")]

    def click(self, button: Locator) -> None:
        """Click in the middle of a button where it is at this moment, whatever may lie on it or move."""
        box = button.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def press(self, action: str) -> None:
        """Press all that an action needs; nobody waits for the answer."""
        for button in self.buttons(action):
            self.click(button)

    def act(self, *actions: str) -> None:
        """Take actions by mouse, one after the other."""
        for action in actions:
            version = self.version
            self.press(action)
            self.reaches(version + 1)

    # ---- The keyboard ----

    def focused(self) -> str:
        """The id of what has the focus; empty for the page itself."""
        focused: str = self.page.evaluate("() => document.activeElement.id")
        return focused

    def key_in(self, action: str) -> None:
        """Take an action by keyboard alone."""
        version = self.version
        if action in {"draw", "redeal", "undo", "redo"}:
            self.page.keyboard.press({"redeal": "d"}.get(action, action[0]))
        else:
            for code in action.split("+"):
                self.walk_to(self.card(code).get_attribute("id") or "")
                self.page.keyboard.press("Enter")
        self.reaches(version + 1)

    def walk_to(self, goal: str) -> None:
        """Walk by arrows to a button; explores where the straight way does not lead there."""
        middles: dict[str, list[float]] = self.page.evaluate(_MIDDLES)
        roads: dict[str, dict[str, str]] = {}
        here = self.focused()
        for _ in range(100):
            if here == goal:
                return
            arrow = _next_arrow(roads, here, middles.get(here), middles[goal])
            self.page.keyboard.press(arrow)
            roads.setdefault(here, {})[arrow] = here = self.focused()
        raise AssertionError(f"no way by arrows to {goal}")

    # ---- Plain forms ----

    def act_plainly(self, action: str) -> None:
        """Take an action without script: each press is a page."""
        for button in self.buttons(action):
            with self.page.expect_navigation():
                self.click(button)


class Slow:
    """A server that lets every POST of a page wait until it is told to go on, and from then on is quick."""

    def __init__(self, player: Player) -> None:
        self.waiting: list[Route] = []
        self._page = player.page
        self._quick = False
        self._page.route("**/*", self._hold)

    def _hold(self, route: Route) -> None:
        if self._quick or route.request.method != "POST":
            route.continue_()
        else:
            self.waiting.append(route)

    def go_on(self) -> None:
        """Answer what waits, once something does."""
        wait_until(self._page, lambda: self.waiting)
        self._quick = True
        for route in self.waiting:
            route.continue_()


def wait_until(page: Page, happened: Callable[[], object]) -> None:
    """Let a page go on until something has happened that the browser tells of."""
    deadline = time.monotonic() + _LONGEST_WAIT
    while not happened():
        assert time.monotonic() < deadline, "it has not happened"
        page.wait_for_timeout(5)


def _next_arrow(roads: dict[str, dict[str, str]], here: str, at: list[float] | None, goal: list[float]) -> str:
    """The untried arrow that points best to the goal, else the first step to a place that has an untried one."""
    untried = [arrow for arrow in ARROWS if arrow not in roads.get(here, {})]
    if untried:
        ways = [goal[0] - at[0], goal[1] - at[1]] if at else [0, 1]
        return max(untried, key=lambda arrow: ARROWS[arrow][0] * ways[0] + ARROWS[arrow][1] * ways[1])
    steps = [(arrow, place) for arrow, place in roads[here].items()]
    seen = {here}
    for first, place in steps:
        if len(roads.get(place, {})) < len(ARROWS):
            return first
        if place not in seen:
            seen.add(place)
            steps += [(first, beyond) for beyond in roads[place].values()]
    raise AssertionError(f"the arrows lead nowhere else from {here}")
