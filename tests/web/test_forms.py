"""The pages and forms, with htmx and without script."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.rules.deal import deck_text, read_deal
from app.rules.ruleset import NAMED
from tests.conftest import Clock
from tests.databases import rows
from tests.playthroughs import wins
from tests.web.api import COVERED, KING, PAIR, SEED, Api, JsonObject
from tests.web.browser import HTMX, OWN_FORM, Browser, codes, post_form, resolved
from tests.web.reading import Element, fields_of, read_html

DECK = deck_text(read_deal("b").deck, between="")
FIRST, SECOND, OTHER = "6c", "7d", "Jh"


@pytest.fixture
def browser(client: TestClient) -> Browser:
    return Browser(client)


def begun(browser: Browser, path: str = "/d/endless/a") -> Element:
    """A game's page after the deal's first draw."""
    browser.open(path)
    return browser.act("draw")


def test_a_deal_link_shows_the_whole_deal_at_once(browser: Browser) -> None:
    page = browser.open("/d/endless/a")
    assert browser.status == 200
    assert codes(page.one(id="table")) == deck_text(read_deal("a").deck).split()[:28]
    assert page.one(id="table")["data-version"] == "0"


@pytest.mark.parametrize("rules", [*NAMED, "d1r3ov", "d3r0a"])
def test_every_rule_set_has_pages_that_can_be_read(browser: Browser, rules: str) -> None:
    browser.open(f"/d/{rules}/x")
    assert browser.status == 200
    page = browser.act("draw")
    assert browser.path.startswith("/g/")
    assert page.one(id="table")["data-version"] == "1"


def test_a_code_of_a_named_rule_set_leads_to_its_slug(client: TestClient) -> None:
    answer = client.get("/d/d1rx/a")
    assert (answer.status_code, answer.headers["location"]) == (308, "/d/endless/a")


def test_a_deck_in_small_letters_leads_to_its_own_link(client: TestClient) -> None:
    answer = client.get(f"/d/endless/{DECK.lower()}")
    assert (answer.status_code, answer.headers["location"]) == (308, f"/d/endless/{DECK}")


def test_new_leads_to_a_fresh_deal_each_time(client: TestClient) -> None:
    first, second = (client.get("/new?rules=classic") for _ in range(2))
    assert first.status_code == second.status_code == 303
    assert first.headers["location"].startswith("/d/classic/")
    assert first.headers["location"] != second.headers["location"]


def test_new_takes_a_seed_or_a_deck(client: TestClient) -> None:
    seeded = client.get("/new", params={"rules": "strict", "seed": " a "})
    assert seeded.headers["location"] == "/d/strict/a"
    pasted = client.get("/new", params={"deck": deck_text(read_deal("b").deck, between="\r\n").replace("T", "10")})
    assert pasted.headers["location"] == f"/d/endless/{DECK}"


@pytest.mark.parametrize("seed", [".", "..", "...", "-", "_", ".a", "A" * 64, "0"])
def test_every_seed_has_a_link_that_a_browser_keeps(browser: Browser, seed: str) -> None:
    # A browser drops the segments "." and ".." of a path before it asks, however they are written.
    browser.open(f"/new?rules=endless&seed={seed}")
    assert browser.status == 200
    assert codes(browser.page.one(id="table")) == deck_text(read_deal(seed).deck).split()[:28]


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({"seed": "ä"}, "a seed is 1 to 64 characters"),
        ({"seed": "x" * 65}, "a seed is 1 to 64 characters"),
        ({"seed": "a", "deck": DECK}, "not both"),
        ({"deck": DECK[2:]}, f"missing: {DECK[:2]}"),
        ({"deck": DECK + DECK[:2]}, f"double: {DECK[:2]}"),
        ({"deck": "<script>" + DECK}, "unreadable: “<script>”"),
        ({"deck": "x" * 5001}, "5,001 characters"),
        ({"rules": "nope"}, "no rule set"),
        ({"rules": "d1p3r0"}, "three waste piles need draw 3"),
        ({"rules": "d3p3r1"}, "no redeal"),
        ({"rules": "d3rxo"}, "open stock needs draw 1"),
    ],
)
def test_what_cannot_be_dealt_is_told_on_the_form_with_what_was_entered(
    browser: Browser, query: dict[str, str], fault: str
) -> None:
    answer = browser.client.get("/new", params=query)
    assert answer.status_code == 422
    page = read_html(answer.text)
    assert fault.lower() in page.one(role="alert").text.lower()
    assert re.match("[A-Z“].*[.]$", page.one(role="alert").text)
    field = None if "rules" in query else "deck" if "deck" in query else "seed"
    described = [one["id"] for one in page.all(**{"aria-invalid": "true"})]
    assert described == ([field] if field else [])
    assert page.one("input", name="seed")["value"] == query.get("seed", "")
    assert page.one("textarea", name="deck").text == query.get("deck", "")


def test_the_form_keeps_the_rule_set_when_the_seed_is_bad(client: TestClient) -> None:
    page = read_html(client.get("/new?rules=strict&seed=%20%C3%A4").text)
    (checked,) = [radio for radio in page.all("input", name="rules") if "checked" in radio.attributes]
    assert checked["value"] == "strict"


def test_the_first_page_offers_every_named_rule_set_the_default_chosen(browser: Browser) -> None:
    page = browser.open("/")
    radios = page.all("input", name="rules")
    assert [radio["value"] for radio in radios] == list(NAMED)
    assert [radio["value"] for radio in radios if "checked" in radio.attributes] == ["endless"]


def test_the_rules_page_tells_of_every_named_rule_set(browser: Browser) -> None:
    page = browser.open("/rules")
    assert browser.status == 200
    assert all(page.one(id=slug).text for slug in NAMED)


# GET stores nothing.


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/g/abc", "Back to your game"),
        ("/g/abc?hint=1", "Back to your game"),
        ("/d/endless/a", "Play this deal"),
        ("/d/endless?seed=.", "Play this deal"),
        ("/daily/open/2027-01-15", "Play this deal"),
        ("/c/abc", "Play this deal"),
        *(
            (path, "")
            for path in ("/", "/g/abc/replay", "/daily/open/calendar", "//d/a/b", "/settings?from=/d/a/b", "")
        ),
    ],
)
def test_the_rules_lead_back_to_the_table_that_one_came_from(client: TestClient, path: str, label: str) -> None:
    page = read_html(client.get("/rules", headers={"Referer": f"http://testserver{path}"}).text)
    ways = [(way.text, way["href"]) for way in page.all("p", **{"class": "go"})[-1].all("a")]
    assert ways == ([(label, path), ("Play", "/")] if label else [("Play", "/")])


def test_no_get_stores_anything_or_sets_a_cookie(client: TestClient, tmp_path: Path) -> None:
    counts = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM players), (SELECT max(touched_at) FROM games)"
    game = Api(client).create(seed=SEED)
    before = rows(tmp_path, counts)
    token = client.cookies["pyramid_player"]
    for cookies in ({}, {"pyramid_player": token}, {"pyramid_player": "x" * 43}):
        client.cookies.clear()
        for name, text in cookies.items():
            client.cookies.set(name, text)
        for path in (
            "/",
            "/rules",
            "/new",
            "/new?seed=ä",
            "/d/endless/a",
            "/d/endless/a?chosen=6c",
            f"/d/classic/{DECK}",
            f"/g/{game['id']}",
            f"/g/{game['id']}/deal",
            "/g/nothing",
            "/nothing",
            "/api/v1/deals/endless/a",
            f"/api/v1/games/{game['id']}",
            "/static/nothing",
            f"/g/{game['id']}/leave",
            f"/api/v1/games/{game['id']}/actions",
        ):
            for method in ("GET", "HEAD"):
                answer = client.request(method, path, headers={"HX-Request": "true"} if cookies else {})
                assert answer.status_code < 500, path
                assert "set-cookie" not in answer.headers, path
    assert rows(tmp_path, counts) == before


@pytest.mark.parametrize("path", ["/", "/rules", "/d/endless/a", "/g/{}", "/g/nothing", "/nothing", "/d/nope/a"])
def test_a_get_answers_with_a_whole_page_whatever_headers_it_carries(client: TestClient, path: str) -> None:
    game = Api(client).create(seed=SEED)
    answer = client.get(path.format(game["id"]), headers={"HX-Request": "true", "HX-Target": "table"})
    assert read_html(answer.text).one("html").one("body").one("main")


# Fragments.


def test_htmx_gets_the_table_and_the_live_region_and_nothing_else(api: Api) -> None:
    game = api.create(seed=SEED)
    answer = post_form(api.client, f"/g/{game['id']}", HTMX, version="0", action=KING)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    roots = read_html(answer.text).children
    assert [root["id"] for root in roots] == ["table", "live"]
    assert roots[0]["data-version"] == "1"
    assert "king of clubs" in roots[1].text.lower()


@pytest.mark.parametrize(
    ("rules", "actions"),
    [
        ("endless", [KING, PAIR, "draw", "undo", "redo"]),
        ("endless", ["draw"] * 24),
        ("open", ["draw", KING, "draw"]),
        ("three-piles", ["draw", "draw", PAIR]),
        ("tuts-tomb", ["draw", KING]),
        ("classic", ["draw"] * 24),
    ],
)
def test_the_page_shows_the_very_table_that_htmx_was_given(api: Api, rules: str, actions: list[str]) -> None:
    game = api.create(rules=rules, seed=SEED)
    path = f"/g/{game['id']}"
    for version, action in enumerate(actions):
        fragment = post_form(api.client, path, HTMX, version=str(version), action=action).text
        page = api.client.get(path).text
        table, live = (read_html(fragment).children[number] for number in (0, 1))
        assert live["id"] == "live"
        # A page says besides what goes without script, and comes with what it keeps of its own, which is last.
        seen = fragment[: fragment.index('<a id="new"')]
        whole = re.sub(r"<noscript>.*?</noscript>|\n", "", page[page.index('<div id="table"') :])
        assert seen == whole[: len(seen)]
        assert table["data-version"] == str(version + 1)


def test_a_move_sends_no_menu_but_its_name_by_which_the_page_knows_its_own(api: Api) -> None:
    path = f"/d/endless/{SEED}"
    menus = []
    for version, action in enumerate([KING, "draw", "undo"]):
        answer = post_form(api.client, path, HTMX, version=str(version), action=action)
        path = answer.headers.get("HX-Replace-Url", path)
        menu = read_html(answer.text).one(tag="details")
        assert (menu.text, menu["hx-get"], menu["hx-trigger"]) == ("More", f"{path}/menu", "load, due")
        assert menu["id"] == read_html(api.client.get(path).text).one(tag="details")["id"]
        menus.append(menu["id"])
    fetched = read_html(api.client.get(f"{path}/menu").text).one(tag="details")
    assert {fetched["id"]} == set(menus)
    assert [link["href"] for link in fetched.all("a")] == [
        f"/d/endless/{SEED}",
        f"/d/endless/{SEED}",
        f"/s/endless/{SEED}",
        f"/b/endless/{SEED}",
        f"/settings?from={path}",
        f"{path}/leave",
    ]
    opening = read_html(api.client.get(f"/d/endless/{SEED}").text).one(tag="details")
    given_up = post_form(api.client, f"{path}/leave")
    assert given_up.status_code == 303
    over = read_html(api.client.get(f"{path}/menu").text).one(tag="details")
    spoken = read_html(api.client.get(f"{path}/menu", headers={"Accept-Language": "hu"}).text).one(tag="details")
    assert len({opening["id"], fetched["id"], over["id"], spoken["id"]}) == 4
    assert not over.all("a", href=f"{path}/leave")
    assert not over.all("button")


def test_a_plain_form_is_sent_on_to_the_games_page(api: Api) -> None:
    game = api.create(seed=SEED)
    answer = post_form(api.client, f"/g/{game['id']}", version="0", action=KING)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/g/{game['id']}")


def test_the_address_follows_the_game_that_a_deals_page_begins(client: TestClient) -> None:
    action, fields = fields_of(read_html(client.get("/d/endless/a").text).one("button", value="draw"))
    answer = post_form(client, resolved("/d/endless/a", action), HTMX, **fields)
    place = answer.headers["hx-replace-url"]
    table = read_html(answer.text).one(id="table")
    assert table.one("form", method="post", action=place)
    assert not table.all("input", name="begin")
    assert client.get(place).status_code == 200


# Choosing cards.


def test_a_first_card_is_chosen_and_its_partner_completes_the_pair(browser: Browser) -> None:
    begun(browser)
    page = browser.card(FIRST)
    assert browser.path.endswith(f"?chosen={FIRST}")
    assert page.one("button", name="card", value=FIRST)["aria-pressed"] == "true"
    assert page.one("input", name="chosen")["value"] == FIRST
    page = browser.card(SECOND)
    assert not {FIRST, SECOND} & set(codes(page.one(id="table")))
    assert "?" not in browser.path
    assert page.one(id="table")["data-version"] == "2"


def test_the_partners_of_a_chosen_card_are_marked(browser: Browser) -> None:
    begun(browser)
    page = browser.card(FIRST)
    assert [card["value"] for card in page.all("button", **{"class": "goes"})] == [SECOND]


def test_a_wrong_second_card_becomes_the_choice(browser: Browser) -> None:
    begun(browser)
    browser.card(FIRST)
    page = browser.card(OTHER)
    assert (browser.status, browser.path.rpartition("?")[2]) == (200, f"chosen={OTHER}")
    assert page.one("input", name="chosen")["value"] == OTHER
    assert [card["value"] for card in page.all("button", **{"aria-pressed": "true"})] == [OTHER]
    assert not page.all("div", **{"class": "notice refused"})


def test_a_wrong_second_card_becomes_the_choice_with_htmx_too(api: Api) -> None:
    game = api.create(seed=SEED)
    answer = post_form(api.client, f"/g/{game['id']}", HTMX, version="0", chosen=FIRST, card=OTHER)
    assert answer.status_code == 200
    assert read_html(answer.text).one("input", name="chosen")["value"] == OTHER
    assert api.show(game["id"]) == game


def test_a_king_goes_at_once(browser: Browser) -> None:
    begun(browser)
    page = browser.card(KING)
    assert page.one(id="table")["data-version"] == "2"
    assert KING not in codes(page.one(id="table"))


def test_a_king_goes_at_once_though_another_card_is_chosen(browser: Browser) -> None:
    begun(browser)
    browser.card(FIRST)
    page = browser.card(KING)
    assert KING not in codes(page.one(id="table"))


def test_cards_are_chosen_on_a_deals_page_before_a_game_begins(browser: Browser, tmp_path: Path) -> None:
    browser.open("/d/endless/a")
    page = browser.card(FIRST)
    assert browser.path == f"/d/endless/a?chosen={FIRST}"
    assert page.one("input", name="chosen")["value"] == FIRST
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(0,)]
    page = browser.card(SECOND)
    assert browser.path.startswith("/g/")
    assert page.one(id="table")["data-version"] == "1"
    assert rows(tmp_path, "SELECT actions FROM games") == [(PAIR,)]


def test_a_covered_card_is_refused_with_the_table_and_the_reason(browser: Browser) -> None:
    begun(browser)
    page = browser.press(browser.page.one("button", name="card", value=COVERED))
    assert browser.status == 422
    assert page.one("div", **{"class": "notice refused"}).text.startswith("The jack of diamonds is covered.")
    assert page.one(id="table")["data-version"] == "1"


@pytest.mark.parametrize("headers", [HTMX, OWN_FORM], ids=["htmx", "plain"])
def test_an_illegal_action_shows_the_unchanged_table_with_the_reason(api: Api, headers: dict[str, str]) -> None:
    game = api.create(seed=SEED)
    answer = post_form(api.client, f"/g/{game['id']}", headers, version="0", action=f"Ah+{COVERED}")
    assert answer.status_code == 422
    page = read_html(answer.text)
    assert "do not add to 13" in page.one("div", **{"class": "notice refused"}).text
    assert "do not add to 13" in page.one(id="live").text
    assert page.one(id="table")["data-version"] == "0"
    assert bool(page.all("html")) == (headers is OWN_FORM)
    assert api.show(game["id"]) == game


def test_what_cannot_be_chosen_in_the_address_is_not_chosen(client: TestClient) -> None:
    for chosen in (COVERED, "Ks", "xx", "", "6c&chosen=Jh", "%00", "%ff"):
        page = read_html(client.get(f"/d/endless/a?chosen={chosen}").text)
        assert page.one("input", name="chosen")["value"] in {"", "Jh"}


# Leaving, restarting, and the way back.


def test_leaving_is_asked_about_once_and_ends_the_game_and_says_so(browser: Browser) -> None:
    page = begun(browser)
    game = browser.path
    page = browser.open(page.one("a", href=f"{game}/leave")["href"])
    assert browser.status == 200
    assert page.one("form").one("a").attributes["href"] == game
    assert "left" not in browser.open(game).one(id="table").attributes.get("class", "")
    page = browser.press(browser.open(f"{game}/leave").one("button"))
    assert (browser.status, browser.path) == (200, game)
    assert "gave this game up" in page.one("div", **{"class": "notice left"}).text
    assert "left" in page.one(id="table")["class"]


@pytest.fixture
def left(api: Api) -> str:
    """The address of a game that was given up after its first action."""
    game = api.act(api.create(seed=SEED), "draw")
    assert api.leave(game["id"])["left"]
    return f"/g/{game['id']}"


def test_a_game_that_is_over_is_not_asked_about(api: Api, left: str) -> None:
    for path in (left, f"/g/{won(api)['id']}"):
        answer = api.client.get(f"{path}/leave")
        assert (answer.status_code, answer.headers["location"]) == (303, path)


def test_nobody_is_asked_about_somebody_elses_game(client: TestClient) -> None:
    game = Api(client).act(Api(client).create(seed=SEED), "draw")
    client.cookies.clear()
    assert client.get(f"/g/{game['id']}/leave").status_code == client.get("/g/nothing/leave").status_code == 404


@pytest.mark.parametrize("headers", [HTMX, OWN_FORM], ids=["htmx", "plain"])
@pytest.mark.parametrize(
    "fields",
    [
        {"action": "draw"},
        {"action": "undo"},
        {"card": KING},
        {"chosen": FIRST, "card": SECOND},
        {"card": FIRST},
    ],
    ids=str,
)
def test_nothing_is_done_on_a_game_that_was_left(
    client: TestClient, left: str, headers: dict[str, str], fields: dict[str, str]
) -> None:
    answer = post_form(client, left, headers, version="1", **fields)
    assert answer.status_code == 422
    page = read_html(answer.text)
    assert page.one(id="table")["data-version"] == "1"
    assert "gave this game up" in page.one("div", **{"class": "notice left"}).text


def test_a_won_game_cannot_be_given_up(api: Api) -> None:
    game = won(api)
    # Its table comes as it is: as a fragment, or by the way to its page.
    for headers, status in ((HTMX, 200), (OWN_FORM, 303)):
        answer = post_form(api.client, f"/g/{game['id']}/leave", headers)
        assert answer.status_code == status
        assert "gave this game up" not in answer.text
    assert api.show(game["id"]) == game


def won(api: Api) -> JsonObject:
    """A game that was just won."""
    win = next(win for win in wins() if not win.is_deck)
    return api.act(api.create(rules=win.rules, seed=win.deal), *win.actions)


def test_restarting_is_a_new_game_of_the_same_deal_with_a_way_back(browser: Browser) -> None:
    begun(browser)
    browser.act("draw")
    first = browser.path
    restart = next(link for link in browser.page.all("a") if link.text == "Restart this deal")
    page = browser.open(resolved(browser.path, restart["href"]))
    assert browser.path == "/d/endless/a"
    assert page.one(id="table")["data-version"] == "0"
    (back,) = page.one("div", **{"class": "others"}).all("a")
    assert back["href"] == first
    browser.act("draw")
    assert browser.path not in {first, "/d/endless/a"}
    assert browser.open(first).one(id="table")["data-version"] == "2"


def test_a_game_of_a_deck_is_restarted_by_its_link(browser: Browser) -> None:
    begun(browser, f"/d/endless/{DECK}")
    restart = next(link for link in browser.page.all("a") if link.text == "Restart this deal")
    browser.open(resolved(browser.path, restart["href"]))
    assert browser.path == f"/d/endless/{DECK}"


def test_only_ones_own_unfinished_games_of_the_same_deal_are_offered(browser: Browser, other: TestClient) -> None:
    begun(browser, "/d/endless/a")
    begun(browser, "/d/classic/a")
    begun(browser, "/d/endless/b")
    assert len(browser.open("/d/endless/a").all("div", **{"class": "others"})) == 1
    assert not Browser(other).open("/d/endless/a").all("div", **{"class": "others"})
    assert "You have begun" not in browser.open("/d/endless/c").text


def test_a_new_deal_keeps_a_way_back_to_the_game_that_was_interrupted(browser: Browser, clock: Clock, api: Api) -> None:
    browser.open("/d/endless/a")
    browser.act("draw")
    browser.act("draw")
    path, kept = browser.path, "Your last game is kept: go on after move 2"
    others = browser.open("/d/classic/b").one("div", **{"class": "others"})
    assert (others.text, others.one("a")["href"]) == (kept, path)
    clock.tick(3_599)
    assert kept in browser.open("/d/classic/b").text
    # After an hour it is a game among others, which the first page lists.
    clock.tick(1)
    assert kept not in browser.open("/d/classic/b").text
    api.act(api.create(rules="classic", seed="stuck-6"), *["draw"] * 24)
    assert "is kept" not in browser.open("/d/classic/b").text


def test_the_first_page_lists_unfinished_games_the_last_touched_first(browser: Browser, clock: Clock) -> None:
    places = []
    for rules in ("classic", "open", "strict"):
        begun(browser, f"/d/{rules}/a")
        places.append(browser.path)
        clock.tick(1)
    browser.open(places[0])
    browser.act("draw")
    links = [link["href"] for link in browser.open("/").one("ul", **{"class": "games"}).all("a")]
    assert links == [href for place in (places[0], places[2], places[1]) for href in (place, f"{place}/leave")]
    # Giving up asks first.
    page = browser.open(links[3])
    assert len(browser.open("/").one("ul", **{"class": "games"}).all("li")) == 3
    browser.press(page.one("main").one("button"))
    links = [link["href"] for link in browser.open("/").one("ul", **{"class": "games"}).all("a")]
    assert links[::2] == [places[0], places[1]]


def test_a_game_without_an_action_is_not_listed(api: Api) -> None:
    api.create(seed=SEED)
    assert not read_html(api.client.get("/").text).all("ul", **{"class": "games"})


def test_won_games_are_not_listed(api: Api) -> None:
    won(api)
    assert not read_html(api.client.get("/").text).all("ul", **{"class": "games"})


@pytest.mark.parametrize(("begun", "seen", "more"), [(4, 4, 0), (5, 3, 2), (11, 3, 8), (14, 3, 9)])
def test_of_many_unfinished_games_three_are_seen_and_no_more_than_twelve_are_listed(
    api: Api, begun: int, seen: int, more: int
) -> None:
    for seed in range(begun):
        api.act(api.create(seed=str(seed)), "draw")
    page = read_html(api.client.get("/").text)
    lists = page.all("ul", **{"class": "games"})
    assert [len(games.all("li")) for games in lists] == ([seen, more] if more else [seen])
    assert lists[0].within("details") is None
    if more:
        details = lists[1].within("details")
        assert details is not None
        assert len(details.all("a", href="/me/games")) == (begun > seen + more)


# What the table says.


def test_the_counts_stand_on_the_table(browser: Browser, clock: Clock) -> None:
    begun(browser, "/d/open/a")
    clock.tick(75)
    page = browser.act("draw")
    score = page.one("p", **{"class": "score"})
    assert [number.text for number in score.all("b")] == ["2", "1:15"]
    assert page.one(id="gone").text == "0"
    assert "Redeals left: 2" in page.one(id="draw")["aria-label"]
    page = browser.card(KING)
    assert page.one(id="gone").text == "1"


def test_a_stuck_game_says_so(api: Api) -> None:
    game = api.create(rules="classic", seed="classic.1")
    while moves := [action for action in game["actions"] if action not in {"undo", "redo"}]:
        game = api.act(game, moves[0])
    assert game["status"] == "stuck"
    page = read_html(api.client.get(f"/g/{game['id']}").text)
    assert "No move is left" in page.one("div", **{"class": "notice stuck"}).text


def test_a_won_game_says_so_with_moves_and_time_and_stands_still(api: Api, clock: Clock) -> None:
    game = won(api)
    assert (game["status"], game["moves"]) == ("won", game["version"])
    clock.tick(500)
    page = read_html(api.client.get(f"/g/{game['id']}").text)
    assert f"in {game['moves']} moves and 0:00" in page.one("div", **{"class": "notice won"}).text
    assert "data-running" not in page.one(id="table").attributes
    after = api.act(game, "undo")
    assert (after["status"], after["moves"], after["seconds"]) == ("playing", game["moves"], 0)
    again = api.act(after, "redo")
    assert (again["status"], again["moves"], again["seconds"]) == ("won", game["moves"], 0)


def test_what_a_player_entered_is_never_markup(client: TestClient) -> None:
    evil = '"><script>alert(1)</script>'
    for path in (f"/new?seed={evil}", f"/new?deck={evil}", f"/new?rules={evil}", f"/d/{evil}/x", f"/d/endless/{evil}"):
        answer = client.get(path)
        assert answer.status_code in {404, 422}
        scripts = read_html(answer.text).all("script")
        assert all(script["src"].startswith("/static/") and not script.text for script in scripts)
