"""What a hand feels on a phone: ``python -m tests.bench.hand``.

A real server and Chromium as a phone of 360 by 640 px, its processor slowed down fourfold, motion as by default.

- **Tap to changed table**: whole golden games by touch, straight to the server. From the time stamp that the browser
  gives the ``pointerdown`` of the tap which takes the action (of a pair, the second) to the first task after the frame
  that shows it: a MutationObserver sees the table's new version, a frame is asked for, and in it a message is posted,
  which arrives once the frame is laid out and painted. Each next tap follows 200 ms later: the last card still flies.
- **INP**: the ``event`` entries of the same games, as the browser rounds them (8 ms), by interaction; per game the
  worst, and the one that every fiftieth exceeds. Shorter ones than 16 ms are not reported and count as such.
- **Layout shifts**: the sum over a game, and the same without what comes within 500 ms of a tap (CLS).
- **LCP and bytes**: through a line of our own with the figures of Lighthouse's slow 4G: 150 ms there and back, 1.6
  Mbit/s down, 0.75 up, one more way there and back for every new connection (no TLS). It counts every byte both ways,
  heads, icon, manifest and the service worker's requests included. A first view is that of a new browser profile; the
  repeat view is the same page in the same profile, when the worker is there.
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, browser_path
from tests.browser.line import Line
from tests.browser.player import Player, Visitor
from tests.playthroughs import Win, wins
from tests.web.server import Server

SLOWDOWN = 4
NOTED = 0.001
PAUSE = 200
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SLOW_4G = (0.15, 1_600_000, 750_000)
DEAL = "/d/endless/win-14"

WATCH = """(() => {
    const seen = window.seen = {events: new Map(), shifts: [], lcp: 0, took: null};
    let down = 0, told = null;
    addEventListener("pointerdown", (event) => { down = event.timeStamp; }, true);
    seen.next = () => new Promise((tell) => { told = tell; });
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { told?.(performance.now() - down); };
    new MutationObserver(() => requestAnimationFrame(() => channel.port2.postMessage(0)))
        .observe(document, {subtree: true, attributeFilter: ["data-version"]});
    const observe = (type, take, more) =>
        new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({type, buffered: true, ...more});
    observe("event", ({interactionId: id, duration, name}) => {
        if (id && duration > (seen.events.get(id)?.[0] ?? 0)) seen.events.set(id, [duration, name]);
    }, {durationThreshold: 16});
    observe("layout-shift", ({value, hadRecentInput, sources}) => seen.shifts.push([value, hadRecentInput,
        sources.map(({node}) => node?.id || node?.className || node?.nodeName)]));
    observe("largest-contentful-paint", ({startTime}) => { seen.lcp = startTime; });
})()"""


# ---- Whole games ----


@dataclass
class Game:
    """What a game was like: milliseconds by move and by interaction, shifts, bytes of the answers and their heads."""

    rules: str
    moves: list[float] = field(default_factory=list)
    interactions: int = 0
    events: list[float] = field(default_factory=list)
    shifts: list[tuple[float, bool, list[str]]] = field(default_factory=list)
    answers: list[tuple[int, int]] = field(default_factory=list)

    @property
    def inp(self) -> float:
        """The interaction that every fiftieth exceeds; those too short to be reported took less than 16 ms."""
        return sorted([*self.events, *[16.0] * (self.interactions - len(self.events))])[-1 - self.interactions // 50]


def play(browser: Browser, url: str, win: Win) -> Game:
    """Play a won game by touch."""
    visitor = Visitor(browser.new_context(base_url=url, **PHONE), url)
    player = visitor.player()
    player.page.add_init_script(WATCH)
    slow_down(player.page)
    player.open(f"/d/{win.rules}/{win.deal.replace(' ', '')}")
    game = Game(win.rules)
    for action in win.actions:
        player.page.wait_for_timeout(PAUSE)
        for tap in player.buttons(action):
            _tap(player, tap)
            game.interactions += 1
        game.moves.append(player.page.evaluate("() => seen.changed"))
    player.page.wait_for_timeout(1000)
    game.events = [event[0] for event in player.page.evaluate("() => [...seen.events.values()]")]
    game.shifts = player.page.evaluate("() => seen.shifts")
    sizes = [post.sizes() for post in visitor.posts]
    game.answers = [(size["responseBodySize"], size["responseHeadersSize"]) for size in sizes]
    visitor.context.close()
    return game


def _tap(player: Player, button: Locator) -> None:
    box = button.bounding_box()
    assert box is not None
    player.page.evaluate("() => { seen.changed = seen.next(); }")
    player.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def slow_down(page: Page) -> None:
    """Let the page's processor be as slow as a phone's."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})


# ---- Views ----


@dataclass(frozen=True)
class View:
    """A page seen through the slow line: milliseconds to the largest paint, bytes down and up."""

    lcp: float
    down: int
    up: int


def look(browser: Browser, line: Line, path: str) -> tuple[View, View]:
    """A first view of a page by a new profile, and a repeat view."""
    context = browser.new_context(base_url=line.url, **PHONE)
    views = []
    for _ in range(2):
        line.reset()
        page = context.new_page()
        page.add_init_script(WATCH)
        slow_down(page)
        page.goto(path)
        line.rest()
        views.append(View(page.evaluate("() => seen.lcp"), line.down, line.up))
        page.close()
    context.close()
    return views[0], views[1]


# ---- The table ----


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=7, help="how many whole games, each of another rule set")
    parser.add_argument("--views", type=int, default=7, help="how many first and repeat views")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "data", loaded=False) as server,
        sync_playwright() as tools,
    ):
        browser = tools.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        with Line(server.port, *SLOW_4G).running() as line:
            views = [look(browser, line, DEAL) for _ in range(asked.views)]
        _print_views(views)
        _print_games([play(browser, server.url, win) for win in wins()[: asked.games]])
        browser.close()


def _print_views(views: list[tuple[View, View]]) -> None:
    print(
        f"| a deal's page, {len(views)} views, processor {SLOWDOWN}x slower | LCP, median | worst | KB down | KB up |"
    )
    print("| --- | --- | --- | --- | --- |")
    for name, some in (("first view", [one[0] for one in views]), ("repeat view", [one[1] for one in views])):
        lcp = [view.lcp for view in some]
        down, up = max(view.down for view in some) / 1000, max(view.up for view in some) / 1000
        print(f"| {name} | {statistics.median(lcp):.0f} ms | {max(lcp):.0f} ms | {down:.1f} | {up:.1f} |")


def _print_games(games: list[Game]) -> None:
    print(f"\n| game, processor {SLOWDOWN}x slower | moves | tap to table p50 | p95 | INP | worst | CLS | all shifts |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for game in games:
        _print_row(f"`{game.rules}`", game)
    whole = Game("all")
    for game in games:
        whole.moves += game.moves
        whole.interactions += game.interactions
        whole.events += game.events
        whole.shifts += game.shifts
        whole.answers += game.answers
    _print_row("all", whole)
    body, head = (max(sizes) for sizes in zip(*whole.answers, strict=True))
    print(f"\nA move's answer: at most {body:,} bytes, and {head:,} of its head.")
    for value, recent, sources in whole.shifts:
        if value > NOTED:
            print(f"A shift of {value:.4f}{' after a tap' if recent else ''}: {', '.join(map(str, sources))}.")


def _print_row(name: str, game: Game) -> None:
    p95 = statistics.quantiles(game.moves, n=20)[18]
    worst = max(game.events, default=16)
    alone = sum(value for value, recent, _ in game.shifts if not recent)
    every = sum(value for value, _, _ in game.shifts)
    print(
        f"| {name} | {len(game.moves)} | {statistics.median(game.moves):.0f} ms | {p95:.0f} ms"
        f" | {game.inp:.0f} ms | {worst:.0f} ms"
        f" | {alone:.4f} | {every:.4f} |"
    )


if __name__ == "__main__":
    main()
