"""What makes the game installable, and the page for when there is no connection."""

import json
import re
from io import BytesIO

from PIL import Image
from starlette.testclient import TestClient

from app.web.layers.guard import CONTENT_SECURITY_POLICY
from tests.icons import icons
from tests.web.reading import read_html
from tests.web.server import ROOT

MARK = re.compile(r'"offline-([0-9a-f]{12})"')


def test_every_page_names_the_manifest_and_the_icon_for_the_home_screen(client: TestClient) -> None:
    for path in ("/", "/rules", "/d/endless/a", "/s/endless/win-14", "/offline", "/nothing"):
        page = read_html(client.get(path).text)
        manifest = client.get(page.one("link", rel="manifest")["href"])
        assert (manifest.status_code, manifest.headers["content-type"]) == (200, "application/manifest+json")
        icon = client.get(page.one("link", rel="apple-touch-icon")["href"])
        assert (icon.status_code, icon.headers["content-type"]) == (200, "image/png")


def test_the_manifest_tells_what_is_installed(client: TestClient) -> None:
    manifest = client.get("/manifest.webmanifest").json()
    assert manifest["name"] == manifest["short_name"] == "Pyramid 13"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert manifest["theme_color"] in client.get("/").text


def test_every_icon_of_the_manifest_has_the_size_it_names(client: TestClient) -> None:
    named = client.get("/manifest.webmanifest").json()["icons"]
    pictures = [icon for icon in named if icon["type"] == "image/png"]
    assert [icon.get("purpose", "any") for icon in pictures] == ["any", "any", "maskable"]
    for icon in pictures:
        size = Image.open(BytesIO(client.get(icon["src"]).content)).size
        assert icon["sizes"] == f"{size[0]}x{size[1]}"
    assert all(client.get(icon["src"]).headers["content-type"] == icon["type"] for icon in named)


def test_the_icons_are_those_that_are_drawn_from_the_svg() -> None:
    for name, icon in icons():
        kept = Image.open(ROOT / "static" / "pictures" / f"{name}.png")
        assert (kept.mode, kept.size, kept.tobytes()) == (icon.mode, icon.size, icon.tobytes()), name


def test_the_worker_stands_at_the_root_and_is_asked_for_each_time(client: TestClient) -> None:
    answer = client.get("/sw.js")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers
    assert MARK.search(answer.text)
    assert f"const PAGE = {json.dumps('/offline?language=en')};" in answer.text
    assert "&" not in answer.text.replace("&&", "")


def test_the_policy_lets_a_worker_of_ours_run_and_no_other(client: TestClient) -> None:
    assert "; worker-src 'self';" in CONTENT_SECURITY_POLICY
    assert client.get("/sw.js").headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_a_worker_is_the_same_for_everyone_and_changes_only_with_its_page(
    client: TestClient, other: TestClient
) -> None:
    client.post("/settings", data={"theme": "dark"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert client.get("/sw.js").text == other.get("/sw.js").text
    assert client.get("/offline").text == other.get("/offline").text


def test_the_offline_page_says_that_nothing_is_lost_and_leads_back_without_script(client: TestClient) -> None:
    answer = client.get("/offline")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-cache")
    main = read_html(answer.text).one("main")
    assert main.one("h1").text == "No connection"
    assert "Your game is safe" in main.text
    # An empty address is that of the page that was asked for.
    assert [(link.text, link["href"]) for link in main.all("a")] == [("Try again", ""), ("Play", "/")]


def test_the_page_that_is_kept_names_its_styles_as_the_worker_looks_for_them(client: TestClient) -> None:
    text = client.get("/offline").text
    named = [link["href"] for link in read_html(text).all("link", rel="stylesheet")]
    assert re.findall(r'rel="stylesheet" href="([^"]+)"', text) == named
    assert len(named) == 2
