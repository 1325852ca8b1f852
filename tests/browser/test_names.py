"""What a player hears: names, order and the live region; and where the focus is."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import ARROWS, JsonObject, Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

RANKS = dict(zip("A23456789TJQK", ["ace", *map(str, range(2, 11)), "jack", "queen", "king"], strict=True))
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
WINS = {win.rules: win for win in wins()}
STUCK = "stuck-6"
"""Nothing goes in the pyramid, nor with the last card of the stock: after 24 draws of Classic it is stuck."""


def name(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def pyramid_names(game: JsonObject) -> list[str]:
    """The names that the cards of a pyramid must have, row by row."""
    rows: list[list[str | None]] = [*game["pyramid"], [None] * 8]
    names = []
    for row, cards in enumerate(rows[:7]):
        for place, card in enumerate(cards):
            covers = [name(over) for over in rows[row + 1][place : place + 2] if over]
            covered = f", covered by {' and '.join(covers)}" if covers else ""
            if card:
                names.append(f"{name(card)}, row {row + 1}, card {place + 1}{covered}")
    return names


def heard(player: Player) -> list[str]:
    """The names of the table's buttons, as assistive technology is given them, in its order."""
    return re.findall(r'button "([^"]*)"', player.table.aria_snapshot())


def test_every_card_is_a_button_named_by_its_place_and_what_covers_it(player: Player) -> None:
    player.open("/d/endless/win-14")
    names = heard(player)
    assert names[:28] == pyramid_names(player.visitor.api("/deals/endless/win-14"))
    assert names[28:] == ["Draw. Stock: 24 cards. Redeals without end.", "Undo", "Redo", "Hint"]
    # As an example, in full: the third card's name spelled out.
    assert re.fullmatch(r"\w+ of \w+, row 2, card 2, covered by \w+ of \w+ and \w+ of \w+", names[2])


@pytest.mark.parametrize("rules", ["three-piles", "open"])
def test_names_and_order_hold_as_cards_go(visit: Visit, rules: str) -> None:
    visitor, win = visit(), WINS[rules]
    player = visitor.player()
    game = visitor.begun(rules, win.deal)
    player.open(f"/g/{game['id']}")
    places = player.every("#table button", "id")
    for action in win.actions[:20]:
        player.act(action)
        game = visitor.api(f"/games/{game['id']}")
        expected = pyramid_names(game)
        stock = game["stock"]
        expected += [f"{name(stock['top'])}, stock"] if stock["top"] else []
        names = heard(player)
        assert names[: len(expected)] == expected
        where = [f"waste {number}" for number in (1, 2, 3)] if len(game["waste"]) > 1 else ["waste"]
        assert [f"{name(pile[-1])}, {place}" for pile, place in zip(game["waste"], where, strict=True) if pile] == [
            heard_name for heard_name in names if ", waste" in heard_name
        ]
        # Whatever was there before is there in the same order as before.
        now = player.every("#table button", "id")
        assert [place for place in places if place in now] == [place for place in now if place in places]
        places = now


def test_the_stock_tells_cards_and_redeals(visit: Visit) -> None:
    visitor = visit()
    player = visitor.player()
    for rules, draws, words in [
        ("open", 0, "Draw. Stock: 24 cards. Redeals left: 2."),
        ("open", 23, "Draw. Stock: 1 card. Redeals left: 2."),
        ("open", 24, "Redeal. Stock: 0 cards. Redeals left: 2."),
        ("endless", 24, "Redeal. Stock: 0 cards. Redeals without end."),
        ("classic", 24, "Stock: 0 cards. Redeals left: 0."),
    ]:
        player.open(f"/g/{visitor.begun(rules, 'a', *['draw'] * draws)['id']}")
        expect(player.stock).to_have_accessible_name(words)
    expect(player.stock).to_be_disabled()


@pytest.mark.parametrize(
    ("rules", "left"), [("open", "redeals: 2"), ("endless", "redeals: ∞"), ("classic", "no redeal")]
)
def test_cards_left_and_redeals_left_can_be_seen(player: Player, rules: str, left: str) -> None:
    player.open(f"/d/{rules}/a")
    stock = player.page.locator(".piles .stock").text_content() or ""
    assert "24" in stock
    assert left in stock


def test_one_live_region_tells_what_happened_and_is_never_replaced(player: Player) -> None:
    player.open("/d/endless/a")
    assert player.page.locator("[aria-live], [role=status], [role=log]").count() == 1
    region = player.page.query_selector("#live")
    assert region is not None
    said = []
    for action in ["6c+7d", "Kc", "draw", "undo", "redo"]:
        player.act(action)
        assert region.evaluate("(live) => live === document.querySelector('#live') && live.isConnected"), action
        said.append(region.text_content())
    turned = player.visitor.api(f"/games/{player.path.removeprefix('/g/')}")["waste"][0][-1]
    assert said == [
        "6 of clubs and 7 of diamonds removed. 4 of clubs uncovered.",
        "King of clubs removed.",
        f"Turned {name(turned)}. 23 in the stock.",
        "Undone: a draw.",
        f"Done again. Turned {name(turned)}. 23 in the stock.",
    ]


def test_a_stuck_game_says_so_plainly_and_can_be_undone(visit: Visit) -> None:
    visitor = visit()
    game = visitor.begun("classic", STUCK, *["draw"] * 23)
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    player.act("draw")
    assert visitor.api(f"/games/{game['id']}")["status"] == "stuck"
    expect(player.page.locator(".notice")).to_have_text("No move is left. Undo, or begin another deal.")
    assert player.says("No move is left.")
    player.act("undo")
    expect(player.page.locator(".notice")).to_have_count(0)


def test_focus_goes_to_the_next_open_card_when_its_card_has_gone(player: Player) -> None:
    player.open("/d/endless/a")
    player.card("7d").focus()
    player.page.keyboard.press("Enter")
    player.card("6c").focus()
    player.page.keyboard.press("Enter")
    player.reaches(1)
    focused = player.page.evaluate("() => document.activeElement.value")
    assert focused in player.every("#table [name=card]:not([aria-disabled])", "value")
    assert focused == "Jh"


def test_focus_stays_on_a_menu_that_another_takes_the_place_of(player: Player) -> None:
    player.open("/d/endless/43")
    player.page.locator(".menu summary").focus()
    for version in (1, 2):
        player.page.keyboard.press("d")
        player.reaches(version)
        expect(player.page.locator(".menu summary")).to_be_focused()
        expect(player.page.locator(".menu a")).not_to_have_count(0)
        expect(player.page.locator(".menu summary")).to_be_focused()


@pytest.mark.parametrize("way", ["menu", "card"])
def test_focus_goes_to_what_ends_a_pause_and_back_to_the_table(player: Player, way: str) -> None:
    player.open("/d/endless/a")
    player.act("draw")
    expect(player.page.locator(".menu a")).not_to_have_count(0)
    if way == "menu":
        player.page.locator(".menu summary").focus()
        player.page.keyboard.press("Enter")
        player.page.get_by_role("button", name="Pause").focus()
        player.page.keyboard.press("Enter")
    else:
        player.card("7d").focus()
        player.page.keyboard.press("p")
    expect(player.page.locator("#resume")).to_be_focused()
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#table [name=card]")
    assert player.focused()


def test_focus_stays_on_the_stock_and_on_undo(player: Player) -> None:
    player.open("/d/endless/a")
    player.stock.focus()
    for version in range(1, 4):
        player.page.keyboard.press("Enter")
        player.reaches(version)
        assert player.focused() == "stock"
        assert player.page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth") == "3px"
    player.page.locator("#undo").focus()
    for version in range(4, 7):
        player.page.keyboard.press("Enter")
        player.reaches(version)
        assert player.focused() == "undo"
    # Nothing is left to undo, and the focus is still not lost.
    player.page.keyboard.press("Enter")
    assert player.focused() == "undo"
    assert player.version == 6


@pytest.mark.parametrize("rules", ["three-piles", "open"])
def test_every_open_card_can_be_walked_to_from_every_other(visit: Visit, rules: str) -> None:
    visitor, win = visit(), WINS[rules]
    game = visitor.begun(rules, win.deal, *win.actions[: len(win.actions) // 2])
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    places = player.every("#table [name=card]:not([aria-disabled]), #stock, #draw", "id")
    roads = {place: [leads_to(player, place, arrow) for arrow in ARROWS] for place in places}
    for place in places:
        assert set(places) <= set(reached(roads, place)), place


def leads_to(player: Player, place: str, arrow: str) -> str:
    """What has the focus after an arrow."""
    player.page.locator(f"#{place}").focus()
    player.page.keyboard.press(arrow)
    return player.focused()


def reached(roads: dict[str, list[str]], start: str) -> list[str]:
    """Wherever roads lead from a place, itself included."""
    found = [start]
    for place in found:
        found += {*roads.get(place, [])} - {*found}
    return found


def test_keys_draw_undo_and_redo(player: Player) -> None:
    player.open("/d/endless/a")
    for version, key in enumerate(["d", "D", "u", "r"], start=1):
        player.page.keyboard.press(key)
        player.reaches(version)
    player.page.keyboard.press("n")
    expect(player.page).to_have_url(re.compile(r".*/d/endless/(?!a$).+"))
