"""The first lesson: every right press leads on, every other one is answered kindly, and nothing is kept."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.rules.moves import DRAW, Discard, action_text
from app.rules.ruleset import DEFAULT
from app.rules.state import Outcome, legal_moves, outcome
from app.web.learn import LESSONS, STEPS, position
from tests.databases import rows
from tests.web.browser import codes
from tests.web.reading import Element, read_html

pytestmark = pytest.mark.shown


def learned(client: TestClient, path: str) -> Element:
    """The page of a step, redirects followed."""
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200
    return read_html(answer.text)


def step(page: Element) -> str:
    return page.one("nav", **{"aria-label": "The lesson"}).one("small").text


def told(page: Element) -> str:
    return page.one("p", **{"class": "pitch told"}).text


def pressed(client: TestClient, page: Element, name: str, code: str) -> Element:
    """The page after a button of the lesson's form."""
    button = page.one("button", name=name, value=code)
    form = button.within("form")
    assert form is not None
    assert form.attributes.get("method", "get") == "get"
    fields = {hidden["name"]: hidden["value"] for hidden in form.all("input", type="hidden")}
    answer = client.get(form["action"], params={**fields, name: code}, follow_redirects=True)
    return read_html(answer.text)


@pytest.mark.parametrize("at", range(1, STEPS))
def test_each_step_asks_for_the_only_thing_that_can_go_or_for_the_stock_where_nothing_can(at: int) -> None:
    discards = [move for move in legal_moves(position(at)) if isinstance(move, Discard)]
    wanted = LESSONS[at - 1].move
    assert discards == ([] if wanted == DRAW else [wanted])


def test_the_lesson_ends_with_a_win() -> None:
    assert outcome(position(STEPS)) is Outcome.WON


def test_pressing_what_is_asked_for_leads_to_the_end(client: TestClient) -> None:
    page = learned(client, "/learn")
    for at, lesson in enumerate(LESSONS, 1):
        assert step(page) == f"Step {at} of {STEPS}"
        if lesson.move == DRAW:
            page = pressed(client, page, "action", "draw")
            continue
        for code in reversed(action_text(lesson.move).split("+")):
            page = pressed(client, page, "card", code)
    assert step(page) == f"Step {STEPS} of {STEPS}"
    assert "you have won" in told(page)
    assert codes(page) == []
    assert page.one("a", **{"class": "key main"})["href"] == f"/new?rules={DEFAULT.slug}"


def test_the_first_card_of_a_pair_is_chosen_and_put_back(client: TestClient) -> None:
    page = pressed(client, learned(client, "/learn?step=2"), "card", "9c")
    assert page.one("button", value="9c")["aria-pressed"] == "true"
    assert told(page).endswith("Good. Now press the 4 of hearts.")
    page = pressed(client, page, "card", "9c")
    assert told(page) == "You put it back. Press the 9, then the 4."
    assert not page.all("button", **{"aria-pressed": "true"})


@pytest.mark.parametrize("at", range(1, STEPS))
def test_every_other_press_stays_and_says_what_to_do(client: TestClient, at: int) -> None:
    page, lesson = learned(client, f"/learn?step={at}"), LESSONS[at - 1]
    right = lesson.move.cards if isinstance(lesson.move, Discard) else ()
    names = {text for card in right for text in [action_text(Discard((card,)))]}
    buttons = [button for button in page.one("form").all("button") if button["value"] not in names]
    others = [button for button in buttons if not (lesson.move == DRAW and button["name"] == "action")]
    assert others
    for button in others:
        after = pressed(client, page, button["name"], button["value"])
        assert step(after) == step(page)
        assert told(after).endswith(lesson.press)
        assert told(after) != told(page)


def test_a_wrong_partner_is_explained(client: TestClient) -> None:
    page = pressed(client, learned(client, "/learn?step=2&card=9c"), "card", "Ac")
    assert told(page) == "Ace of clubs and 9 of clubs do not add to 13. Press the 9, then the 4."


def test_every_step_can_be_skipped(client: TestClient) -> None:
    page = learned(client, "/learn")
    for at in range(2, STEPS + 1):
        page = learned(client, page.one("a", rel="next")["href"])
        assert step(page) == f"Step {at} of {STEPS}"
    for at in range(STEPS - 1, 0, -1):
        page = learned(client, page.one("a", rel="prev")["href"])
        assert step(page) == f"Step {at} of {STEPS}"


@pytest.mark.parametrize(
    "query", ["step=0", "step=7", "step=", "step=01", "step=x", "step=-1", "step=٢", "step=" + "9" * 3000]
)
def test_a_step_that_does_not_exist_is_not_found(client: TestClient, query: str) -> None:
    assert client.get(f"/learn?{query}").status_code == 404


@pytest.mark.parametrize("query", ["card=x", "card=" + "K" * 3000, "chosen=1&card=Kd", "card=%00"])
def test_what_is_no_card_is_unreadable(client: TestClient, query: str) -> None:
    assert client.get(f"/learn?{query}").status_code == 422


@pytest.mark.parametrize(
    "query", ["card=2s", "chosen=2s&card=3s", "action=x", "action=undo&card=Kc", "chosen=Qh&card=9c"]
)
def test_cards_that_do_not_lie_there_lead_nowhere(client: TestClient, query: str) -> None:
    assert step(learned(client, f"/learn?{query}")) == f"Step 1 of {STEPS}"


def test_nothing_is_kept_of_the_lesson(client: TestClient, tmp_path: Path) -> None:
    for path in ("/learn", "/learn?card=Kd", "/learn?step=3&action=draw", "/learn?step=6"):
        answer = client.get(path)
        assert answer.status_code in {200, 303}
        assert "set-cookie" not in answer.headers
    assert rows(tmp_path, "SELECT count(*) FROM players") == [(0,)]
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(0,)]


def test_a_newcomer_is_led_to_the_lesson_and_a_player_is_not(client: TestClient) -> None:
    assert learned(client, "/").one("a", href="/learn").text == "Learn it in a minute"
    assert learned(client, "/rules").one("a", href="/learn").text == "Learn it in a minute"
    assert client.post("/api/v1/games", json={"rules": "endless"}).status_code == 201
    assert learned(client, "/").all("a", href="/learn") == []
    assert learned(client, "/rules").all("a", href="/learn")
