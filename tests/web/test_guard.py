"""What holds for every answer: forged posts are refused, and the security headers stand on all of them."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.web.assets import Assets
from tests import databases
from tests.conftest import Clock, make_app, new_client
from tests.web.api import KING, SEED, Api
from tests.web.browser import HTMX, OWN_FORM, post_form
from tests.web.reading import read_html
from tests.web.server import Server

URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}

SITES = ["same-origin", "none", "same-site", "cross-site", "something-new", ""]
ORIGINS = {
    "own": "http://testserver",
    "other host": "http://evil.example",
    "other port": "http://testserver:8080",
    "subdomain": "http://a.testserver",
    "with a user": "http://testserver@evil.example",
    "null": "null",
    "malformed": "http://[",
    "absent": "",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(folder: Path) -> FastAPI:
    return make_app(folder, Clock())


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with new_client(app) as client:
        yield client


@pytest.fixture
def api(client: TestClient) -> Api:
    return Api(client)


def is_own(site: str, origin: str) -> bool:
    """What the rule says: Sec-Fetch-Site where it is sent, else Origin where it is sent, else a program."""
    return site in {"same-origin", "none"} if site else origin in {"own", "absent"}


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_post_from_another_site_is_refused_and_does_nothing(api: Api, site: str, origin: str) -> None:
    game = api.create(seed=SEED)
    headers = {name: text for name, text in (("Sec-Fetch-Site", site), ("Origin", ORIGINS[origin])) if text}
    posts = [
        (f"/g/{game['id']}", b"version=0&action=draw", URLENCODED),
        (f"/api/v1/games/{game['id']}/actions", b'{"version": 0, "action": "draw"}', JSON),
        ("/d/endless/a", b"version=0&action=draw", URLENCODED),
        ("/api/v1/games", b"{}", JSON),
        (f"/g/{game['id']}/leave", b"", URLENCODED),
    ]
    for path, body, kind in posts:
        answer = api.client.post(path, content=body, headers={**kind, **headers})
        assert (answer.status_code == 403) == (not is_own(site, origin)), path
        assert answer.status_code in {200, 201, 303, 403}
        if answer.status_code == 403:
            assert "another site" in answer.text
            assert "set-cookie" not in answer.headers
    after = api.show(game["id"])
    assert (after == game) == (not is_own(site, origin))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_that_change_things_are_refused_from_another_site_too(client: TestClient, method: str) -> None:
    assert client.request(method, "/g/x", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_link_on_another_site_leads_here(client: TestClient, method: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.request(method, "/d/endless/a", headers=headers).status_code == 200


def test_the_origin_is_held_against_the_host_that_was_asked(client: TestClient) -> None:
    for host, origin, status in (
        ("cards.example", "https://cards.example", 201),
        ("cards.example:8443", "https://cards.example:8443", 201),
        ("cards.example:8443", "https://cards.example", 403),
        ("[::1]:8000", "http://[::1]:8000", 201),
        ("[::1]:8000", "http://[::2]:8000", 403),
    ):
        answer = client.post("/api/v1/games", json={}, headers={"Host": host, "Origin": origin})
        assert answer.status_code == status, (host, origin)


# Headers on every kind of answer.


def assert_safe(answer: httpx2.Response) -> None:
    """The security headers, each once."""
    for name in (
        "content-security-policy",
        "x-content-type-options",
        "referrer-policy",
        "cross-origin-opener-policy",
    ):
        assert len(answer.headers.get_list(name)) == 1, (answer.status_code, name)
    policy = dict(rule.strip().partition(" ")[::2] for rule in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "server" not in answer.headers
    assert "x-powered-by" not in answer.headers


def test_every_kind_of_answer_carries_the_security_headers(api: Api) -> None:
    client = api.client
    game = api.act(api.create(seed=SEED), "draw")
    page, actions = f"/g/{game['id']}", f"/api/v1/games/{game['id']}/actions"
    file = "/static/icon.svg"
    mark = {"If-None-Match": client.get(file).headers["etag"]}
    large = b"x" * 100_000
    answers = {
        "home": (200, client.get("/")),
        "deal": (200, client.get("/d/endless/a")),
        "game": (200, client.get(page)),
        "head": (200, client.head(page)),
        "fragment": (200, post_form(client, page, HTMX, version="0", action="draw")),
        "json": (200, client.get(f"/api/v1/games/{game['id']}")),
        "created": (201, client.post("/api/v1/games", json={})),
        "see other": (303, post_form(client, page, version="0", action="draw")),
        "permanent": (308, client.get("/d/d1rx/a")),
        "static": (200, client.get(file)),
        "not modified": (
            304,
            client.get(file, headers=mark),
        ),
        "forged": (403, client.post(page, headers={"Sec-Fetch-Site": "cross-site"})),
        "forged json": (403, client.post(actions, headers={"Origin": "null"})),
        "forged badly": (403, client.post(actions, headers={"Origin": "http://["})),
        "not found": (404, client.get("/nothing")),
        "no such game": (404, client.get("/g/nothing")),
        "no such game, htmx": (404, post_form(client, "/g/nothing", HTMX, version="0", action="draw")),
        "no such json": (404, client.get("/api/v1/nothing")),
        "no such file": (404, client.get("/static/nothing")),
        "not allowed": (405, client.put(page)),
        "not allowed json": (405, client.put(actions)),
        "stale": (409, post_form(client, page, HTMX, version="7", action="draw")),
        "stale json": (409, api.post(game["id"], 7, "draw")),
        "large": (413, client.post(page, content=large, headers={**OWN_FORM, **URLENCODED})),
        "large json": (413, client.post(actions, content=large, headers=JSON)),
        "large, in pieces": (413, client.post(actions, content=iter([large]), headers=JSON)),
        "wrong kind": (415, client.post(page, content=b"x")),
        "wrong kind json": (415, client.post(actions, content=b"x")),
        "illegal": (422, post_form(client, page, version="1", action="redo")),
        "illegal json": (422, api.post(game["id"], 1, "redo")),
        "unreadable": (422, post_form(client, page, HTMX, version="x")),
        "fault": (422, client.get("/new?seed=ä")),
    }
    for kind, (status, answer) in answers.items():
        assert answer.status_code == status, kind
        assert_safe(answer)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("PUT", "/", 405), ("DELETE", "/settings", 405), ("GET", "/nothing", 404), ("GET", "/d/foo/a", 404)],
)
def test_a_refusal_is_told_in_plain_words(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    main = read_html(answer.text).one("main")
    assert main.one("h1").text in {"Not found", "Not this way"}
    assert main.all("p")[0].text.endswith(".")
    for jargon in ("method", "request", "resource", "HTTP", "URI", "header"):
        assert jargon.lower() not in main.text.lower()


def break_game(folder: Path, game_id: str) -> None:
    """Write into the database what cannot have been played."""
    databases.change(folder, "UPDATE games SET actions = 'Kc Kc', version = 2 WHERE id = ?", game_id)


def test_what_breaks_on_our_side_is_a_plain_500_with_the_headers(api: Api, folder: Path) -> None:
    game = api.create(seed=SEED)
    break_game(folder, game["id"])
    for answer in (
        api.client.get(f"/g/{game['id']}"),
        post_form(api.client, f"/g/{game['id']}", HTMX, version="2", action="draw"),
        api.client.get(f"/api/v1/games/{game['id']}"),
        api.post(game["id"], 2, "draw"),
    ):
        assert answer.status_code == 500
        assert_safe(answer)
        assert "Traceback" not in answer.text
        assert "IllegalMove" not in answer.text
    assert api.act(api.create(seed=SEED), KING)["version"] == 1


def test_what_breaks_on_our_side_is_problem_json_for_programs(api: Api, folder: Path) -> None:
    game = api.create(seed=SEED)
    break_game(folder, game["id"])
    answer = api.client.get(f"/api/v1/games/{game['id']}")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert answer.json()["status"] == 500


def test_pages_are_never_kept_by_others_and_asked_for_again(client: TestClient) -> None:
    for path in ("/", "/rules", "/d/endless/a", "/g/nothing", "/nothing", "/new?seed=ä"):
        assert client.get(path).headers["cache-control"] == "private, no-cache"


def test_a_real_server_does_not_tell_what_it_runs_on(server: Server) -> None:
    with server.client() as client:
        for path in ("/", "/nothing", "/api/v1/nothing", "/static/nothing"):
            assert_safe(client.get(path))
        assert_safe(client.post("/api/v1/games", content=b"x" * 100_000, headers=JSON))
    raw = server.raw(
        b"POST / HTTP/1.1\r\nhost: x\r\norigin: http://[\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )
    assert b"content-security-policy" in raw.lower()


# Static files.


def test_a_file_asked_for_by_its_mark_is_kept_for_ever(client: TestClient) -> None:
    link = read_html(client.get("/").text).one("link", rel="icon")
    answer = client.get(link["href"])
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.get("/static/icon.svg").headers["cache-control"] == "no-cache"
    assert client.get("/static/icon.svg?v=0").headers["cache-control"] == "no-cache"


def test_a_file_is_sent_compressed_to_whoever_takes_it(client: TestClient) -> None:
    path = "/static/vendor/htmx-4.0.1.min.js"
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    zipped = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.content == plain.content
    assert int(zipped.headers["content-length"]) < int(plain.headers["content-length"])
    assert plain.headers["vary"] == zipped.headers["vary"] == "Accept-Encoding"
    refused = client.get(path, headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "content-encoding" not in refused.headers


def test_a_page_is_sent_compressed_to_whoever_takes_it(client: TestClient) -> None:
    plain = client.get("/rules", headers={"Accept-Encoding": "identity"})
    zipped = client.get("/rules", headers={"Accept-Encoding": "gzip"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.text == plain.text
    assert int(zipped.headers["content-length"]) < len(plain.content) / 2
    assert plain.headers["vary"] == zipped.headers["vary"]
    assert "Accept-Encoding" in plain.headers["vary"]
    refused = client.get("/rules", headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "content-encoding" not in refused.headers
    assert refused.content == plain.content


@pytest.mark.parametrize("path", ["/rules", "/static/table.js"])
@pytest.mark.parametrize(
    ("fields", "zipped"),
    [
        (["gzip"], True),
        (["br, GZip;q=0.1"], True),
        (["br", "gzip"], True),
        (["gzip;level=9;q=1.000"], True),
        ([""], False),
        (["identity"], False),
        (["gzip;Q=0"], False),
        (["gzip ; q = 0.00, *"], False),
        (["gzip;q=0;x=1"], False),
        (["gzip;q=low"], False),
        ([f"gzip;q=0.5,{'x' * 300}"], True),
        ([f"{'x' * 249},gzip;q=0"], False),
        (["gzipped, notgzip"], False),
        (["gzip", "gzip;q=0"], False),
        (["*"], False),
    ],
)
def test_whoever_takes_no_gzip_gets_none(client: TestClient, path: str, fields: list[str], *, zipped: bool) -> None:
    answer = client.get(path, headers=[("accept-encoding", field) for field in fields])
    assert ("content-encoding" in answer.headers) == zipped


def test_a_file_that_is_kept_is_not_sent_again(client: TestClient) -> None:
    path = "/static/table.js"
    plain, zipped = (
        client.get(path, headers={"accept-encoding": coding}).headers["etag"] for coding in ("identity", "gzip")
    )
    assert plain != zipped
    for told in (zipped, f"W/{zipped}", f'"other", {zipped}', "*"):
        again = client.get(path, headers={"accept-encoding": "gzip", "if-none-match": told})
        assert again.status_code == 304
        assert again.headers["etag"] == zipped
        assert not again.content
    for told in (plain, zipped.strip('"'), '"other"', ""):
        again = client.get(path, headers={"accept-encoding": "gzip", "if-none-match": told})
        assert again.status_code == 200
        assert again.content


@pytest.mark.parametrize(
    "path",
    ["../app/main.py", "..%2Fapp%2Fmain.py", "%2e%2e/app/main.py", "/etc/passwd", "", "vendor", "table.css/", "%00"],
)
def test_no_file_outside_the_folder_is_served(client: TestClient, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_a_link_in_the_folder_leads_to_no_file_outside(tmp_path: Path) -> None:
    outside, folder = tmp_path / "secrets", tmp_path / "static"
    for made in (outside, folder):
        made.mkdir()
    (outside / "key").write_text("secret", "utf-8")
    (folder / "plain.txt").write_text("for all", "utf-8")
    (folder / "here.txt").symlink_to("plain.txt")
    (folder / "key.txt").symlink_to(outside / "key")
    (folder / "below").symlink_to(outside, target_is_directory=True)
    assets = Assets(folder)
    with new_client(Starlette(routes=[assets.route()])) as client:
        found = {
            name: client.get(f"/static/{name}").status_code
            for name in ("plain.txt", "here.txt", "key.txt", "below/key")
        }
    assert found == {"plain.txt": 200, "here.txt": 200, "key.txt": 404, "below/key": 404}


# What only the player's own browser may know.


def test_a_players_token_stands_in_no_address_and_on_no_page(client: TestClient) -> None:
    client.cookies.clear()
    api = Api(client)
    game = api.act(api.create(seed=SEED), "draw", KING)
    left = api.leave(api.act(api.create(seed="b"), "draw")["id"])["id"]
    post_form(client, "/you/name", name="Ada")
    post_form(client, f"/g/{left}/share")
    token = client.cookies["pyramid_player"]
    paths = [f"/g/{game['id']}", f"/g/{left}/replay", f"/g/{game['id']}/leave", "/", "/you", "/me", "/me/games"]
    paths += ["/me/export", "/settings", "/recover", "/daily/endless", "/b/endless/a", "/d/endless/a", "/nothing"]
    answers = [client.get(path) for path in paths]
    answers += [
        post_form(client, f"/g/{game['id']}", headers, version="2", action="undo") for headers in (HTMX, OWN_FORM)
    ]
    answers += [client.get(f"/api/v1/games/{game['id']}"), post_form(client, "/settings", language="en")]
    assert [answer.url.path for answer in answers if answer.status_code >= 400] == ["/nothing"]
    for answer in answers:
        assert token not in answer.text, answer.url
        said = [text for name, text in answer.headers.multi_items() if name != "set-cookie"]
        assert not [text for text in said if token in text], answer.url
