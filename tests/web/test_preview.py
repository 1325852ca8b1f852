"""The pictures and words that a link to a deal shows elsewhere."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from gzip import compress
from io import BytesIO
from pathlib import Path
from random import Random
from threading import Event

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor
from pydantic import ValidationError
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.play.errors import TooBusy
from app.play.games import open_deal
from app.rules.cards import PACK, card_text
from app.rules.deal import Deck, deck_text, read_deal
from app.rules.ruleset import NAMED, RuleSet, read_rules
from app.web.preview import picture, shapes
from app.web.preview.gallery import KEPT_MOST, WAITING_MOST, Gallery
from app.web.preview.picture import HEIGHT, WIDTH, draw_png, opening
from app.web.preview.preview import MAX_AGE
from app.web.table.page_views import LinkPreview, table_page
from app.web.table.views import table_view
from tests.conftest import Clock, make_app, new_client
from tests.strategies import decks, rule_sets
from tests.suits import clip_path
from tests.web.api import Api
from tests.web.browser import headers_of
from tests.web.reading import Element, read_html
from tests.web.server import ROOT

pytestmark = pytest.mark.shown

PUBLIC = "https://cards.example.org"
DECK = read_deal("b").deck
CODE = deck_text(DECK, between="")


@pytest.fixture
def public(tmp_path: Path) -> Iterator[TestClient]:
    """A server that knows where it is reached."""
    app = create_app(Settings(data=tmp_path, public_url=PUBLIC + "/"))
    with new_client(app) as client:
        yield client


def image_of(answer: httpx2.Response) -> Image.Image:
    assert answer.status_code == 200
    image = Image.open(BytesIO(answer.content))
    image.load()
    return image


def metas(page: Element) -> dict[str, str]:
    """What stands in the head for links to a page, by property or name."""
    found = {meta["property"]: meta["content"] for meta in page.all("meta") if "property" in meta.attributes}
    return {**found, **{meta["name"]: meta["content"] for meta in page.all("meta") if "name" in meta.attributes}}


def mixed(deck: Deck, seen: int) -> Deck:
    """The deck with its unseen cards in another order, none of them in place."""
    return (*deck[:seen], *deck[seen + 1 :], deck[seen])


# ---- The picture ----


@pytest.mark.parametrize("rules", [*NAMED, "d1r2ova"])
def test_a_deal_has_a_picture_of_the_size_that_links_show(client: TestClient, rules: str) -> None:
    answer = client.get(f"/p/{rules}/win-14")
    image = image_of(answer)
    assert (image.format, image.size) == ("PNG", (1200, 630)) == ("PNG", (WIDTH, HEIGHT))
    assert answer.headers["content-type"] == "image/png"
    assert len(answer.content) < 60_000


def test_the_picture_lies_on_the_tables_own_ground(client: TestClient) -> None:
    image = image_of(client.get("/p/endless/win-14")).convert("RGB")
    corners = [image.getpixel((x, y)) for x in (0, WIDTH - 1) for y in (0, HEIGHT - 1)]
    assert set(corners) == {ImageColor.getrgb(picture.GROUND)}
    found = {colour for _, colour in image.getcolors(256) or []}
    wanted = (picture.PAPER, picture.PAPER_LOW, picture.INK, picture.RED, picture.ACCENT, picture.ON_GROUND)
    assert {ImageColor.getrgb(colour) for colour in wanted} <= found


@pytest.mark.parametrize("colour", ["GROUND", "GROUND_DEEP", "PAPER", "PAPER_LOW", "EDGE", "INK", "RED", "ACCENT"])
def test_the_pictures_colours_are_those_of_the_page(colour: str) -> None:
    css = (ROOT / "static" / "table.css").read_text("utf-8")
    assert f"--{colour.lower().replace('_', '-')}: light-dark({getattr(picture, colour)}," in css


def test_the_pictures_shapes_are_those_of_the_page() -> None:
    css = (ROOT / "static" / "table.css").read_text("utf-8")
    for path in ("CAP", "JACK", "TIARA", "QUEEN", "CROWN", "BEARD", "KING"):
        assert f" d='{getattr(shapes, path)}'" in css, path
    for suit in shapes.SUIT_SHAPES:
        assert f"[value$={suit}]::before, [value$={suit}]::after {{ clip-path: {clip_path(suit)}; }}" in css


@pytest.mark.parametrize("shape", [*shapes.SUIT_SHAPES.values(), *shapes.FIGURE_SHAPES.values()])
def test_every_shape_stays_within_its_square(shape: shapes.Shape) -> None:
    points = [point for polygon in (*shape.filled, *shape.lines) for point in polygon]
    assert all(0 <= x <= shape.size and 0 <= y <= shape.size for x, y in points)
    assert max(x for x, _ in points) - min(x for x, _ in points) > shape.size / 2


def test_an_outline_follows_its_path() -> None:
    assert shapes.outlines("M1 2h3v4H1zm5 0l1-1") == (((1, 2), (4, 2), (4, 6), (1, 6), (1, 2)), ((6, 2), (7, 1)))
    (curve,) = shapes.outlines("M0 0c0 4 4 4 4 0s4-4 4 0")
    assert curve[12] == (4, 0)
    assert curve[18] == (6, -3)
    assert curve[-1] == (8, 0)


@pytest.mark.parametrize("seed", [".", "..", "...", "-", "_", ".a", "A" * 64, "0"])
def test_every_seed_has_a_picture_that_a_browser_keeps_the_address_of(client: TestClient, seed: str) -> None:
    address = metas(read_html(client.get("/d/endless", params={"seed": seed}, follow_redirects=True).text))["og:image"]
    answer = client.get(address)
    assert answer.content == draw_png(opening(NAMED["endless"], read_deal(seed).deck))


def test_another_way_to_write_a_deal_leads_to_its_picture(client: TestClient) -> None:
    for path in ("/p/d1rx/a", f"/p/endless/{CODE.lower()}"):
        answer = client.get(path)
        assert answer.status_code == 308
        assert answer.headers["location"] == ("/p/endless/a" if path.endswith("a") else f"/p/endless/{CODE}")
    assert client.get("/p/d1rx?seed=..").headers["location"] == "/p/endless?seed=.."


@pytest.mark.parametrize(
    "path",
    [
        "/p/endless/%3Cscript%3E",
        "/p/endless/%00",
        "/p/endless/%FF",
        "/p/endless/" + "x" * 65,
        "/p/endless/" + "x" * 5000,
        "/p/endless/" + CODE[:-2] + CODE[:2],
        "/p/endless/%C3%A9",
        "/p/nothing/a",
        "/p/d3r0o/a",
        "/p/%3Cb%3E/a",
        "/p/endless",
        "/p/endless?seed=",
        "/p/endless?seed=%3Cb%3E",
        "/p/endless?cards=",
        "/p/endless?cards=" + CODE[:54],
        "/p/endless?cards=" + CODE[:58],
        "/p/open?cards=" + CODE[:56],
        "/p/endless?cards=" + CODE[:54] + CODE[:2],
        "/p/endless?cards=" + "zz" * 28,
        "/p/endless?cards=" + "%00" * 56,
        "/p/nothing?cards=" + CODE[:56],
    ],
)
def test_what_names_no_deal_has_no_picture(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script>" not in answer.text
    assert "public" not in answer.headers["cache-control"]


def test_a_game_has_no_picture(api: Api, client: TestClient) -> None:
    game = api.client.post("/api/v1/games", json={"rules": "endless", "seed": "a"}).json()
    assert client.get(f"/p/{game['id']}").status_code == 404
    assert client.get(f"/g/{game['id']}/picture").status_code == 404


# ---- What is hidden ----


@pytest.mark.parametrize("rules", NAMED)
def test_unseen_cards_make_no_difference_to_the_picture(client: TestClient, rules: str) -> None:
    seen = 29 if NAMED[rules].open else 28
    for number in range(3):
        deck = tuple(Random(number).sample(PACK, 52))
        pictures = {
            client.get(f"/p/{rules}/{deck_text(one, between='')}").content for one in (deck, mixed(deck, seen))
        } | {client.get(f"/p/{rules}?cards={deck_text(deck[:seen], between='')}").content}
        assert len(pictures) == 1
        # Nor does what was kept decide it: each is drawn anew.
        assert {draw_png(opening(NAMED[rules], one)) for one in (deck, mixed(deck, seen))} == pictures


@settings(max_examples=30, deadline=None)
@given(rule_sets(), decks(), st.integers(min_value=0, max_value=27))
def test_every_card_that_is_seen_makes_a_difference(rules: RuleSet, deck: Deck, slot: int) -> None:
    last = 28 if rules.open else 27
    beside = slot + 1 if slot < last else slot - 1
    other = list(deck)
    other[slot], other[beside] = deck[beside], deck[slot]
    assert draw_png(opening(rules, deck)) != draw_png(opening(rules, tuple(other)))


def test_the_open_card_of_a_stock_is_in_the_picture_only_where_it_lies_open() -> None:
    other = (*DECK[:28], *DECK[29:], DECK[28])
    for slug, rules in NAMED.items():
        same = draw_png(opening(rules, DECK)) == draw_png(opening(rules, other))
        assert same != (slug in {"open", "strict"})


@pytest.mark.parametrize("rules", ["endless", "strict"])
def test_a_given_decks_page_names_only_the_cards_that_are_seen(client: TestClient, rules: str) -> None:
    text = client.get(f"/d/{rules}/{CODE}").text
    address = metas(read_html(text))["og:image"]
    seen = 28 + NAMED[rules].open
    assert address == f"/p/{rules}?cards={CODE[: 2 * seen]}"
    assert CODE not in text
    assert card_text(DECK[seen]) not in address[-2:]
    assert client.get(address).content == client.get(f"/p/{rules}/{CODE}").content


# ---- Fast and bounded ----


def test_a_picture_may_be_kept_for_a_week_and_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/p/endless/a")
    assert first.headers["cache-control"] == f"public, max-age={MAX_AGE}"
    assert MAX_AGE == 604_800
    tag = first.headers["etag"]
    for tags in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get("/p/endless/a", headers={"If-None-Match": tags})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["cache-control"] == first.headers["cache-control"]
    # Several headers of the name are one.
    both = [("If-None-Match", '"other"'), ("If-None-Match", tag)]
    assert client.get("/p/endless/a", headers=httpx2.Headers(both)).status_code == 304
    for tags in ('"other"', tag.strip('"'), "", '"', ","):
        assert client.get("/p/endless/a", headers={"If-None-Match": tags}).status_code == 200
    assert client.get("/p/endless/b").headers["etag"] != tag


def test_a_picture_has_a_head_without_a_body(client: TestClient) -> None:
    whole, head = client.get("/p/endless/a"), client.head("/p/endless/a")
    assert (head.status_code, head.content) == (200, b"")
    assert headers_of(head) == headers_of(whole)
    assert int(head.headers["content-length"]) == len(whole.content)
    assert client.head("/p/endless/%3C").status_code == 404


def test_a_picture_sets_no_cookie_and_takes_no_post(client: TestClient) -> None:
    assert "set-cookie" not in client.get("/p/endless/a").headers
    assert client.post("/p/endless/a").status_code == 405


def test_the_same_picture_is_the_same_on_another_server(client: TestClient, tmp_path: Path) -> None:
    with new_client(make_app(tmp_path / "other", Clock())) as other:
        assert other.get("/p/strict/a").content == client.get("/p/strict/a").content


def test_the_same_picture_asked_for_at_once_is_drawn_once() -> None:
    drawn: list[picture.Opening] = []

    def counted(seen: picture.Opening) -> bytes:
        drawn.append(seen)
        return draw_png(seen)

    seen = opening(NAMED["endless"], DECK)

    async def ask() -> set[bytes]:
        gallery = Gallery(draw=counted)
        asked = await asyncio.gather(*(gallery.picture(seen) for _ in range(50)))
        again = await gallery.picture(seen)
        gallery.close()
        return {one.png for one in (*asked, again)}

    assert asyncio.run(ask()) == {draw_png(seen)}
    assert drawn == [seen]


def test_more_pictures_than_can_wait_are_refused_and_later_drawn() -> None:
    openings = [opening(NAMED["endless"], read_deal(str(number)).deck) for number in range(WAITING_MOST + 3)]

    async def ask() -> None:
        gallery = Gallery()
        asked = await asyncio.gather(*(gallery.picture(seen) for seen in openings), return_exceptions=True)
        assert [isinstance(one, TooBusy) for one in asked] == [False] * WAITING_MOST + [True] * 3
        assert (await gallery.picture(openings[-1])).png == draw_png(openings[-1])
        gallery.close()

    asyncio.run(ask())


def test_whoever_goes_away_takes_the_picture_from_nobody_else() -> None:
    seen = opening(NAMED["endless"], DECK)

    async def ask() -> bytes:
        gallery = Gallery()
        first, second = (asyncio.ensure_future(gallery.picture(seen)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        png = (await second).png
        gallery.close()
        return png

    assert asyncio.run(ask()) == draw_png(seen)


def test_only_the_latest_pictures_are_kept() -> None:
    drawn: list[picture.Opening] = []

    def noted(seen: picture.Opening) -> bytes:
        drawn.append(seen)
        return b""

    first, second, *others = (opening(NAMED["endless"], read_deal(str(seed)).deck) for seed in range(KEPT_MOST + 1))

    async def ask() -> None:
        gallery = Gallery(draw=noted)
        for seen in (first, second, *others[:-1], first, others[-1], first, second):
            await gallery.picture(seen)
        gallery.close()

    asyncio.run(ask())
    assert drawn == [first, second, *others, second]


def test_a_server_with_too_much_to_draw_says_so_and_still_deals(client: TestClient) -> None:
    go_on = Event()

    def slow(seen: picture.Opening) -> bytes:
        assert go_on.wait(30)
        return draw_png(seen)

    rooms = client.app.state.rooms
    gallery = Gallery(draw=slow)
    client.app.state.rooms = replace(rooms, gallery=gallery)
    with ThreadPoolExecutor(WAITING_MOST + 1) as visitors:
        asked = [visitors.submit(client.get, f"/p/endless/{seed}") for seed in range(WAITING_MOST + 1)]
        (refused,), waiting = wait(asked, 30, FIRST_COMPLETED)
        assert refused.result().status_code == 429
        assert refused.result().headers["retry-after"] == "5"
        assert "Too many pictures" in refused.result().text
        assert client.get("/d/endless/a").status_code == 200
        go_on.set()
        assert {one.result().status_code for one in waiting} == {200}
    gallery.close()


# ---- What stands in the page ----


def test_a_deals_page_tells_a_link_what_to_show(client: TestClient) -> None:
    found = metas(read_html(client.get("/d/tuts-tomb/win-14").text))
    assert found["og:title"] == "Tut’s Tomb · deal win-14"
    assert found["og:description"] == found["description"]
    assert found["description"].startswith("Three cards at a time, as often as you like;")
    assert found["description"].endswith("The same cards for everyone who opens this link.")
    assert (found["og:site_name"], found["og:type"]) == ("Pyramid 13", "website")
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:image"] == "/p/tuts-tomb/win-14"
    assert (found["og:image:width"], found["og:image:height"]) == (str(WIDTH), str(HEIGHT))
    assert found["og:image:alt"]


def test_a_picture_has_a_whole_address_where_the_server_knows_its_own(public: TestClient) -> None:
    assert metas(read_html(public.get("/d/endless/a").text))["og:image"] == f"{PUBLIC}/p/endless/a"
    dots = metas(read_html(public.get("/d/endless?seed=..").text))["og:image"]
    assert dots == f"{PUBLIC}/p/endless?seed=.."
    own = metas(read_html(public.get(f"/d/endless/{CODE}").text))["og:image"]
    assert own == f"{PUBLIC}/p/endless?cards={CODE[:56]}"


@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Origin", "Referer"])
def test_nothing_that_is_sent_along_comes_back_in_the_page(client: TestClient, public: TestClient, header: str) -> None:
    for one in (client, public):
        usual = one.get("/d/endless/a").text
        sent = one.get("/d/endless/a", headers={header: "evil.example"}).text
        assert "evil" not in sent
        assert metas(read_html(sent)) == metas(read_html(usual))


def test_a_games_own_page_tells_a_link_nothing(client: TestClient) -> None:
    game = client.post("/api/v1/games", json={"rules": "endless", "seed": "a"}).json()
    text = client.get(f"/g/{game['id']}").text
    assert "og:" not in text
    assert "twitter:" not in text
    assert "/p/" not in text


def test_a_running_game_changes_nothing_of_what_its_deals_link_shows(client: TestClient) -> None:
    before = metas(read_html(client.get("/d/endless/a").text))
    client.post("/api/v1/games", json={"rules": "endless", "seed": "a"})
    assert metas(read_html(client.get("/d/endless/a").text)) == before


def test_what_a_link_shows_is_escaped(client: TestClient) -> None:
    table = open_deal(NAMED["endless"], read_deal("a"))
    nasty = """"><script>alert('1')</script>&amp;"""
    page = replace(table_page(table, table_view(table)), title=nasty, preview=LinkPreview(nasty, nasty))
    html = client.app.state.rooms.render.page(page)
    assert "<script>alert" not in html
    found = metas(read_html(html))
    assert {found[name] for name in ("og:title", "og:description", "og:image", "description")} == {nasty}


def test_a_page_stays_light_with_what_a_link_shows(client: TestClient) -> None:
    html = client.get("/d/endless/1234567890").text
    without = "".join(line for line in html.splitlines(keepends=True) if "og:" not in line and "twitter:" not in line)
    assert without != html
    assert len(compress(html.encode())) - len(compress(without.encode())) < 400


# ---- The setting ----


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("https://cards.example.org", "https://cards.example.org"),
        ("https://cards.example.org/", "https://cards.example.org"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_is_taken_without_the_slash_at_its_end(
    given: str, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRAMID_PUBLIC_URL", given)
    assert Settings().public_url == kept


@pytest.mark.parametrize(
    "given",
    [
        "cards.example.org",
        "//cards.example.org",
        "ftp://cards.example.org",
        "javascript:alert(1)",
        "https://",
        "https://cards.example.org/?a=b",
        "https://cards.example.org?a",
        "https://cards.example.org/#a",
        "https://cards.example.org/games",
        "https://user:word@cards.example.org",
        'https://cards.example.org"><script>',
        "https://cards.example.org\n",
        "https://cards.example.org:port",
    ],
)
def test_what_is_no_address_of_a_server_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="without a path or a query"):
        Settings(public_url=given)


def test_the_named_openings_agree_with_the_rules() -> None:
    for slug in NAMED:
        seen = opening(read_rules(slug), DECK)
        assert seen.pyramid == DECK[:28]
        assert seen.open_card == (DECK[28] if slug in {"open", "strict"} else None)
