"""Dragging cards, by mouse and by finger: what is dropped is posted as two clicks would be, else it goes back."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from app.web.deps import PREFERENCES_COOKIE
from tests.browser.conftest import Visit
from tests.browser.player import Player, Slow

pytestmark = pytest.mark.browser

DEAL = "/d/endless/a"
"""Opens with Jd / 9c 5s / Qd Ac 2h / 5c 8c Js Ah / Qh Kh 8d 9s 7s / 4c 5h 3d Ts 6h 2c / 7d 6c Jh Kc 2s Qc 5d."""

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
Point = tuple[float, float]

# Every ghost that starts to fly: its card, whence, whither and for how long.
RECORD = """() => {
    window.flown = [];
    new MutationObserver((records) => records.flatMap((record) => [...record.addedNodes])
        .filter((node) => node.parentElement?.matches(".ghosts") && node.getAnimations().length)
        .forEach((ghost) => {
            const { effect } = ghost.getAnimations()[0];
            const by = new DOMMatrix(effect.getKeyframes().at(-1).transform);
            const [left, top] = [ghost.style.left, ghost.style.top].map(parseFloat);
            window.flown.push({card: ghost.getAttribute("value") ?? "back", from: [left, top],
                to: [left + by.e, top + by.f], time: effect.getTiming().duration,
                wide: effect.getKeyframes().map((frame) => new DOMMatrix(frame.transform).a)});
        })).observe(document.body, {childList: true, subtree: true});
}"""


@pytest.fixture
def player(player: Player) -> Player:
    player.open(DEAL)
    return player


def middle(element: Locator) -> Point:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def corner(element: Locator) -> Point:
    box = element.bounding_box()
    assert box is not None
    return box["x"], box["y"]


class Mouse:
    """Drags by mouse."""

    def __init__(self, player: Player) -> None:
        self._mouse = player.page.mouse

    def down(self, at: Point) -> None:
        self._mouse.move(*at)
        self._mouse.down()

    def move(self, to: Point) -> None:
        self._mouse.move(*to, steps=4)

    def up(self) -> None:
        self._mouse.up()


class Finger:
    """Drags by touch."""

    def __init__(self, player: Player) -> None:
        self._session = player.visitor.context.new_cdp_session(player.page)
        self._at: Point = (0, 0)

    def _send(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, at: Point) -> None:
        self._at = at
        self._send("touchStart", at)

    def move(self, to: Point) -> None:
        for part in (0.25, 0.5, 0.75, 1):
            self._send("touchMove", tuple(a + (b - a) * part for a, b in zip(self._at, to, strict=True)))
        self._at = to

    def up(self) -> None:
        self._send("touchEnd")

    def cancel(self) -> None:
        self._send("touchCancel")

    def second(self, at: Point) -> None:
        """Another finger comes down beside the first."""
        self._send("touchStart", self._at, at)


def drag(hand: Mouse | Finger, *way: Point) -> None:
    hand.down(way[0])
    for _, point in pairwise(way):
        hand.move(point)
    hand.up()


def sent(player: Player) -> list[tuple[str, str]]:
    """What was posted: the chosen card and the pressed one, or the action."""
    posts: list[Any] = [post.post_data_json for post in player.visitor.posts]
    return [(post["chosen"], post.get("card") or post["action"]) for post in posts]


def is_idle(player: Player) -> bool:
    """Whether nothing is in the air, chosen or marked."""
    return player.page.locator(".ghosts > *, .lifted, .over, #table .goes, #table [aria-pressed]").count() == 0


def settled(player: Player) -> None:
    expect(player.page.locator(".ghosts > *")).to_have_count(0)


@pytest.fixture(params=["mouse", "finger", "mirrored"])
def hand(request: pytest.FixtureRequest, visit: Visit) -> tuple[Player, Mouse | Finger]:
    """A player before the deal, with what he drags by."""
    visitor = visit(**(PHONE if request.param == "finger" else {}))
    if request.param == "mirrored":
        visitor.context.add_cookies([{"name": PREFERENCES_COOKIE, "value": "layout=left", "url": visitor.url}])
    player = visitor.player()
    player.open(DEAL)
    assert (player.page.locator("html").get_attribute("data-layout") == "left") == (request.param == "mirrored")
    return player, Finger(player) if request.param == "finger" else Mouse(player)


def test_a_card_dropped_on_its_partner_goes_with_it_in_one_post(hand: tuple[Player, Mouse | Finger]) -> None:
    player, by = hand
    drag(by, middle(player.card("2s")), middle(player.card("Jh")))
    player.reaches(1)
    assert sent(player) == [("2s", "Jh")]
    assert {"2s", "Jh"}.isdisjoint(player.cards())
    player.page.wait_for_timeout(100)
    assert len(player.visitor.posts) == 1
    assert is_idle(player)


def test_a_king_dropped_on_the_foundation_goes_alone(hand: tuple[Player, Mouse | Finger]) -> None:
    player, by = hand
    drag(by, middle(player.card("Kc")), middle(player.page.locator("#gone")))
    player.reaches(1)
    assert sent(player) == [("", "Kc")]
    assert "Kc" not in player.cards()
    assert is_idle(player)


def test_a_card_dropped_beside_goes_back_without_a_word(hand: tuple[Player, Mouse | Finger]) -> None:
    player, by = hand
    before, said = player.shown(), player.live.text_content()
    drag(by, middle(player.card("2s")), middle(player.card("Qc")))
    settled(player)
    assert is_idle(player)
    assert (player.shown(), player.live.text_content()) == (before, said)
    assert not player.visitor.posts
    # And the next tap is a tap.
    player.card("2s").click()
    assert player.every("#table [aria-pressed]", "value") == ["2s"]


def test_the_stock_dragged_onto_the_waste_draws(hand: tuple[Player, Mouse | Finger]) -> None:
    player, by = hand
    drag(by, middle(player.stock), middle(player.page.locator(".waste > :first-child")))
    player.reaches(1)
    assert sent(player) == [("", "draw")]
    assert is_idle(player)


def test_a_king_thrown_aside_goes_and_what_was_chosen_is_posted_as_by_a_click(player: Player) -> None:
    x, y = middle(player.card("Kc"))
    drag(Mouse(player), (x, y), (x + 20, y - 10))
    assert is_idle(player)
    assert not player.visitor.posts
    player.card("6c").click()
    drag(Mouse(player), (x, y), (x, y + 130))
    player.reaches(1)
    assert sent(player) == [("6c", "Kc")]


def test_while_a_card_is_lifted_its_partners_are_marked_and_nothing_moves(player: Player) -> None:
    by = Mouse(player)
    boxes = "() => [...document.querySelectorAll('#table *')].map((one) => [one.offsetLeft, one.offsetTop])"
    before = player.page.evaluate(boxes)
    by.down(middle(player.card("6c")))
    x, y = middle(player.card("6c"))
    by.move((x + 4, y + 4))
    assert is_idle(player)
    by.move((x + 60, y + 60))
    assert player.every("#table .goes", "value") == ["7d"]
    assert player.every("#table .lifted", "value") == ["6c"]
    assert player.every(".ghosts > *", "value") == ["6c"]
    assert player.page.locator(".over").count() == 0
    by.move(middle(player.card("7d")))
    assert player.every("#table .over", "value") == ["7d"]
    assert player.page.evaluate(boxes) == before
    by.move((x, y))
    by.up()
    assert is_idle(player)


def test_a_covered_card_cannot_be_lifted(player: Player) -> None:
    x, y = corner(player.card("4c"))
    by = Mouse(player)
    by.down((x + 8, y + 8))
    by.move((x + 100, y + 100))
    assert player.page.locator(".ghosts > *, .lifted").count() == 0
    by.up()
    assert not player.visitor.posts


def test_a_card_that_lies_on_its_partner_goes_with_it_only_where_it_is_dropped_on_it(visit: Visit) -> None:
    visitor = visit()
    game = visitor.begun("d1rxv", "s5", "Kd")
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    codes = ("3d", "Th")
    cover, under = sorted(codes, key=lambda code: player.card(code).get_attribute("id") or "", reverse=True)
    x, y = middle(player.card(cover))
    # It overlaps its partner where it lies: stirring it is not dropping it there.
    drag(Mouse(player), (x, y), (x, y + 12))
    assert is_idle(player)
    assert not player.visitor.posts
    drag(Mouse(player), (x, y), middle(player.card(under)))
    player.reaches(2)
    assert sent(player) == [(cover, under)]


def test_a_press_that_hardly_moves_is_a_click(player: Player) -> None:
    for code in ("6c", "7d"):
        x, y = middle(player.card(code))
        drag(Mouse(player), (x, y), (x + 4, y - 4))
    player.reaches(1)
    assert sent(player) == [("6c", "7d")]


def test_a_tap_still_chooses(visit: Visit) -> None:
    player = visit(**PHONE).player()
    player.open(DEAL)
    player.card("6c").tap()
    assert player.every("#table [aria-pressed]", "value") == ["6c"]
    player.card("7d").tap()
    player.reaches(1)
    player.card("Kc").tap()
    player.reaches(2)
    assert sent(player) == [("6c", "7d"), ("", "Kc")]


def test_escape_puts_the_lifted_card_back_and_keeps_the_choice_before(player: Player) -> None:
    player.card("6c").click()
    by = Mouse(player)
    by.down(middle(player.card("2s")))
    by.move(middle(player.card("Jh")))
    player.page.keyboard.press("Escape")
    assert player.page.locator(".ghosts > *, .lifted, .over").count() == 0
    assert player.every("#table [aria-pressed]", "value") == ["6c"]
    by.up()
    assert player.every("#table [aria-pressed]", "value") == ["6c"]
    assert not player.visitor.posts


def test_a_cancelled_touch_puts_the_card_back(visit: Visit) -> None:
    player = visit(**PHONE).player()
    player.open(DEAL)
    by = Finger(player)
    by.down(middle(player.card("2s")))
    by.move(middle(player.card("Jh")))
    assert player.every("#table .lifted", "value") == ["2s"]
    by.cancel()
    settled(player)
    assert is_idle(player)
    assert not player.visitor.posts
    drag(by, middle(player.card("2s")), middle(player.card("Jh")))
    player.reaches(1)


def test_a_second_finger_lifts_nothing(visit: Visit) -> None:
    player = visit(**PHONE).player()
    player.open(DEAL)
    by = Finger(player)
    by.down(middle(player.card("2s")))
    by.move(middle(player.card("Jh")))
    by.second(middle(player.card("Kc")))
    assert set(player.every("#table .lifted", "value")) <= {"2s"}
    by.up()
    player.page.wait_for_timeout(50)
    assert "Kc" in player.cards()
    assert set(sent(player)) <= {("2s", "Jh")}


def test_a_finger_on_an_open_card_does_not_scroll_but_may_zoom(visit: Visit) -> None:
    player = visit(**(PHONE | {"viewport": {"width": 360, "height": 420}})).player()
    player.open(DEAL)
    x, y = middle(player.card("Qc"))
    drag(Finger(player), (x, y), (x, y - 150))
    assert player.page.evaluate("scrollY") == 0
    style = "(card) => getComputedStyle(card).touchAction"
    assert player.card("Qc").evaluate(style) == "pinch-zoom"
    assert player.card("Jd").evaluate(style) == "manipulation"
    content = player.page.locator("meta[name=viewport]").get_attribute("content") or ""
    assert "user-scalable" not in content
    assert "maximum-scale" not in content


def test_what_was_dropped_stays_there_until_the_answer_and_what_is_dropped_meanwhile_follows(player: Player) -> None:
    slow = Slow(player)
    drag(Mouse(player), middle(player.card("2s")), middle(player.card("Jh")))
    assert player.every(".ghosts > *", "value") == ["2s"]
    # Meanwhile a second drop counts as a second click would, and waits in its place.
    drag(Mouse(player), middle(player.card("6c")), middle(player.card("7d")))
    assert set(player.every("#table .sent", "value")) == {"2s", "Jh", "6c", "7d"}
    slow.go_on()
    player.reaches(2)
    assert sent(player) == [("2s", "Jh"), ("6c", "7d")]
    assert player.page.locator(".ghosts > *, .lifted, .over").count() == 0
    assert {"2s", "Jh", "6c", "7d"}.isdisjoint(player.cards())


def test_a_card_held_while_an_answer_comes_stays_in_the_hand(player: Player) -> None:
    slow = Slow(player)
    player.stock.click()
    by = Mouse(player)
    by.down(middle(player.card("6c")))
    by.move(middle(player.card("7d")))
    slow.go_on()
    player.reaches(1)
    assert player.every("#table .lifted", "value") == ["6c"]
    by.up()
    player.reaches(2)
    assert sent(player) == [("", "draw"), ("6c", "7d")]


def test_a_drop_that_the_server_does_not_take_goes_back(player: Player) -> None:
    player.visitor.expects("status of 500")
    player.page.route("**/d/**", lambda route: route.fulfill(status=500, content_type="text/html", body="<h1>No</h1>"))
    drag(Mouse(player), middle(player.card("2s")), middle(player.card("Jh")))
    expect(player.page.get_by_role("alert")).to_contain_text("nothing is lost")
    assert player.page.locator(".ghosts > *, .lifted, .over").count() == 0
    player.page.unroute("**/d/**")
    player.page.get_by_role("button", name="Try again").click()
    player.reaches(1)
    assert {"2s", "Jh"}.isdisjoint(player.cards())


def test_a_drop_that_the_server_does_not_take_for_a_pair_goes_back(player: Player) -> None:
    player.table.evaluate("(table) => { table.dataset.pairs += ' 6c+5d'; }")
    with player.page.expect_response("**/d/**"):
        drag(Mouse(player), middle(player.card("6c")), middle(player.card("5d")))
    expect(player.page.locator(".ghosts > *, .lifted, .over")).to_have_count(0)
    assert sent(player) == [("6c", "5d")]
    assert {"6c", "5d"} <= set(player.cards())
    assert player.version == 0


@pytest.mark.parametrize("state", ["left", "disabled"])
def test_nothing_is_lifted_where_nothing_is_played(player: Player, state: str) -> None:
    player.table.evaluate(
        """(table, state) => state === "disabled"
            ? table.querySelectorAll("button").forEach((button) => { button.disabled = true; })
            : table.classList.add(state)""",
        state,
    )
    by = Mouse(player)
    by.down(middle(player.card("2s")))
    by.move(middle(player.card("Jh")))
    assert player.page.locator(".ghosts > *, .lifted").count() == 0
    by.up()
    assert not player.visitor.posts


# ---- Motion ----


@pytest.fixture
def moving(visit: Visit) -> Player:
    """A player who wants to see motion; what flies is recorded."""
    player = visit(reduced_motion="no-preference").player()
    player.open(DEAL)
    player.page.evaluate(RECORD)
    return player


def flown(player: Player) -> list[dict[str, Any]]:
    """What has flown since this was last asked."""
    found: list[dict[str, Any]] = player.page.evaluate("() => window.flown.splice(0)")
    return found


def rests(player: Player) -> None:
    """Wait until nothing moves any more."""
    player.page.wait_for_function("() => document.getAnimations().length === 0")
    settled(player)


def near(one: list[float], other: Point) -> bool:
    # A card under the mouse is raised by a hair, and one in the hand is tilted.
    return all(abs(a - b) < 6 for a, b in zip(one, other, strict=True))


def test_undo_of_a_discard_brings_the_cards_back_from_the_foundation(moving: Player) -> None:
    places = {code: corner(moving.card(code)) for code in ("6c", "7d")}
    gone = corner(moving.page.locator("#gone"))
    moving.act("6c+7d")
    away = flown(moving)
    assert {flight["card"] for flight in away} == {"6c", "7d"}
    assert all(near(flight["to"], gone) for flight in away)
    rests(moving)
    moving.act("undo")
    back = flown(moving)
    assert {flight["card"] for flight in back} == {"6c", "7d"}
    for flight in back:
        assert near(flight["from"], gone)
        assert near(flight["to"], places[flight["card"]])
        assert 150 <= flight["time"] <= 250
    rests(moving)


@pytest.mark.parametrize("how", ["turned", "scrolled"])
def test_a_card_flies_from_where_it_has_come_to_lie_meanwhile(visit: Visit, how: str) -> None:
    size = {"width": 640, "height": 360} if how == "turned" else {"width": 360, "height": 380}
    player = visit(reduced_motion="no-preference", viewport=size).player()
    player.open(DEAL)
    player.page.evaluate(RECORD)
    # The solver's word, which moves the table, is known by the last of these.
    for version, key in enumerate("dur", 1):
        player.page.keyboard.press(key)
        player.reaches(version)
    rests(player)
    before = corner(player.card("6c"))
    if how == "turned":
        player.page.set_viewport_size({"width": 360, "height": 640})
    else:
        player.page.evaluate("() => scrollTo(0, 60)")
    settled(player)
    places = {code: corner(player.card(code)) for code in ("6c", "7d")}
    assert not near(list(before), places["6c"])
    flown(player)
    # Pressed as by a key: a click would scroll the card into sight.
    for code in ("6c", "7d"):
        player.card(code).evaluate("(card) => card.click()")
    player.reaches(4)
    flights = flown(player)
    assert {flight["card"] for flight in flights} == {"6c", "7d"}
    for flight in flights:
        # The chosen one has begun to rise.
        assert all(abs(a - b) < 12 for a, b in zip(flight["from"], places[flight["card"]], strict=True))


def test_a_drawn_card_turns_over_on_its_way_to_the_waste(moving: Player) -> None:
    stock = corner(moving.stock)
    moving.act("draw")
    waste = moving.page.locator("#table .waste [name=card]")
    halves = {flight["card"]: flight for flight in flown(moving)}
    assert set(halves) == {waste.get_attribute("value"), "back"}
    face, back = (halves[half] for half in (waste.get_attribute("value"), "back"))
    # Edge-on half-way: until then the back is seen, and from then on the face.
    assert (back["wide"], face["wide"]) == ([1, 0, 0], [0, 0, 1])
    assert near(back["from"], stock)
    rests(moving)
    assert near(face["to"], corner(waste))


def test_undo_of_a_draw_goes_back_to_the_stock(moving: Player) -> None:
    moving.act("draw", "draw")
    rests(moving)
    flown(moving)
    waste = moving.page.locator("#table .waste [name=card]")
    top, place = waste.get_attribute("value"), corner(waste)
    moving.act("undo")
    halves = {flight["card"]: flight for flight in flown(moving)}
    assert set(halves) == {top, "back"}
    assert near(halves[top]["from"], place)
    assert near(halves["back"]["to"], corner(moving.stock))
    assert (halves[top]["wide"], halves["back"]["wide"]) == ([1, 0, 0], [0, 0, 1])
    assert all(150 <= half["time"] <= 250 for half in halves.values())
    # What was drawn before lay below, and has not moved.
    assert waste.evaluate("(card) => card.getAnimations().length") == 0


def test_a_redeal_sweeps_the_waste_back_to_the_stock(visit: Visit) -> None:
    visitor = visit(reduced_motion="no-preference")
    game = visitor.begun("endless", "a", *["draw"] * 24)
    player = visitor.player()
    player.open(f"/g/{game['id']}")
    player.page.evaluate(RECORD)
    waste = player.page.locator("#table .waste [name=card]")
    top, place = waste.get_attribute("value"), corner(waste)
    player.act("redeal")
    swept = {flight["card"]: flight for flight in flown(player)}
    assert set(swept) == {top, "back"}
    assert near(swept[top]["from"], place)
    rests(player)
    player.act("undo")
    back = {flight["card"]: flight for flight in flown(player)}
    assert set(back) == {top, "back"}
    assert near(back[top]["to"], place)


def test_an_action_does_not_wait_for_the_motion_of_another(moving: Player) -> None:
    moving.page.evaluate("() => document.documentElement.style.setProperty('--move', '30s')")
    moving.act("6c+7d", "undo", "6c+7d", "draw", "undo", "undo", "6c+7d")
    assert moving.version == 7
    assert {"6c", "7d"}.isdisjoint(moving.cards())
    # Each card is in the air once.
    flying = moving.every(".ghosts > [value]", "value")
    assert len(flying) == len(set(flying))


def test_a_dropped_pair_leaves_from_where_it_was_dropped(moving: Player) -> None:
    goal = corner(moving.card("Jh"))
    drag(Mouse(moving), middle(moving.card("2s")), middle(moving.card("Jh")))
    moving.reaches(1)
    away = {flight["card"]: flight for flight in flown(moving)}
    assert set(away) == {"2s", "Jh"}
    assert near(away["2s"]["from"], goal)
    rests(moving)


def test_a_card_dropped_beside_glides_back(moving: Player) -> None:
    place = corner(moving.card("2s"))
    drag(Mouse(moving), middle(moving.card("2s")), middle(moving.card("Qc")))
    (back,) = flown(moving)
    assert back["card"] == "2s"
    assert near(back["to"], place)
    rests(moving)
    assert is_idle(moving)


def test_nothing_flies_where_less_motion_is_wanted(player: Player) -> None:
    player.page.evaluate(RECORD)
    player.act("6c+7d", "undo", "draw", "undo")
    drag(Mouse(player), middle(player.card("2s")), middle(player.card("Qc")))
    drag(Mouse(player), middle(player.card("2s")), middle(player.card("Jh")))
    player.reaches(5)
    assert flown(player) == []
