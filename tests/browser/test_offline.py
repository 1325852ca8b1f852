"""Without a connection: a page says so, nothing is lost, and nothing that was kept is ever taken for the game."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Player, Visitor
from tests.browser.worker import KEPT, REACHES_NOTHING, READY, go_on
from tests.web.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return visit(service_workers="allow")


def kept(player: Player, path: str) -> None:
    """Open a page, and wait until the worker minds it."""
    player.page.goto(path)
    player.page.evaluate(READY)


def offline(player: Player, *, now: bool) -> None:
    player.visitor.expects(*REACHES_NOTHING)
    player.visitor.context.set_offline(offline=now)


def test_without_a_connection_a_page_says_so_and_the_game_goes_on_afterwards(player: Player) -> None:
    kept(player, "/d/endless/win-14")
    player.act("draw")
    path, before = player.path, player.shown()
    offline(player, now=True)
    player.page.reload()
    expect(player.page.get_by_role("heading", name="No connection")).to_be_visible()
    assert player.path == path
    player.page.get_by_role("link", name="Try again").click()
    expect(player.page.get_by_role("heading", name="No connection")).to_be_visible()
    # With its styles: the paper lies on the ground.
    assert player.page.locator("main").evaluate("(one) => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    offline(player, now=False)
    player.page.get_by_role("link", name="Try again").click()
    go_on(player)
    assert (player.path, player.shown()) == (path, before)
    player.act("undo")


def test_the_page_has_its_styles_though_the_browser_has_forgotten_them(player: Player) -> None:
    kept(player, "/d/endless/win-14")
    session = player.visitor.context.new_cdp_session(player.page)
    session.send("Network.clearBrowserCache")
    offline(player, now=True)
    player.page.goto("/rules")
    expect(player.page.get_by_role("heading", name="No connection")).to_be_visible()
    assert player.page.evaluate("[...document.styleSheets].map((sheet) => sheet.cssRules.length > 9)") == [True, True]


def test_nothing_is_kept_but_that_page_and_its_styles(player: Player) -> None:
    kept(player, "/d/endless/win-14")
    player.act("draw")
    player.page.reload()
    player.page.goto("/")
    player.page.goto("/me/games")
    assert player.page.evaluate(KEPT) == ["/offline", "/static/sheets.css", "/static/table.css"]


def test_what_the_server_answers_is_shown_whatever_it_is(player: Player) -> None:
    kept(player, "/")
    player.visitor.expects("status of 404")
    for path, heading in (("/g/nothing", "Not found"), ("/nothing", "Not found"), ("/rules", "Rules")):
        answer = player.page.goto(path)
        assert answer is not None
        assert answer.status == (200 if heading == "Rules" else 404)
        expect(player.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    # A redirect leads on as ever.
    player.page.goto("/new?rules=open&seed=a")
    assert player.path == "/d/open/a"


def test_a_move_does_not_pass_the_worker(player: Player) -> None:
    kept(player, "/d/endless/win-14")
    player.act("draw", "draw")
    answers = [post.response() for post in player.visitor.posts]
    assert [answer.from_service_worker for answer in answers if answer] == [False, False]
    offline(player, now=True)
    player.press("undo")
    # The table itself says it, and stays.
    player.page.get_by_role("alert").wait_for()
    assert player.version == 2
    offline(player, now=False)
    player.page.locator("#retry").click()
    player.reaches(3)


def test_a_form_sent_without_script_does_not_pass_the_worker(player: Player) -> None:
    kept(player, "/settings")
    with player.page.expect_navigation():
        player.page.get_by_role("button", name="Save").click()
    answers = [post.response() for post in player.visitor.posts]
    assert [answer.from_service_worker for answer in answers if answer] == [False]
    expect(player.page.get_by_role("status")).to_have_text("Saved.")


def test_a_server_that_is_gone_is_told_like_a_connection_that_is(visit: Visit, tmp_path: Path) -> None:
    with Server(tmp_path / "data") as own:
        player = visit(own.url, service_workers="allow").player()
        kept(player, "/")
        own.stop()
        player.visitor.expects(*REACHES_NOTHING)
        player.page.goto("/rules")
        expect(player.page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_new_worker_takes_the_old_ones_place_and_throws_away_what_it_kept(player: Player) -> None:
    kept(player, "/")
    old = 'async () => { await (await caches.open("offline-of-old")).put("/offline", new Response("old")); }'
    player.page.evaluate(old)
    player.page.evaluate("async () => { await (await navigator.serviceWorker.ready).unregister(); }")
    kept(player, "/rules")
    player.page.wait_for_function("async () => (await caches.keys()).length === 1")
    (name,) = player.page.evaluate("() => caches.keys()")
    assert re.fullmatch(r"offline-[0-9a-f]{12}", name)


def test_the_offline_page_works_without_script(visit: Visit) -> None:
    player = visit(java_script_enabled=False).player()
    player.open("/offline")
    player.page.get_by_role("link", name="Try again").click()
    assert player.path == "/offline"
    player.page.get_by_role("main").get_by_role("link", name="Play").click()
    assert player.path == "/"
