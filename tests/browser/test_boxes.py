"""Where things stand: the whole table on one screen, every rank and suit in sight, every target large enough."""

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.player import Player, Visitor
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

SCREENS = [(360, 640), (640, 360), (768, 1024), (1280, 720)]
SCHEMES = ["light", "dark"]
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
    const texts = visible("header a, header button, h1, .score span, .piles small, .notice, .controls > *")
        .filter((one) => getComputedStyle(one).clipPath === "none");
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
        texts: texts.map((one) => [one.textContent.trim().slice(0, 30), box(one.getBoundingClientRect())]),
    };
}"""

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
        if card["open"] and card["box"][2] - card["box"][0] < 44:
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
    wrong += [f"small: {name} {box}" for name, box in targets if min(box[2] - box[0], box[3] - box[1]) < 24]
    return wrong


def all_faults(player: Player) -> list[str]:
    """What stands wrong on any of the screens, in light and in dark."""
    wrong = []
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            player.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            wrong += [f"{width}x{height} {scheme}: {fault}" for fault in faults(player, width, height)]
    return wrong


def moved(visitor: Visitor, rules: str, actions: int) -> str:
    """The address of a game of a golden win after some actions."""
    win = WINS[rules]
    return f"/g/{visitor.begun(rules, win.deal, *win.actions[:actions])['id']}"


@pytest.mark.parametrize("rules", ["endless", "open", "three-piles"])
def test_a_whole_table_stands_on_one_screen_at_its_opening(player: Player, rules: str) -> None:
    player.open(f"/d/{rules}/{WINS[rules].deal}")
    assert len(player.cards()) == (29 if rules == "open" else 28)
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", ["endless", "open", "three-piles"])
def test_a_whole_table_stands_on_one_screen_in_the_middle_of_a_game(player: Player, rules: str) -> None:
    player.open(moved(player.visitor, rules, 16))
    assert all_faults(player) == []


def test_a_chosen_card_hides_nothing(player: Player) -> None:
    player.open(f"/d/endless/{WINS['endless'].deal}")
    player.card("5h").click()
    player.page.mouse.move(0, 0)
    player.page.wait_for_timeout(150)
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", ["endless", "open", "three-piles"])
def test_the_way_back_to_a_game_has_room_on_a_deals_page(player: Player, rules: str) -> None:
    moved(player.visitor, rules, 3)
    player.open(f"/d/{rules}/{WINS[rules].deal}")
    assert player.page.locator(".others").is_visible()
    assert all_faults(player) == []


def test_a_stuck_table_stands_on_one_screen_with_its_word(player: Player) -> None:
    player.open(f"/g/{player.visitor.begun('classic', 'stuck-6', *['draw'] * 24)['id']}")
    assert player.page.locator(".notice.stuck").is_visible()
    assert all_faults(player) == []


@pytest.mark.parametrize("rules", ["endless", "open", "three-piles"])
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
    assert all_faults(player) == []


def test_the_menu_opens_in_sight(player: Player) -> None:
    player.open(moved(player.visitor, "endless", 3))
    player.page.locator(".menu summary").click()
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        box = player.page.locator(".menu > div").bounding_box()
        assert box is not None
        corners = [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]
        assert inside(corners, width, height), (width, height, corners)


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
