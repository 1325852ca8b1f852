"""The version contract: applied once, repeated for nothing, stale or illegal without a trace."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

import httpx2
import pytest
from starlette.testclient import TestClient

from app.rules.cards import PACK, card_text
from tests.conftest import Clock
from tests.web.api import COVERED, KING, OTHER_PAIR, PAIR, SEED, Api, game_of
from tests.web.browser import HTMX, OWN_FORM, post_form
from tests.web.reading import fields_of, read_html
from tests.web.server import Server

T = TypeVar("T")
COOKIE = "pyramid_player"


def at_once(calls: list[Callable[[], T]]) -> list[T]:
    """What calls return that begin at the same moment, each in a thread of its own."""
    gate = Barrier(len(calls))

    def wait_and(call: Callable[[], T]) -> T:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(wait_and, calls))


@pytest.mark.parametrize(
    ("before", "action", "again"),
    [
        ([], "draw", "draw"),
        ([], KING, KING),
        ([], PAIR, "7d+6c"),
        (["draw"], "undo", "undo"),
        (["draw", KING, "undo", "undo"], "redo", "redo"),
        (["draw"] * 24, "redeal", "redeal"),
        (["draw", "draw"], "draw", "draw"),
    ],
)
def test_an_exact_repeat_applies_nothing_and_answers_with_the_game(
    api: Api, before: list[str], action: str, again: str
) -> None:
    game = api.act(api.create(seed=SEED), *before)
    after = api.act(game, action)
    for _ in range(3):
        repeat = api.post(game["id"], game["version"], again)
        assert (repeat.status_code, repeat.json()) == (200, after)
    assert api.show(game["id"]) == after


def test_only_the_last_action_can_be_repeated(api: Api) -> None:
    game = api.act(api.create(seed=SEED), "draw", "draw", "draw")
    for version in (0, 1):
        assert api.post(game["id"], version, "draw").status_code == 409
    assert api.post(game["id"], 2, "draw").status_code == 200
    assert api.show(game["id"]) == game


@pytest.mark.parametrize("version", [0, 1, 3, 4, 999_999_999])
@pytest.mark.parametrize("action", [KING, "draw", "undo", COVERED])
def test_another_action_on_another_version_is_stale_whether_legal_or_not(api: Api, version: int, action: str) -> None:
    game = api.act(api.create(seed=SEED), "draw", PAIR)
    answer = api.post(game["id"], version, action)
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:pyramid13:stale"
    assert answer.json()["game"] == game == api.show(game["id"])


def test_the_same_action_at_the_current_version_is_a_new_one(api: Api) -> None:
    game = api.act(api.create(seed=SEED), "draw")
    assert api.act(game, "draw")["version"] == 2


def test_a_refused_action_leaves_the_version_for_the_next(api: Api) -> None:
    game = api.create(seed=SEED)
    assert api.post(game["id"], 0, COVERED).status_code == 422
    assert api.act(game, KING)["version"] == 1


def test_a_repeat_in_a_form_shows_the_table_again_and_does_not_scold(api: Api) -> None:
    game = api.create(seed=SEED)
    fields = {"version": "0", "action": KING}
    first = post_form(api.client, f"/g/{game['id']}", HTMX, **fields)
    second = post_form(api.client, f"/g/{game['id']}", HTMX, **fields)
    assert first.status_code == second.status_code == 200
    assert not read_html(second.text).all("div", **{"class": "notice stale"})
    assert api.show(game["id"])["version"] == 1


def test_a_stale_form_gets_the_current_table_and_a_word(api: Api) -> None:
    game = api.act(api.create(seed=SEED), "draw", KING)
    for headers in (HTMX, OWN_FORM):
        answer = post_form(api.client, f"/g/{game['id']}", headers, version="0", action="draw")
        assert answer.status_code == 409
        page = read_html(answer.text)
        assert page.one(id="table")["data-version"] == "2"
        assert "changed" in page.one("div", id="table").one("div", **{"class": "notice stale"}).text
        assert "changed" in page.one(id="live").text
    assert api.show(game["id"]) == game


def test_time_does_not_pass_for_what_is_repeated(api: Api, clock: Clock) -> None:
    game = api.create(seed=SEED)
    api.act(game, "draw")
    clock.tick(5)
    assert api.post(game["id"], 0, "draw").json()["seconds"] == 5


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_jumps_a_day_spoils_neither_the_game_nor_who_plays_it(api: Api, clock: Clock, days: int) -> None:
    game = api.act(api.create(seed=SEED), "draw")
    clock.tick(5)
    seconds = api.show(game["id"])["seconds"]
    clock.tick(days * 86_400)
    game = api.act(game, KING, "undo")
    assert game["seconds"] >= (seconds if days > 0 else 0)
    assert api.client.get(f"/g/{game['id']}").status_code == 200
    clock.tick(-days * 86_400)
    game = api.act(game, "redo", PAIR)
    assert game["version"] == 5
    assert game["seconds"] >= 0
    assert read_html(api.client.get("/").text).all("a", href=f"/g/{game['id']}")


# The first action on a deal's page.


def first_press(client: httpx2.Client, path: str = "/d/endless/a") -> dict[str, str]:
    """The fields that the draw button of a deal's page sends."""
    page = read_html(client.get(path).text)
    action, fields = fields_of(page.one("button", name="action", value="draw"))
    assert action == path
    return fields


@pytest.mark.parametrize("headers", [HTMX, OWN_FORM], ids=["htmx", "plain"])
@pytest.mark.parametrize("known", [True, False], ids=["known player", "new player"])
def test_the_first_action_clicked_twice_begins_one_game(
    client: TestClient, other: TestClient, headers: dict[str, str], *, known: bool
) -> None:
    if known:
        other.cookies.set(COOKIE, client.post("/api/v1/games", json={}).cookies[COOKIE])
    fields = first_press(other)
    token = other.cookies.get(COOKIE)
    answers = []
    for _ in range(2):
        # Both clicks leave before an answer has brought a cookie.
        other.cookies.clear()
        if token is not None:
            other.cookies.set(COOKIE, token)
        answers.append(post_form(other, "/d/endless/a", headers, **fields))
    places = {answer.headers.get("location") or answer.headers["hx-replace-url"] for answer in answers}
    assert len(places) == 1
    (place,) = places
    assert place.startswith("/g/")
    for answer in answers:
        cookie = answer.cookies.get(COOKIE)
        assert (cookie == token) == known
        other.cookies.clear()
        other.cookies.set(COOKIE, cookie or token or "")
        page = read_html(other.get(place).text)
        assert page.one(id="table")["data-version"] == "1"


def test_a_first_action_retried_with_the_new_cookie_finds_the_same_game(client: TestClient) -> None:
    fields = first_press(client)
    first = post_form(client, "/d/endless/a", **fields)
    second = post_form(client, "/d/endless/a", **fields)
    assert first.headers["location"] == second.headers["location"]
    assert second.cookies[COOKIE] == first.cookies[COOKIE]


def test_another_first_action_under_the_same_key_is_stale(client: TestClient) -> None:
    fields = first_press(client)
    place = post_form(client, "/d/endless/a", **fields).headers["location"]
    answer = post_form(client, "/d/endless/a", HTMX, **{**fields, "action": KING})
    assert answer.status_code == 409
    table = read_html(answer.text).one(id="table")
    assert table["data-version"] == "1"
    assert table.one("form", method="post", action=place)


def test_a_stranger_who_knows_the_key_gets_nothing_once_the_game_has_gone_on(
    client: TestClient, other: TestClient
) -> None:
    fields = first_press(client)
    place = post_form(client, "/d/endless/a", **fields).headers["location"]
    assert post_form(client, place, version="1", action="draw").status_code == 303
    answer = post_form(other, "/d/endless/a", **fields)
    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers


def test_two_pages_of_one_deal_begin_two_games(client: TestClient) -> None:
    places = {post_form(client, "/d/endless/a", **first_press(client)).headers["location"] for _ in range(2)}
    assert len(places) == 2


def test_a_key_begins_its_game_on_no_other_deal(client: TestClient) -> None:
    fields = first_press(client, "/d/endless/a")
    first = post_form(client, "/d/endless/a", **fields).headers["location"]
    answer = post_form(client, "/d/classic/b", HTMX, **fields)
    assert answer.status_code == 200
    second = answer.headers["hx-replace-url"]
    found = {}
    for place in (first, second):
        game = Api(client).show(place.removeprefix("/g/"))
        found[place] = game["rules"], game["seed"], game["version"]
    assert found == {first: ("endless", "a", 1), second: ("classic", "b", 1)}


def test_a_first_action_that_is_illegal_begins_no_game(client: TestClient) -> None:
    fields = first_press(client)
    answer = post_form(client, "/d/endless/a", HTMX, **{**fields, "action": "undo"})
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers
    # The page still has its key: the next action, even clicked twice, begins one game.
    key = read_html(answer.text).one("input", name="begin")["value"]
    assert key == fields["begin"]


@pytest.mark.parametrize("pressed", [{"action": "draw"}, {"card": "Kc"}, {"hint": "1"}], ids=str)
def test_a_first_action_at_another_version_than_none_begins_no_game(
    client: TestClient, pressed: dict[str, str]
) -> None:
    answer = post_form(client, "/d/endless/42", HTMX, version="5", **pressed)
    assert answer.status_code == 409
    page = read_html(answer.text)
    assert "has changed" in page.one("div", **{"class": "notice stale"}).text
    assert client.cookies.get(COOKIE) is None
    (begin,) = {field["value"] for field in page.all("input", name="begin")}
    assert post_form(client, "/d/endless/42", HTMX, version="0", begin=begin, action="draw").status_code == 200


@pytest.mark.parametrize("chosen", ["", "6c"])
def test_a_covered_card_pressed_on_a_deals_page_leaves_it_its_key(client: TestClient, chosen: str) -> None:
    fields = first_press(client)
    pressed = {"version": "0", "begin": fields["begin"], "chosen": chosen, "card": COVERED}
    answer = post_form(client, "/d/endless/a", HTMX, **pressed)
    assert answer.status_code == 422
    assert read_html(answer.text).one("input", name="begin")["value"] == fields["begin"]


def test_a_card_chosen_on_a_deals_page_leaves_it_its_key(client: TestClient) -> None:
    fields = first_press(client)
    pressed = {"version": "0", "begin": fields["begin"], "chosen": "", "card": "6c"}
    answer = post_form(client, "/d/endless/a", HTMX, **pressed)
    assert read_html(answer.text).one("input", name="begin")["value"] == fields["begin"]


# At the same moment, on a real server.


def deck_of_sixteen_pairs() -> str:
    """A deck with all sixes and sevens exposed under an open stock."""
    exposed = ["6c", "6d", "6h", "6s", "7c", "7d", "7h", "7s"]
    rest = [text for card in PACK if (text := card_text(card)) not in exposed]
    return " ".join([*rest[:21], *exposed, *rest[21:]])


def test_of_sixteen_different_actions_at_once_one_is_taken(server: Server) -> None:
    with server.client() as client:
        api = Api(client)
        game = api.act(api.create(rules="open", deck=deck_of_sixteen_pairs()), "draw", "undo")
        actions = game["actions"][:16]
        assert len(set(actions)) == 16
        clients = [server.client(Cookie=f"{COOKIE}={client.cookies[COOKIE]}") for _ in actions]
        calls = [
            partial(Api(one).post, game["id"], game["version"], action)
            for one, action in zip(clients, actions, strict=True)
        ]
        answers = at_once(calls)
        for one in clients:
            one.close()
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 15]
        after = api.show(game["id"])
        assert after["version"] == game["version"] + 1
        (taken,) = [action for action, answer in zip(actions, answers, strict=True) if answer.status_code == 200]
        assert not set(taken.split("+")) & {card for row in after["pyramid"] for card in row}
        assert all({**game_of(answer), "seconds": 0} == {**after, "seconds": 0} for answer in answers)


def test_one_action_sent_twenty_times_at_once_is_taken_once(server: Server) -> None:
    with server.client() as client:
        api = Api(client)
        game = api.create(seed=SEED)
        clients = [server.client(Cookie=f"{COOKIE}={client.cookies[COOKIE]}") for _ in range(20)]
        for version, action in enumerate(("draw", OTHER_PAIR, "undo", "redo")):
            answers = at_once([partial(Api(one).post, game["id"], version, action) for one in clients])
            assert {answer.status_code for answer in answers} == {200}
            after = api.show(game["id"])
            assert after["version"] == version + 1
            assert all({**answer.json(), "seconds": 0} == {**after, "seconds": 0} for answer in answers)
        for one in clients:
            one.close()


@pytest.mark.parametrize("known", [True, False], ids=["known player", "new player"])
def test_a_deals_first_action_sent_eight_times_at_once_begins_one_game(server: Server, *, known: bool) -> None:
    with server.client() as client:
        cookie = {}
        if known:
            Api(client).create()
            cookie = {"Cookie": f"{COOKIE}={client.cookies[COOKIE]}"}
        games_before = server.rows("SELECT count(*) FROM games")[0][0]
        players_before = server.rows("SELECT count(*) FROM players")[0][0]
        fields = first_press(client)
        clients = [server.client(**cookie) for _ in range(8)]
        answers = at_once([partial(post_form, one, "/d/endless/a", **fields) for one in clients])
        for one in clients:
            one.close()
        assert {answer.status_code for answer in answers} == {303}
        (place,) = {answer.headers["location"] for answer in answers}
        assert server.rows("SELECT count(*) FROM games")[0][0] == games_before + 1
        assert server.rows("SELECT count(*) FROM players")[0][0] == players_before + (not known)
        for answer in answers:
            token = answer.cookies.get(COOKIE) or client.cookies[COOKIE]
            with server.client(Cookie=f"{COOKIE}={token}") as one:
                assert one.get(place).status_code == 200
