"""On paper, and in colours that the system forces on the page."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

WINS = {win.rules: win for win in wins()}
WHITE = {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}

LOOK = """(card) => {
    const of = (part) => getComputedStyle(card, part);
    const own = of();
    return [own.backgroundColor, own.color, own.borderColor, own.outlineStyle, own.outlineColor].join(" ");
}"""
MASK = "(card) => getComputedStyle(card, '::before').clipPath"
INKS = """(card) => [getComputedStyle(card).color, getComputedStyle(card, "::before").backgroundColor,
    getComputedStyle(card, "::after").backgroundColor]"""
GREY = """() => {
    document.body.style.outlineColor = "GrayText";
    return getComputedStyle(document.body).outlineColor;
}"""
MARK = """(one) => [getComputedStyle(one, "::before").backgroundColor, getComputedStyle(one).backgroundColor]"""


def begun(player: Player, rules: str, actions: int) -> None:
    """The table of a golden win after some actions."""
    win = WINS[rules]
    player.open(f"/g/{player.visitor.begun(rules, win.deal, *win.actions[:actions])['id']}")


# On paper.


@pytest.mark.parametrize(("rules", "actions"), [("open", 3), ("three-piles", 14)])
def test_a_table_is_printed_on_one_page(player: Player, rules: str, actions: int) -> None:
    begun(player, rules, actions)
    for paper, landscape in product(("A4", "Letter"), (False, True)):
        printed = player.page.pdf(format=paper, landscape=landscape)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, (paper, landscape)


def test_a_printed_table_names_its_deal_and_shows_every_pile_and_no_key(visit: Visit) -> None:
    player = visit(color_scheme="dark").player()
    begun(player, "open", 9)
    cards, counts, _ = player.shown()
    player.page.emulate_media(media="print", color_scheme="dark")
    for words in ("Open stock", "deal win-2"):
        expect(player.page.locator("h1")).to_contain_text(words)
    for card in cards:
        expect(player.card(card)).to_be_visible()
    expect(player.page.locator(".piles small")).to_have_text(counts)
    for name in ("#draw", "#undo", "#hint", ".menu", "header nav"):
        expect(player.page.locator(name)).to_be_hidden()
    card = player.card(cards[0])
    assert card.evaluate("(one) => getComputedStyle(one).backgroundColor") in WHITE
    assert card.evaluate("(one) => getComputedStyle(one).color") == "rgb(0, 0, 0)"
    assert card.evaluate("(one) => getComputedStyle(one, '::before').printColorAdjust") == "exact"


def test_a_printed_sheet_is_black_on_white_without_what_is_pressed(visit: Visit) -> None:
    player = visit(color_scheme="dark").player()
    for path in ("/rules", "/daily", "/me", "/settings"):
        player.open(path)
        player.page.emulate_media(media="print", color_scheme="dark")
        expect(player.page.locator("h1")).to_be_visible()
        for locator in (player.page.locator(".rooms"), *player.page.locator(".key").all()):
            expect(locator).to_be_hidden()
        main = player.page.locator("main")
        # Paper needs no ground; what lies below is white.
        assert main.evaluate("(one) => getComputedStyle(one).backgroundColor") in WHITE, path
        assert player.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") in WHITE, path
        assert main.evaluate("(one) => getComputedStyle(one).color") == "rgb(0, 0, 0)", path


# In forced colours.


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_every_state_of_a_card_looks_different(visit: Visit, scheme: str) -> None:
    player = visit(color_scheme=scheme, forced_colors="active").player()
    player.open("/d/endless/win-14")
    player.card("5h").click()
    player.page.mouse.move(0, 0)
    states = {
        "open": player.card("As"),
        "chosen": player.card("5h"),
        "goes": player.card("8d"),
        "covered": player.card("7c"),
    }
    looks = {state: card.evaluate(LOOK) for state, card in states.items()}
    assert len(set(states["chosen"].evaluate(INKS))) == 1
    player.page.keyboard.press("ArrowRight")
    looks["focused"] = player.page.locator("[name=card]:focus").evaluate(LOOK)
    begun(player, "three-piles", 8)
    player.page.locator("#hint").click()
    player.page.locator("#which").click()
    hinted = player.page.locator(".hinted").first
    looks["hinted"] = hinted.evaluate(LOOK)
    # Its frame is around the card, where no mark is.
    assert float(hinted.evaluate("(one) => getComputedStyle(one).outlineOffset").removesuffix("px")) >= 0
    assert len(set(looks.values())) == len(looks), looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_the_suits_are_four_shapes_that_can_be_seen(visit: Visit, scheme: str) -> None:
    player = visit(color_scheme=scheme, forced_colors="active").player()
    player.open("/d/endless/win-14")
    cards = [player.page.locator(f"#table [name=card][value$={suit}]").first for suit in "cdhs"]
    assert len({card.evaluate(MASK) for card in cards}) == 4
    for card in [*cards, player.page.locator("#undo")]:
        ink, ground = card.evaluate(MARK)
        assert ink != ground


def test_in_forced_colours_the_stock_that_a_lesson_asks_for_is_framed(visit: Visit) -> None:
    player = visit(forced_colors="active").player()
    frame = "(one) => getComputedStyle(one).outlineStyle"
    steps = {}
    for step in range(1, 7):
        player.open(f"/learn?step={step}")
        if player.page.locator(".lesson .back").count():
            asked = bool(player.page.locator(".lesson.draws").count())
            steps[asked] = player.page.locator(".lesson .back").evaluate(frame)
    assert steps[True] == "double"


def test_in_forced_colours_a_step_that_leads_nowhere_is_grey(visit: Visit) -> None:
    player = visit(forced_colors="active").player()
    player.open("/s/endless/win-14?at=0")
    style = "(one) => getComputedStyle(one).borderTopColor"
    keys = player.page.locator(".controls .key")
    first, back, *others = [key.evaluate(style) for key in keys.all()]
    grey = player.page.evaluate(GREY)
    assert (first, back) == (grey, grey)
    assert grey not in others
