"""Where things stand: the whole table on one screen, every rank and suit in sight, every target large enough."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import Route, expect

from app.web.deps import PREFERENCES_COOKIE
from app.web.language import CODES
from tests.browser.conftest import Before, Visit
from tests.browser.player import Player, Visitor, wait_until
from tests.playthroughs import wins
from tests.web.test_coach import LOSABLE, RULES, TO_LOSS

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (768, 1024), (1280, 720)]
SCHEMES: dict[Literal["light", "dark"], list[tuple[int, int]]] = {"light": SCREENS[::2], "dark": SCREENS[1::2]}
RULES_OF_EACH_KIND = ["endless", "open", "three-piles"]
"""A stock in sight or not, one waste or three."""
WINS = {win.rules: win for win in wins()}

# A card's marks are its rank, by the ink of its letters, and the suit beside it, which the style draws.
LOOK = """() => {
    const round = (...edges) => edges.map((edge) => Math.round(edge * 100) / 100);
    const box = ({left, top, right, bottom}) => round(left, top, right, bottom);
    const ink = document.createElement("canvas").getContext("2d");
    const rank = (card) => {
        const range = document.createRange();
        range.selectNodeContents(card);
        const line = range.getBoundingClientRect();
        const style = getComputedStyle(card);
        ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const size = ink.measureText(card.textContent);
        const base = line.top + (line.height - size.fontBoundingBoxAscent - size.fontBoundingBoxDescent) / 2
            + size.fontBoundingBoxAscent;
        return round(line.left, base - size.actualBoundingBoxAscent, line.right, base + size.actualBoundingBoxDescent);
    };
    const suit = (card) => {
        const edge = card.getBoundingClientRect();
        const style = getComputedStyle(card, "::before");
        const [top, left, width] = [style.top, style.left, style.width].map(parseFloat);
        const x = edge.left + card.clientLeft + left;
        const y = edge.top + card.clientTop + top;
        return round(x, y, x + width, y + width);
    };
    const onTop = (card, [left, top, right, bottom]) => [[left, top], [right, top], [left, bottom], [right, bottom]]
        .every(([x, y]) => document.elementFromPoint(x, y) === card);
    const visible = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
    const named = (all) => visible(all).map((one) =>
        [one.id || one.className || one.tagName, box(one.getBoundingClientRect())]);
    // Some words are there for the ear only.
    const texts = visible("header > a, nav > *, h1, .best, .others p, .score span, .piles small, .controls > *,"
        + " .notice > p:not(.after), .notice > .key, .after .key, .verdict > *")
        .filter((one) => getComputedStyle(one).clipPath === "none");
    const start = (one) => one.textContent.trim().slice(0, 30);
    const faint = (one) => one && (getComputedStyle(one).opacity < 1 || faint(one.parentElement));
    return {
        page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
        cards: visible("#table [name=card]").map((card) => {
            const [r, s] = [rank(card), suit(card)];
            return {code: card.value, place: card.id, open: !card.hasAttribute("aria-disabled"),
                box: box(card.getBoundingClientRect()), rank: r, suit: s,
                seen: {rank: onTop(card, r), suit: onTop(card, s)}};
        }),
        piles: named(".piles .back, .piles .bare, .piles .pile, #draw"),
        targets: named("a, button:not([name=card]), summary"),
        keys: named(".key"),
        asides: named(".others a"),
        texts: texts.map((one) => [start(one), box(one.getBoundingClientRect())]),
        cut: visible(".best, h1 > *").filter((one) => one.scrollWidth > one.clientWidth).map(start),
        faint: texts.filter((one) => !one.matches("[aria-disabled]") && faint(one)).map(start),
        left: document.querySelector("#table.left") !== null,
    };
}"""

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
LAY = "(layout) => { document.documentElement.dataset.layout = layout; }"
CLOSE = """() => {
    const [box, key] = ["dialog", "dialog .key"].map((one) => document.querySelector(one).getBoundingClientRect());
    return key.top >= box.top && key.bottom <= Math.min(box.bottom, innerHeight);
}"""

LANDSCAPE = [(568, 320), (640, 300), (560, 420)]
"""Phones on their side, small and low; the last is as narrow as a wide table can be."""

Box = list[float]


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes share no point; a hair's breadth is forgiven."""
    hair = 0.6
    return (
        one[2] <= other[0] + hair or other[2] <= one[0] + hair or one[3] <= other[1] + hair or other[3] <= one[1] + hair
    )


def inside(one: Box, width: float, height: float) -> bool:
    return one[0] >= 0 and one[1] >= 0 and one[2] <= width + 0.5 and one[3] <= height + 0.5


def faults(player: Player, width: int, height: int) -> list[str]:
    """Everything that stands wrong on a screen."""
    look: dict[str, Any] = player.page.evaluate(LOOK)
    cards, piles, targets, texts = look["cards"], look["piles"], look["targets"], look["texts"]
    wrong = [f"scrolls: {look['page']}"] if look["page"][0] > width or look["page"][1] > height else []
    everything = [(card["place"], card["box"]) for card in cards] + piles + targets + texts
    wrong += [f"out of sight: {name} {box}" for name, box in everything if not inside(box, width, height)]
    for card in cards:
        wrong += [f"hidden {mark} of {card['code']}" for mark, seen in card["seen"].items() if not seen]
        if not apart(card["rank"], card["suit"]):
            wrong.append(f"rank over suit on {card['code']}: {card['rank']} {card['suit']}")
        for over in cards[cards.index(card) + 1 :]:
            if not (apart(over["box"], card["rank"]) and apart(over["box"], card["suit"])):
                wrong.append(f"{over['code']} lies on the rank or suit of {card['code']}")
        if card["open"] and not look["left"] and card["box"][2] - card["box"][0] < 44:
            wrong.append(f"narrow: {card['code']} {card['box']}")
    pyramid = [(card["place"], card["box"]) for card in cards if card["place"].startswith("r")]
    aside = [*piles, *texts]
    wrong += [f"{place} touches {name}" for place, box in pyramid for name, other in aside if not apart(box, other)]
    wrong += [
        f"{name} touches {other_name}"
        for at, (name, box) in enumerate(texts)
        for other_name, other in [*texts[at + 1 :], *piles]
        if not apart(box, other) and name not in other_name and other_name not in name
    ]
    wrong += [f"cut off: {text}" for text in look["cut"]]
    wrong += [f"hard to read: {text}" for text in look["faint"]]
    return wrong + small(look, width, height)


def small(look: dict[str, Any], width: int, height: int) -> list[str]:
    """The targets that are too small; 44 px are asked for where there is room, and always of what looks like a key."""
    least = {"targets": 24, "keys": 44 if height >= 416 else 36}
    if min(width, height) >= 700:
        # A link within a line of text is no higher than the line lets it be.
        look = look | {"targets": [target for target in look["targets"] if target not in look["asides"]]}
        least["targets"] = 44
    return [
        f"small: {name} {box}"
        for kind, pixels in least.items()
        for name, box in look[kind]
        if min(box[2] - box[0], box[3] - box[1]) < pixels - 0.1
    ]


def all_faults(player: Player) -> list[str]:
    """What stands wrong on any of the screens, half of them in light and half in dark: things stand alike in both."""
    wrong = []
    for scheme, screens in SCHEMES.items():
        player.page.emulate_media(color_scheme=scheme)
        for width, height in screens:
            player.page.set_viewport_size({"width": width, "height": height})
            wrong += [f"{width}x{height}: {fault}" for fault in faults(player, width, height)]
    return wrong


def moved(visitor: Visitor, rules: str, actions: int | None = None) -> str:
    """The address of a game of a golden win after some actions, or all."""
    win = WINS[rules]
    return f"/g/{visitor.begun(rules, win.deal, *win.actions[:actions])['id']}"


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


def gave_up(visitor: Visitor, path: str) -> str:
    """The address of a game that its player gives up."""
    answer = visitor.context.request.post(f"/api/v1{path.replace('/g/', '/games/')}/leave")
    assert answer.ok, answer.text()
    return path


def daily(days_ago: int) -> str:
    """The address of a day's deal; the longest name of a month is as likely as any."""
    return f"/daily/open/{datetime.now(UTC).date() - timedelta(days=days_ago)}"


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
    player.open(f"/d/{rules}/{WINS[rules].deal}")
    assert player.page.locator(".others").is_visible()
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


@pytest.mark.parametrize("rules", RULES_OF_EACH_KIND)
def test_a_win_stands_on_one_screen_with_all_that_is_said_of_it(player: Player, before: Before, rules: str) -> None:
    player.open(won(player.visitor, before, rules)[0])
    expect(player.page.locator(".notice.won .verdict.fewest")).to_contain_text("Your fewest by these rules.")
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
