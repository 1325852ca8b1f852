"""A real browser below a path, with a proxy that takes the path off and with one that leaves it."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.browser.worker import KEPT, REACHES_NOTHING, READY, go_on
from tests.web.nginx import Nginx, free_port, nginx_path
from tests.web.server import Server

pytestmark = pytest.mark.browser

BASE = "/pyramid"
FORWARDED = "proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the game is reached: through a proxy that takes the path off, and through one that leaves it."""
    nginx_path()
    folder, ports = (
        tmp_path_factory.mktemp("below"),
        {"the path is left": free_port(), "the path is taken off": free_port()},
    )
    with ExitStack() as stack:
        server = stack.enter_context(Server(folder / "data", PYRAMID_BASE_PATH=BASE))
        blocks = []
        for name, port in ports.items():
            end = "/" if name == "the path is taken off" else ""
            location = f"location {BASE}/ {{ proxy_pass {server.url}{end}; {FORWARDED} }}"
            blocks.append(f"server {{ listen 127.0.0.1:{port}; absolute_redirect off; {location} }}")
        stack.enter_context(Nginx(folder / "nginx", "\n".join(blocks), list(ports.values())))
        yield {name: f"http://127.0.0.1:{port}{BASE}" for name, port in ports.items()}


@pytest.fixture(params=["the path is left", "the path is taken off"])
def player(request: pytest.FixtureRequest, places: dict[str, str], visit: Visit) -> Player:
    """A player for whom whatever does not lie below the path is another host's."""
    return visit(places[request.param], service_workers="allow").player()


def go(player: Player, path: str) -> None:
    player.page.goto(player.visitor.url + path)


def test_a_player_notices_nothing_of_the_path(player: Player) -> None:
    go(player, "/d/endless/win-14")
    player.act("draw", "draw", "undo")
    assert player.path.startswith("/g/")
    game, before = player.path, player.shown()
    player.page.locator("#hint").click()
    expect(player.page.locator(".notice").first).to_be_visible()
    go(player, f"/settings?from={game}")
    player.page.get_by_role("button", name="Save").click()
    expect(player.page.get_by_role("status")).to_have_text("Saved.")
    player.page.get_by_role("link", name="Back").first.click()
    assert player.path == game
    go_on(player)
    assert (player.version, player.shown()) == (3, before)
    go(player, "")
    player.page.get_by_role("main").get_by_role("link", name="Rules").click()
    assert player.path == "/rules"


def test_a_replay_is_stepped_through_without_reloading(player: Player) -> None:
    go(player, "/d/endless/win-14")
    player.act("draw", "draw")
    game = player.path
    go(player, f"{game}/replay")
    player.page.locator("#next").click()
    expect(player.page.locator("#position")).to_have_attribute("data-at", "1")
    assert player.path == f"{game}/replay?at=1"


def test_the_page_for_when_there_is_no_connection_is_kept_below_the_path(player: Player) -> None:
    go(player, "/")
    player.page.evaluate(READY)
    scope = player.page.evaluate("async () => (await navigator.serviceWorker.ready).scope")
    assert scope == f"{player.visitor.url}/"
    kept = [f"{BASE}{path}" for path in ("/offline", "/static/sheets.css", "/static/table.css")]
    assert player.page.evaluate(KEPT) == kept
    player.visitor.expects(*REACHES_NOTHING)
    player.visitor.context.set_offline(offline=True)
    go(player, "/rules")
    expect(player.page.get_by_role("heading", name="No connection")).to_be_visible()
    player.visitor.context.set_offline(offline=False)
    player.page.get_by_role("link", name="Try again").click()
    expect(player.page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


def test_a_new_worker_throws_away_nothing_that_another_program_of_the_host_keeps(player: Player) -> None:
    go(player, "/settings")
    keeps = 'async () => { for (const name of ["another-v1", "/pyramid offline-old"]) await caches.open(name); }'
    player.page.evaluate(READY)
    player.page.evaluate(keeps)
    player.page.evaluate("async () => { await (await navigator.serviceWorker.ready).unregister(); }")
    go(player, "/rules")
    player.page.evaluate(READY)
    player.page.wait_for_function('async () => !(await caches.keys()).includes("/pyramid offline-old")')
    assert "another-v1" in player.page.evaluate("() => caches.keys()")
