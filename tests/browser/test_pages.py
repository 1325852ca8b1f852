"""From the first page to a table and back: new deals, deal links, unfinished games, giving up, beginning again."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

GAME = re.compile(r".*/g/[A-Za-z0-9_-]{12,}$")
(CLASSIC,) = [win for win in wins() if win.rules == "classic"]
"""A given deck and its win."""

HELD = next(win for win in wins() if win.rules == "endless")
"""A deal and its win."""


def unfinished(player: Player) -> Locator:
    """The games on the first page, gone to by its link."""
    player.page.get_by_role("link", name="Pyramid 13").click()
    return player.page.locator(".games li")


def test_the_first_action_gives_the_game_its_address_and_reload_shows_it(player: Player) -> None:
    player.open("/d/three-piles/a")
    player.act("draw")
    expect(player.page).to_have_url(GAME)
    player.act("Kc", "undo")
    path, before = player.path, player.shown()
    player.page.reload()
    assert (player.path, player.shown()) == (path, before)


def test_opening_a_deal_link_begins_nothing(player: Player) -> None:
    player.open("/d/endless/a")
    player.card("6c").click()
    player.page.reload()
    expect(unfinished(player)).to_have_count(0)
    assert player.visitor.context.cookies() == []


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_double_click_on_a_deals_stock_begins_one_game(visit: Visit, script: bool) -> None:  # noqa: FBT001
    player = visit(java_script_enabled=script).player()
    player.open("/d/endless/a")
    player.stock.dblclick()
    player.reaches(1)
    expect(player.page).to_have_url(GAME)
    expect(unfinished(player)).to_have_text([re.compile(r"Endless\s+deal a, 1 move")])


def test_a_new_deal_is_one_click_away(player: Player) -> None:
    player.open("/")
    player.page.get_by_role("button", name="Deal Endless").click()
    expect(player.page).to_have_url(re.compile(r".*/d/endless/[A-Za-z0-9_.-]+$"))
    assert len(player.cards()) == 28
    first = player.path
    player.page.get_by_role("link", name="New deal").click()
    expect(player.page).not_to_have_url(player.visitor.url + first)
    assert len(player.cards()) == 28


def test_a_seed_and_a_rule_set_deal_the_same_cards_as_their_link(player: Player) -> None:
    player.open("/")
    player.page.get_by_role("radio", name="Tut’s Tomb").check()
    player.page.get_by_text("A deal of your own").click()
    player.page.get_by_label("Seed").fill("win-24")
    player.page.keyboard.press("Enter")
    expect(player.page).to_have_url(re.compile(r".*/d/tuts-tomb/win-24$"))
    table = player.visitor.api("/deals/tuts-tomb/win-24")
    assert player.cards() == [card for row in table["pyramid"] for card in row]


def test_a_pasted_deck_is_played(player: Player) -> None:
    player.open("/")
    player.page.get_by_role("radio", name="Classic").check()
    player.page.get_by_text("A deal of your own").click()
    pasted = CLASSIC.deal.replace("T", "10").replace(" ", "\n", 20).replace(" ", ",  ", 5)
    player.page.get_by_label("Or a deck").fill(pasted)
    player.page.get_by_role("button", name="Deal Classic").click()
    assert player.cards() == CLASSIC.deal.split()[:28]
    player.act(*CLASSIC.actions[:3])
    expect(player.page).to_have_url(GAME)
    expect(unfinished(player)).to_have_text([re.compile(r"Classic\s+own deck, 3 moves")])


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [("9c ", "", "9c"), ("9c ", "Kc ", "Kc"), ("9c ", "9x ", "9x")],
    ids=["missing", "double", "unreadable"],
)
def test_a_faulty_deck_says_what_is_wrong_and_is_kept(player: Player, wrong: str, right: str, words: str) -> None:
    player.visitor.expects("status of 422")
    player.open("/")
    player.page.get_by_text("A deal of your own").click()
    faulty = CLASSIC.deal.replace(wrong, right, 1)
    player.page.get_by_label("Or a deck").fill(faulty)
    player.page.get_by_role("button", name="Deal Endless").click()
    expect(player.page.get_by_role("alert")).to_contain_text(words)
    expect(player.page.get_by_label("Or a deck")).to_be_visible()
    expect(player.page.get_by_label("Or a deck")).to_have_value(faulty)


def test_an_unfinished_game_goes_on_from_the_first_page(player: Player) -> None:
    player.open("/d/open/win-2")
    player.act("2c+Jd", "draw")
    before = player.shown()
    unfinished(player).get_by_role("link", name=re.compile("^Open stock")).click()
    assert player.shown() == before
    player.act("Ad+Qd")


def test_a_game_is_given_up_from_its_menu_and_leaves_the_list(player: Player) -> None:
    player.open("/d/endless/a")
    player.act("Kc")
    path = player.path
    player.page.locator(".menu summary").click()
    player.page.get_by_role("link", name="Give up").click()
    player.page.get_by_role("link", name="Play on").click()
    expect(player.page.locator(".notice.left")).to_have_count(0)
    player.page.locator(".menu summary").click()
    player.page.get_by_role("link", name="Give up").click()
    player.page.get_by_role("button", name="Give it up").click()
    expect(player.page.locator(".notice")).to_contain_text("You gave this game up.")
    expect(player.page.get_by_role("link", name="Give up")).to_have_count(0)
    # Nothing can be done to it any more.
    player.stock.click(force=True)
    player.card("6c").click()
    player.card("7d").click()
    assert player.path == path
    assert [post.url.rpartition("/")[2] for post in player.visitor.posts][1:] == ["leave"]
    expect(unfinished(player)).to_have_count(0)


def test_a_game_is_given_up_from_the_list(player: Player) -> None:
    player.visitor.begun("endless", "a", "draw")
    player.visitor.begun("classic", "b", "draw")
    player.open("/")
    player.page.get_by_role("link", name="Give up Classic, deal b").click()
    expect(unfinished(player)).to_have_count(2)
    player.page.go_back()
    player.page.get_by_role("button", name="Give it up").click()
    expect(player.page.locator(".notice")).to_contain_text("You gave this game up.")
    expect(unfinished(player)).to_have_text([re.compile(r"Endless")])


def test_beginning_again_shows_the_way_back(player: Player) -> None:
    player.open("/d/endless/a")
    player.act("draw", "Kc")
    path, before = player.path, player.shown()
    player.page.locator(".menu summary").click()
    player.page.get_by_role("link", name="Restart this deal").click()
    expect(player.page).to_have_url(player.visitor.url + "/d/endless/a")
    assert player.version == 0
    back = player.page.get_by_role("link", name="go on after move 2")
    expect(back).to_be_visible()
    # The new game is another one, and the old one is still there.
    player.act("draw")
    assert player.path != path
    expect(unfinished(player)).to_have_count(2)
    player.open("/d/endless/a")
    player.page.get_by_role("link", name="go on after move").click()
    expect(player.page).to_have_url(GAME)
    player.open(path)
    assert player.shown() == before


def test_the_link_to_a_deal_is_copied(visit: Visit) -> None:
    player = visit(permissions=["clipboard-read", "clipboard-write"]).player()
    player.open("/d/endless/a")
    player.act("draw")
    player.page.locator(".menu summary").click()
    player.page.get_by_role("link", name="Link to this deal").click()
    expect(player.live).to_have_text("The link is copied.")
    link = player.page.locator("#copy")
    expect(link).to_have_text("The link is copied.")
    copied = player.page.evaluate("() => navigator.clipboard.readText()")
    expect(link).to_have_text("Link to this deal")
    assert copied == f"{player.visitor.url}/d/endless/a"
    player.open(copied)
    assert player.version == 0


def test_the_clock_runs_from_the_first_move_on(visit: Visit) -> None:
    player = visit(alone=True).player()
    player.page.clock.install()
    player.open("/d/endless/a")
    clock = player.page.locator("#clock")
    player.page.clock.run_for(5_000)
    expect(clock).to_have_text("0:00")
    player.act("draw")
    player.page.clock.run_for(65_000)
    expect(clock).to_have_text(re.compile("1:0[456]"))


def test_the_keys_are_listed_at_a_question_mark(player: Player) -> None:
    player.open("/d/endless/a")
    player.page.keyboard.press("?")
    keys = player.page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("walk the open cards")
    player.page.keyboard.press("d")
    player.page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    assert player.version == 0


def test_a_game_of_somebody_else_is_not_shown(visit: Visit) -> None:
    path = f"/g/{visit().begun('endless', 'a', 'draw')['id']}"
    stranger = visit().player()
    stranger.visitor.expects("status of 404")
    stranger.open(path)
    expect(stranger.page.locator("main")).to_contain_text("There is nothing here, or it is somebody else’s.")
    expect(stranger.page.get_by_role("link", name="Play", exact=True).last).to_be_visible()


# What somebody hostile writes into names, addresses and files.

PICTURE, CLOSED = "<img src=x onerror=x()>", '"><svg onload=x()>'
RAN = "globalThis.ran = []; globalThis.x = () => ran.push(location.href);"
MADE = "() => [...document.querySelectorAll('main [onerror], main [onload], main img')].map((one) => one.outerHTML)"


def is_text(player: Player, written: str) -> None:
    """What was written stands on the page as it is, and is nothing but text there."""
    shown = player.page.locator("main").evaluate(
        "(main) => main.innerText + [...main.querySelectorAll('input, textarea')].map((one) => one.value).join()"
    )
    assert written in shown
    assert player.page.evaluate(MADE) == []
    assert player.page.evaluate("ran") == []


@pytest.mark.parametrize("script", [PICTURE, CLOSED], ids=["picture", "out of an attribute"])
def test_what_somebody_hostile_writes_is_text_wherever_it_stands(visit: Visit, script: str) -> None:
    # That a page's policy refused something would be heard at the end as well.
    player = visit(first=RAN).player()
    player.visitor.expects(r"status of 4(04|22)")
    player.visitor.begun("endless", HELD.deal, *HELD.actions)
    headers = {"Sec-Fetch-Site": "same-origin"}
    assert player.visitor.context.request.post("/you/name", form={"name": script}, headers=headers).ok
    for path in ("/you", f"/b/endless/{HELD.deal}"):
        player.open(path)
        is_text(player, script)
    written = quote(script, safe="")
    for path in (f"/new?seed={written}&rules=endless", f"/new?deck={written}", f"/new?rules={written}"):
        player.open(path)
        is_text(player, script)
    for path in (f"/d/endless/{written}", f"/d/{written}/a", f"/g/{written}", f"/r/{written}", f"/b/{written}/a"):
        player.open(path)
        assert player.page.evaluate(MADE) == player.page.evaluate("ran") == []
    for head in ("", "pyramid13 game\n", "pyramid13 game\nrules "):
        player.open("/me/import")
        player.page.get_by_role("textbox", name="Or the text of a game").fill(head + script)
        player.page.get_by_role("button", name="Bring them in").click()
        expect(player.page.get_by_role("alert")).to_be_visible()
        is_text(player, script)


def test_a_script_that_got_onto_a_page_would_be_seen_and_does_not_run(visit: Visit) -> None:
    player = visit(first=RAN).player()
    player.visitor.expects("policy", "Content Security Policy", "status of 404")
    player.open("/rules")
    player.page.evaluate("(text) => document.querySelector('main').insertAdjacentHTML('beforeend', text)", PICTURE)
    expect(player.page.locator("main img")).to_have_js_property("complete", value=True)
    assert player.page.evaluate(MADE) != []
    assert player.page.evaluate("ran") == []
    assert [heard for heard in player.visitor.heard if "script-src" in heard]
