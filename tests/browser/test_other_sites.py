"""What a real browser says of where a form comes from: over https and to this machine, and over plain http."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.web.nginx import Nginx, free_port
from tests.web.server import Server

pytestmark = pytest.mark.browser

HOME = "http://cards.test"
EVIL = "http://evil.test"
FORM = '<form method="post" action="{}/d/endless/a"><input name="version" value="0"><button name="action" value="draw">'
SITES = """
server {{ listen 127.0.0.1:{port}; server_name cards.test;
    location / {{ proxy_pass {server}; proxy_set_header Host $http_host; }} }}
server {{ listen 127.0.0.1:{port}; server_name evil.test localhost 127.0.0.1; default_type text/html;
    location /at-home {{ return 200 '{at_home}'; }} location /here {{ return 200 '{here}'; }} }}
"""


@pytest.fixture(scope="module")
def port(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a proxy offers the server by a name of the home network, without https, and another site's pages."""
    free = free_port()
    sites = SITES.format(port=free, server=server.url, at_home=FORM.format(HOME), here=FORM.format(server.url))
    with Nginx(tmp_path_factory.mktemp("home") / "nginx", sites, [free]):
        yield free


def at_home(visit: Visit, port: int, **options: bool) -> Player:
    """A player whose browser finds the names of the home network."""
    visitor = visit(HOME, proxy={"server": f"http://127.0.0.1:{port}"}, **options)
    # It is for https alone, and is sent always.
    visitor.expects("Cross-Origin-Opener-Policy header has been ignored")
    return visitor.player()


def sends_a_form(player: Player, page: str) -> dict[str, str]:
    """What a browser tells when a form of ours that stands on a page of another site is sent and refused."""
    player.visitor.expects(f"another host: {page}", "favicon.ico", "status of 403")
    player.page.goto(page)
    with player.page.expect_navigation() as navigation:
        player.page.locator("button").click()
    assert navigation.value.status == 403
    assert player.visitor.context.cookies() == []
    return navigation.value.request.all_headers()


def test_a_form_on_another_site_is_refused(visit: Visit, port: int) -> None:
    told = sends_a_form(visit().player(), f"http://localhost:{port}/here")
    assert (told["sec-fetch-site"], told["origin"]) == ("cross-site", f"http://localhost:{port}")


def test_a_form_on_another_program_of_the_same_host_is_refused(visit: Visit, port: int) -> None:
    """Its cookies go along: browsers do not keep those of two ports apart."""
    told = sends_a_form(visit().player(), f"http://127.0.0.1:{port}/here")
    assert told["sec-fetch-site"] == "same-site"


def test_a_form_on_another_site_is_refused_over_plain_http_too(visit: Visit, port: int) -> None:
    told = sends_a_form(at_home(visit, port), f"{EVIL}/at-home")
    assert (told.get("sec-fetch-site"), told["origin"]) == (None, EVIL)


@pytest.mark.parametrize("script", [True, False])
def test_a_game_is_played_over_plain_http(visit: Visit, port: int, *, script: bool) -> None:
    player = at_home(visit, port, java_script_enabled=script)
    player.open("/d/endless/win-14")
    for action in ("draw", "draw", "undo"):
        if script:
            player.act(action)
        else:
            player.act_plainly(action)
    assert {"sec-fetch-site" in post.all_headers() for post in player.visitor.posts} == {False}
    game = player.path
    assert game.startswith("/g/")
    player.open("/")
    player.open(game)
    assert player.version == 3
    (cookie,) = player.visitor.context.cookies()
    assert (cookie["name"], cookie["secure"], cookie["httpOnly"]) == ("pyramid_player", False, True)
