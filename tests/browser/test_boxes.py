"""Where things stand: the whole table on one screen, every rank and suit in sight, every target large enough."""

from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import Route, expect

from app.web.deps import PREFERENCES_COOKIE
from app.web.language import CODES
from tests.browser.addresses import WINS, daily, gave_up, moved
from tests.browser.conftest import Before, Visit
from tests.browser.faults import LOOK, faults
from tests.browser.player import Player, Visitor, wait_until
from tests.web.losing import LOSABLE, RULES, TO_LOSS

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (768, 1024), (1280, 720)]
SCHEMES: dict[Literal["light", "dark"], list[tuple[int, int]]] = {"light": SCREENS[::2], "dark": SCREENS[1::2]}
RULES_OF_EACH_KIND = ["endless", "open", "three-piles"]
"""A stock in sight or not, one waste or three."""

# Where the keys are that can be seen.
KEYS = """() => [...document.querySelectorAll(".key")].filter((one) => one.checkVisibility())
    .map((one) => JSON.stringify(one.getBoundingClientRect()))"""

# Where a box is that opens, in px of the page, which may be higher than the screen, and whether it covers its key.
MENU = """() => {
    const [box, key] = [".menu > div", ".menu summary"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
    const over = box.left < key.right && key.left < box.right && box.top < key.bottom && key.top < box.bottom;
    const cut = [...document.querySelectorAll(".menu > div .key")].some((one) => one.scrollWidth > one.clientWidth + 1);
    return [box.left, box.top + scrollY, innerWidth - box.right].every((room) => room >= 0) && !over && !cut;
}"""
SCROLLS = """() => ["Width", "Height"].map((one) => {
    const page = document.documentElement;
    return Math.max(page[`scroll${one}`] - page[`client${one}`], 0);
})"""

# What can be pressed and lies in part below the word of what failed; of a card, where its mark is.
COVERED = """() => {
    const toast = document.querySelector("#toast").getBoundingClientRect();
    const inside = toast.left >= 0 && toast.right <= innerWidth && toast.top >= 0 && toast.bottom <= innerHeight;
    return [...document.querySelectorAll("#table button:not([aria-disabled]), .controls a, summary, header a, #help")]
        .filter((one) => one.checkVisibility())
        .filter((one) => {
            const box = one.getBoundingClientRect();
            return box.left < toast.right && toast.left < box.right && box.top < toast.bottom && toast.top < box.bottom;
        }).map((one) => one.id || one.textContent).concat(inside ? [] : ["out of sight"]);
}"""
LAY = "(layout) => { document.documentElement.dataset.layout = layout; }"
CLOSE = """() => {
    const [box, key] = ["dialog", "dialog .key"].map((one) => document.querySelector(one).getBoundingClientRect());
    return key.top >= box.top && key.bottom <= Math.min(box.bottom, innerHeight);
}"""

LOW = [(640, 320), (740, 340), (640, 360), (844, 390), (932, 430)]
LOW += [(1280, 417), (1280, 480), (1280, 528), (1280, 544), (1100, 640)]
"""Wide windows of hardly any height."""

LANDSCAPE = [(568, 320), (640, 300), (560, 420)]
"""Phones on their side, small and low; the last is as narrow as a wide table can be."""


def all_faults(player: Player) -> list[str]:
    """What stands wrong on any of the screens, half of them in light and half in dark: things stand alike in both."""
    wrong = []
    for scheme, screens in SCHEMES.items():
        player.page.emulate_media(color_scheme=scheme)
        for width, height in screens:
            player.page.set_viewport_size({"width": width, "height": height})
            wrong += [f"{width}x{height}: {fault}" for fault in faults(player, width, height)]
    return wrong


def winner(visitor: Visitor) -> list[str]:
    """Addresses of tables of somebody who has won twice by each of the rules: a win, the middle, a pair, given up."""
    paths = []
    for rules in RULES_OF_EACH_KIND:
        moved(visitor, rules)
        # There the hint is a pair, so that it comes in two halves.
        pair = next(number for number, action in enumerate(WINS[rules].actions) if "+" in action)
        paths += [moved(visitor, rules, number) for number in (None, 9, pair)]
        paths += [gave_up(visitor, moved(visitor, rules, 1))]
    return paths


def won(visitor: Visitor, before: Before, rules: str) -> list[str]:
    """A winner's addresses, of which those by one of the rules are given."""
    start = 4 * RULES_OF_EACH_KIND.index(rules)
    return visitor.has_been(before(winner))[start : start + 4]


def challenge(sender: Player, name: str = "") -> str:
    """The address of a challenge that somebody sends who has won."""
    path = moved(sender.visitor, "open")
    if name:
        sender.open("/you")
        sender.page.locator("input[name=name]").fill(name)
        sender.page.locator("input[name=name]").press("Enter")
    sender.open(f"{path}/result")
    sender.page.get_by_role("button", name="Make the link").click()
    return sender.page.locator("#dare").get_attribute("data-path") or ""


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_whole_table_stands_on_one_screen_at_its_opening(player: Player, rules: str) -> None:
    player.open(f"/d/{rules}/{WINS[rules].deal}")
    assert len(player.cards()) == (29 if rules == "open" else 28)
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_whole_table_stands_on_one_screen_in_the_middle_of_a_game(player: Player, rules: str) -> None:
    player.open(moved(player.visitor, rules, 16))
    assert all_faults(player) == []


def test_a_chosen_card_hides_nothing(player: Player) -> None:
    player.open(f"/d/endless/{WINS['endless'].deal}")
    player.card("5h").click()
    player.page.mouse.move(0, 0)
    player.page.wait_for_timeout(150)
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_the_way_back_to_a_game_has_room_on_a_deals_page(player: Player, rules: str) -> None:
    moved(player.visitor, rules, 3)
    for seed, word in ((WINS[rules].deal, "You have begun this deal"), ("another", "Your last game is kept")):
        player.open(f"/d/{rules}/{seed}")
        expect(player.page.locator(".others")).to_contain_text(word)
        assert all_faults(player) == []


def test_a_stuck_table_stands_on_one_screen_with_its_word(player: Player) -> None:
    player.open(f"/g/{player.visitor.begun('classic', 'stuck-6', *['draw'] * 24)['id']}")
    assert player.page.locator(".notice.stuck").is_visible()
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_table_with_a_word_on_it_stands_on_one_screen(player: Player, rules: str) -> None:
    path = moved(player.visitor, rules, 1)
    stale = player.visitor.player()
    player.visitor.expects("status of 409")
    player.open(path)
    stale.open(path)
    player.act("draw")
    stale.press("undo")
    stale.page.locator(".notice.stale").wait_for()
    assert all_faults(stale) == []


def test_a_long_seed_and_a_code_have_room(player: Player) -> None:
    player.open(f"/d/d3p3r0va/{'W' * 64}")
    # A name without end is cut where its line ends.
    assert [fault for fault in all_faults(player) if "cut off" not in fault] == []


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_the_players_best_has_room_beside_the_table(player: Player, before: Before, rules: str) -> None:
    _, middle, *_ = won(player.visitor, before, rules)
    for path in (f"/d/{rules}/another", middle):
        player.open(path)
        assert player.page.locator(".best").is_visible()
        assert all_faults(player) == []


@pytest.mark.parametrize("code", CODES)
def test_a_table_fits_into_a_wide_window_of_hardly_any_height(visit: Visit, before: Before, code: str) -> None:
    player = visit(locale=code).player()
    paths = player.visitor.has_been(before(winner))
    for at, rules in enumerate(RULES_OF_EACH_KIND):
        for path in (f"/d/{rules}/another", paths[4 * at], paths[4 * at + 1]):
            player.open(path)
            for width, height in LOW:
                player.page.set_viewport_size({"width": width, "height": height})
                assert player.page.evaluate(SCROLLS) == [0, 0], (path, width, height)


# The languages with the shortest and the longest words for it.
@pytest.mark.parametrize("code", ["ceb", "ms"])
def test_what_failed_is_said_where_nothing_is_pressed(visit: Visit, code: str) -> None:
    player = visit(locale=code).player()
    player.visitor.expects("net::ERR", "Failed to fetch")
    for rules in RULES_OF_EACH_KIND:
        player.open(moved(player.visitor, rules, 3))
        player.page.route("**/g/*", lambda route: route.abort())
        # What is pressed before the first frame may go by the form alone.
        player.page.evaluate("() => new Promise(requestAnimationFrame)")
        player.page.keyboard.press("u")
        for width, height in [*SCREENS, (932, 430), (360, 740)]:
            # The window changes with the word on it, and then the word comes anew.
            player.page.locator("#toast").wait_for()
            player.page.set_viewport_size({"width": width, "height": height})
            player.page.evaluate("() => new Promise(requestAnimationFrame)")
            assert player.page.evaluate(COVERED) == [], (rules, width, height)
            player.page.locator("#close").click()
            # What the mouse lies on is lifted a little.
            player.page.mouse.move(0, 0)
            player.page.keyboard.press("u")
            player.page.locator("#toast").wait_for()
            assert player.page.evaluate(COVERED) == [], (rules, width, height)
        player.page.unroute("**/g/*")


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_win_stands_on_one_screen_with_all_that_is_said_of_it(player: Player, before: Before, rules: str) -> None:
    player.open(won(player.visitor, before, rules)[0])
    expect(player.page.locator(".notice.won .verdict.fewest")).to_contain_text("by these rules.")
    assert all_faults(player) == []


def test_what_is_said_later_of_a_win_moves_nothing(player: Player) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    player.page.route("**/verdict?*", hold)
    path = moved(player.visitor, "endless")
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        player.open(path)
        wait_until(player.page, lambda: held)
        places = player.page.evaluate(KEYS)
        held.pop().continue_()
        player.page.locator(".verdict.fewest").wait_for()
        assert player.page.evaluate(KEYS) == places, width


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_what_a_game_given_up_leads_to_stands_clear_of_its_cards(player: Player, before: Before, rules: str) -> None:
    for best in (False, True):
        player.open(
            won(player.visitor, before, rules)[3] if best else gave_up(player.visitor, moved(player.visitor, rules, 1))
        )
        after = player.page.locator(".after")
        assert after.get_by_role("link").all_text_contents() == [
            "This deal again",
            "Look back",
            "Board",
            "Show to others",
        ]
        assert all_faults(player) == []


@pytest.mark.parametrize("days_ago", [0, 40])
def test_a_daily_deal_stands_on_one_screen_and_leads_on_before_during_and_after(player: Player, days_ago: int) -> None:
    moved(player.visitor, "open")
    player.open(daily(days_ago))
    late = player.page.get_by_text("This day is over")
    assert late.count() == (1 if days_ago else 0)
    assert all_faults(player) == []
    player.act("draw")
    begun = player.path
    player.open(daily(days_ago))
    assert player.page.get_by_text("You have begun this deal").is_visible()
    assert all_faults(player) == []
    for path in (begun, gave_up(player.visitor, begun)):
        player.open(path)
        expect(player.page.get_by_role("link", name="Daily deals")).to_have_attribute("href", "/daily")
        assert all_faults(player) == []
    player.page.get_by_role("link", name="Board", exact=True).first.click()
    expect(player.page).to_have_url(f"{player.visitor.url}{daily(days_ago)}/board")


@pytest.mark.parametrize("sender", ["", "Annemarie of the Evening"])
def test_a_challenge_stands_on_one_screen_before_during_and_after(visit: Visit, sender: str) -> None:
    path = challenge(visit().player(), sender)
    player = visit().player()
    moved(player.visitor, "strict")
    player.open(path)
    assert player.page.locator(".others").get_by_text("challenges you").is_visible()
    assert all_faults(player) == []
    player.act("draw")
    begun = player.path
    assert all_faults(player) == []
    player.open(gave_up(player.visitor, begun))
    assert player.page.get_by_role("link", name="Compare").is_visible()
    assert all_faults(player) == []
    # Played again it is the same challenge, whose result is known by then.
    player.page.get_by_role("link", name="This deal again").click()
    first, *others, last = WINS["open"].actions
    player.act(first)
    player.visitor.gone_on(player.visitor.api(player.path.replace("/g/", "/games/")), *others)
    player.page.reload()
    player.act(last)
    assert player.page.locator(".notice.won").get_by_role("link", name="Compare").is_visible()
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", ["open", "three-piles"])
def test_a_table_for_the_left_hand_stands_on_one_screen(player: Player, before: Before, rules: str) -> None:
    cookie = {"name": PREFERENCES_COOKIE, "value": "layout%3Dleft", "url": player.visitor.url}
    win, middle, _, left = won(player.visitor, before, rules)
    player.visitor.context.add_cookies([cookie])
    for path in (middle, win, f"/d/{rules}/{WINS[rules].deal}", left):
        player.open(path)
        assert player.page.locator("html[data-layout=left]").count()
        assert all_faults(player) == []


def test_a_lost_table_stands_on_one_screen_with_the_way_back(player: Player) -> None:
    moved(player.visitor, "open")
    player.open(f"/g/{player.visitor.begun(RULES, LOSABLE, *TO_LOSS)['id']}")
    player.page.locator("#way-back").wait_for()
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_table_with_a_hint_stands_on_one_screen(player: Player, before: Before, rules: str) -> None:
    player.open(won(player.visitor, before, rules)[2])
    player.page.locator("#hint").click()
    player.page.locator(".notice.hint").wait_for()
    assert all_faults(player) == []
    if player.page.locator("#which").count():
        player.page.locator("#which").click()
        player.page.locator(".hinted").first.wait_for()
        assert all_faults(player) == []


@pytest.mark.parametrize("code", CODES)
def test_the_menu_and_the_list_of_keys_open_in_sight_and_can_be_closed(visit: Visit, code: str) -> None:
    player = visit(locale=code).player()
    player.open(moved(player.visitor, "endless", 3))
    screens = [(360, 640), (1280, 720), *LANDSCAPE, (320, 568), (180, 320)]
    player.page.locator(".menu summary").click()
    for layout in ("", "left"):
        player.page.evaluate(LAY, layout)
        for width, height in screens:
            player.page.set_viewport_size({"width": width, "height": height})
            assert player.page.evaluate(MENU), (width, height, layout)
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("?")
    for width, height in screens:
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(CLOSE), (width, height)


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_a_sheet_never_scrolls_sideways_and_its_targets_are_large_enough(visit: Visit, path: str) -> None:
    visitor = visit()
    visitor.begun("tuts-tomb", "W" * 64, "draw")
    player = visitor.player()
    player.open(path)
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        look = player.page.evaluate(LOOK)
        assert look["page"][0] <= width
        # A link within a line of text is as high as its line.
        assert [name for name, box in look["targets"] if box[3] - box[1] < 16] == []


# Where the letters are, not their boxes, which are wider; what is only for the ear is nowhere.
SAID = """() => {
    const all = [...document.querySelectorAll("#table .pyramid [name=card], #table .piles button, .controls .key")]
        .filter((one) => one.checkVisibility());
    const words = [...document.querySelectorAll(".notice > p, .notice > .key, .verdict > *, .score span")]
        .filter((one) => one.checkVisibility() && getComputedStyle(one).clipPath === "none");
    const letters = (one) => {
        if (one.matches(".key")) return [one.getBoundingClientRect()];
        const range = document.createRange();
        range.selectNodeContents(one);
        // A line is higher than its letters.
        return [...range.getClientRects()].map(({left, top, right, bottom}) =>
            ({left, right, top: top + (bottom - top) / 5, bottom: bottom - (bottom - top) / 5}));
    };
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const name = (one) => one.id || one.textContent.trim().slice(0, 20);
    return words.flatMap((one, at) => [...all, ...words.slice(at + 1)]
        .filter((other) => letters(one).some((line) => letters(other).some((box) => over(line, box))))
        .map((other) => `${name(one)} over ${name(other)}`));
}"""


SMALLEST = """() => Math.min(...[...document.querySelectorAll(".verdict > *")]
    .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


def long_lost(visitor: Visitor) -> list[str]:
    """Addresses of tables that cannot be won any more: by one move, and by many."""
    game = visitor.begun(RULES, LOSABLE, *TO_LOSS)
    paths = [f"/g/{game['id']}"]
    game = visitor.begun(RULES, LOSABLE, *TO_LOSS)
    for _ in range(12):
        game = visitor.gone_on(game, min(game["actions"], key=lambda action: action not in {"draw", "redeal"}))
    return [*paths, f"/g/{game['id']}"]


@pytest.mark.parametrize("code", CODES)
def test_the_way_back_and_a_word_beside_it_lie_on_no_card(visit: Visit, before: Before, code: str) -> None:
    player = visit(locale=code).player()
    for path in player.visitor.has_been(before(long_lost)):
        player.open(path)
        expect(player.page.locator(".verdict.lost")).to_be_visible()
        for hint in (False, True):
            if hint:
                player.page.locator("#hint").click()
                player.page.locator(".notice.hint").wait_for()
            for (width, height), layout in [*product([(320, 568), *LANDSCAPE], [""]), (LANDSCAPE[0], "left")]:
                player.page.set_viewport_size({"width": width, "height": height})
                player.page.evaluate(LAY, layout)
                assert player.page.evaluate(SAID) == [], (path, width, height, layout, hint)
        assert player.page.evaluate(SMALLEST) >= 12


def test_the_waste_piles_keep_off_the_controls(player: Player) -> None:
    player.open(moved(player.visitor, "three-piles", 14))
    player.page.set_viewport_size({"width": 640, "height": 360})
    gap = "document.querySelector('#undo').getBoundingClientRect().top - Math.max("
    gap += "...[...document.querySelectorAll('.pile')].map((one) => one.getBoundingClientRect().bottom))"
    # The edges of the cards below stand out by 4 px.
    assert player.page.evaluate(gap) >= 4 + 4 - 0.1


@pytest.mark.parametrize("rules", ["open", "three-piles"])
def test_the_piles_stand_within_their_column_beside_a_large_pyramid(player: Player, rules: str) -> None:
    player.open(moved(player.visitor, rules, 9))
    for width, height in ((790, 410), (844, 390)):
        player.page.set_viewport_size({"width": width, "height": height})
        gone, piles = player.page.locator("#gone").bounding_box(), player.page.locator(".piles").bounding_box()
        assert gone is not None
        assert piles is not None
        assert gone["x"] + gone["width"] <= piles["x"] + piles["width"] + 0.5, (width, height)


def test_letters_grow_with_the_cards(player: Player) -> None:
    player.open(moved(player.visitor, "open", 9))
    small = "getComputedStyle(document.querySelector('.piles small')).fontSize"
    score = "getComputedStyle(document.querySelector('.score')).fontSize"
    sizes = []
    for width, height in ((640, 360), (1280, 720), (1920, 1080)):
        player.page.set_viewport_size({"width": width, "height": height})
        assert faults(player, width, height) == []
        sizes.append([float(player.page.evaluate(one).removesuffix("px")) for one in (small, score)])
    assert sizes[0] == sizes[1] == [12, 14]
    assert sizes[2][0] >= 15
    assert sizes[2][1] >= 17


def test_a_stock_that_a_hint_names_is_ringed(player: Player) -> None:
    outline = "(one) => [getComputedStyle(one).outlineStyle, parseFloat(getComputedStyle(one).outlineWidth) >= 4]"
    for rules in ("endless", "open"):
        player.open(moved(player.visitor, rules, 9))
        stock = player.stock.first
        assert stock.evaluate(outline) != ["double", True]
        stock.evaluate("(one) => one.classList.add('hinted')")
        assert stock.evaluate(outline) == ["double", True]


def test_a_hinted_card_that_has_the_focus_shows_both(player: Player) -> None:
    player.open(moved(player.visitor, "endless", 9))
    card = player.page.locator("#table .pyramid [name=card]:not([aria-disabled])").first
    player.page.keyboard.press("ArrowRight")
    card.evaluate("(one) => { one.classList.add('hinted'); one.focus(); }")
    outline, shadow = card.evaluate("(one) => [getComputedStyle(one).outline, getComputedStyle(one).boxShadow]")
    assert "rgb(255, 255, 255) solid" in outline
    assert shadow.startswith("rgb(227, 176, 75)")
