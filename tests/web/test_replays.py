import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.play.advice import lookback
from app.rules.deal import read_deal
from app.rules.game import begin, play
from app.rules.moves import action_text, read_action, read_move
from app.rules.ruleset import NAMED
from app.rules.state import State, apply, legal_moves, start
from app.solver.solve import Lost, Won, solve
from app.web.deeds import move_name
from tests import databases
from tests.conftest import Clock, beside, make_app, new_client
from tests.playthroughs import wins
from tests.web.api import Api, JsonObject
from tests.web.browser import HTMX, OWN_FORM, Browser, codes, post_form
from tests.web.reading import Element, read_html

PLAYED = ("draw", "Kc", "undo", "redo", "6c+7d", "draw")
WRONG_AT = ["-1", "x", "1e1", "7", "999999999999", "", "01", " 1", "1.0", "٣"]
(CLASSIC,) = [win for win in wins() if win.rules == "classic"]


@pytest.fixture
def browser(client: TestClient) -> Browser:
    return Browser(client)


@pytest.fixture
def game(api: Api) -> JsonObject:
    """A game with an undo and a redo in it, given up."""
    game = api.act(api.create(rules="endless", seed="a"), *PLAYED)
    return api.leave(game["id"])


@pytest.fixture
def shared(client: TestClient, game: JsonObject) -> str:
    """The address of the link to that game."""
    return share(client, game)


def share(client: TestClient, game: JsonObject) -> str:
    path = f"/g/{game['id']}"
    answer = post_form(client, f"{path}/share", at="2")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}/replay?at=2#share")
    return read_html(client.get(f"{path}/replay").text).one("a", id="link")["href"]


def losing_game(api: Api) -> tuple[JsonObject, list[str], State]:
    """A game given up after a move that lost it for good, its actions, and the position before that move."""
    state, actions = start(NAMED["open"], read_deal("2").deck), list[str]()
    while True:
        found = [move for move in legal_moves(state) if isinstance(solve(apply(state, move), fewest=False), Lost)]
        if found:
            actions.append(action_text(found[0]))
            game = api.act(api.create(rules="open", seed="2"), *actions)
            return api.leave(game["id"]), actions, state
        answer = solve(state, fewest=False)
        assert isinstance(answer, Won)
        actions.append(action_text(answer.line[0]))
        state = apply(state, answer.line[0])


def at(page: Element) -> tuple[str, str]:
    shown = page.one("div", id="position")
    return shown["data-at"], shown["data-of"]


def test_each_position_is_shown_as_the_game_stood(browser: Browser, game: JsonObject) -> None:
    first = start(NAMED["endless"], read_deal("a").deck)
    for number in range(len(PLAYED) + 1):
        page = browser.open(f"/g/{game['id']}/replay?at={number}")
        assert browser.status == 200
        state = play(begin(first), map(read_action, PLAYED[:number])).state
        assert at(page) == (str(number), "6")
        shown = [read_action(code).cards[0] for code in codes(page)]
        assert shown == [card for card in state.pyramid if card is not None] + [
            pile[-1] for pile in state.waste if pile
        ]
        assert page.one("p", **{"class": "score"}).text == f"Move {number} of 6"


def test_what_each_action_did_is_said(client: TestClient, game: JsonObject) -> None:
    texts = [
        read_html(client.get(f"/g/{game['id']}/replay?at={number}").text).one("p", id="said").text
        for number in range(5)
    ]
    assert texts[0] == "The start."
    assert texts[1].startswith("Turned ")
    assert texts[2].startswith("King of clubs removed.")
    assert texts[3] == "Undone: the king of clubs."
    assert texts[4].startswith("Done again. King of clubs removed.")


def test_links_lead_to_the_start_the_end_and_the_neighbours(browser: Browser, game: JsonObject) -> None:
    page = browser.open(f"/g/{game['id']}/replay")
    assert at(page) == ("0", "6")
    for name, expected in (("next", "1"), ("next", "2"), ("back", "1"), ("last", "6"), ("first", "0")):
        page = browser.open(browser.page.one("a", id=name)["href"])
        assert at(page)[0] == expected
    assert "href" not in page.one("a", id="first").attributes
    assert "href" not in page.one("a", id="back").attributes


def test_the_slider_is_a_form_of_its_own(client: TestClient, game: JsonObject) -> None:
    page = read_html(client.get(f"/g/{game['id']}/replay?at=3").text)
    slider = page.one("input", id="at")
    assert (slider["name"], slider["type"], slider["min"], slider["max"], slider["value"]) == (
        "at", "range", "0", "6", "3",
    )  # fmt: skip
    form = slider.within("form")
    assert form is not None
    assert form["action"] == f"/g/{game['id']}/replay"
    assert form.attributes.get("method", "get") == "get"
    assert page.one("button", id="go").within("form") is form


def test_the_fragment_is_the_part_of_the_page_that_changes(client: TestClient, game: JsonObject) -> None:
    page = client.get(f"/g/{game['id']}/replay?at=4").text
    fragment = client.get(f"/g/{game['id']}/replay/at?at=4").text
    assert fragment.strip() in page
    assert at(read_html(fragment)) == ("4", "6")
    # Whatever headers it carries, a page is a page.
    assert "<!doctype html>" in client.get(f"/g/{game['id']}/replay?at=4", headers=HTMX).text


@pytest.mark.parametrize("wrong", WRONG_AT)
def test_a_wrong_position_is_unreadable(client: TestClient, game: JsonObject, shared: str, wrong: str) -> None:
    for path in (f"/g/{game['id']}/replay", shared):
        for address in (path, f"{path}/at"):
            assert client.get(address, params={"at": wrong}).status_code == 422, address
    for place in (f"/g/{game['id']}", shared):
        assert client.get(f"{place}/lookback", params={"at": wrong}).status_code == 422
        assert post_form(client, f"{place}/on", at=wrong).status_code == 422
    assert client.get(f"/g/{game['id']}/replay/at").status_code == 422


def test_a_running_game_is_replayed_up_to_where_it_is(api: Api, client: TestClient) -> None:
    game = api.act(api.create(rules="endless", seed="a"), "draw", "Kc")
    page = read_html(client.get(f"/g/{game['id']}/replay?at=2").text)
    assert at(page) == ("2", "2")
    assert page.all("div", id="lookback") == []
    assert page.all("div", id="share") == []
    assert client.get(f"/g/{game['id']}/replay?at=3").status_code == 422
    assert client.get(f"/g/{game['id']}/lookback").status_code == 404
    assert client.get(f"/api/v1/games/{game['id']}/lookback").status_code == 404
    assert post_form(client, f"/g/{game['id']}/share", at="0").status_code == 404
    # As it goes on, so does its replay.
    api.act(game, "undo")
    assert at(read_html(client.get(f"/g/{game['id']}/replay?at=3").text)) == ("3", "3")


def test_a_game_without_an_action_has_no_replay(api: Api, client: TestClient) -> None:
    path = f"/g/{api.create(rules='endless', seed='a')['id']}"
    assert client.get(f"{path}/replay").status_code == 404
    assert post_form(client, f"{path}/on", at="0").status_code == 404


# ---- Somebody else ----


@pytest.fixture(params=["no cookie", "another player", "a forged cookie"])
def stranger(request: pytest.FixtureRequest, other: TestClient) -> TestClient:
    if request.param == "another player":
        other.post("/api/v1/games", json={"seed": "b"})
        assert other.cookies
    if request.param == "a forged cookie":
        other.cookies.set("pyramid_player", "x" * 43)
    return other


def test_somebody_elses_game_is_not_there(stranger: TestClient, game: JsonObject, client: TestClient) -> None:
    for game_id in (game["id"], "nothing", "%00", "x" * 300):
        for address in ("replay", "replay?at=1", "replay?looked=1", "replay/at?at=1", "lookback"):
            answer = stranger.get(f"/g/{game_id}/{address}")
            assert answer.status_code == 404
            assert "set-cookie" not in answer.headers
        for address in ("share", "unshare", "on"):
            assert post_form(stranger, f"/g/{game_id}/{address}", at="1").status_code == 404
        assert stranger.get(f"/api/v1/games/{game_id}/lookback").status_code == 404
    assert read_html(client.get(f"/g/{game['id']}/replay").text).all("a", id="link") == []


def test_whoever_has_the_link_sees_the_replay_and_nothing_of_its_player(
    stranger: TestClient, game: JsonObject, shared: str
) -> None:
    assert re.fullmatch(r"/r/[A-Za-z0-9_-]{43}", shared)
    answer = stranger.get(f"{shared}?at=2")
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert game["id"] not in answer.text
    page = read_html(answer.text)
    assert at(page) == ("2", "6")
    assert page.all("div", id="share") == []
    assert stranger.get(f"{shared}/at?at=3").status_code == 200
    looked = stranger.get(f"{shared}?looked=1")
    assert game["id"] not in looked.text
    assert len(read_html(looked.text).one("ol", **{"class": "strip"}).children) == 7
    assert stranger.get(f"{shared}/lookback").status_code == 200


def test_a_link_is_made_once_and_withdrawn_for_good(
    client: TestClient, other: TestClient, game: JsonObject, shared: str
) -> None:
    assert share(client, game) == shared
    answer = post_form(client, f"/g/{game['id']}/unshare", at="3")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/g/{game['id']}/replay?at=3#share")
    for visitor in (client, other):
        for address in ("", "?at=1", "/at?at=1", "/lookback"):
            assert visitor.get(f"{shared}{address}").status_code == 404
        assert post_form(visitor, f"{shared}/on", at="1").status_code == 404
    assert share(client, game) != shared


def test_the_forms_that_share_stand_on_the_page(browser: Browser, game: JsonObject) -> None:
    browser.open(f"/g/{game['id']}/replay?at=2")
    page = browser.press(browser.page.one("div", id="share").one("button"))
    assert browser.status == 200
    # The fragment of an address is not sent to a server.
    assert at(page) == ("2", "6")
    link = page.one("a", id="link")["href"]
    withdraw = page.one("div", id="share").all("button")[-1]
    assert withdraw.text == "Withdraw the link"
    page = browser.press(withdraw)
    assert page.all("a", id="link") == []
    assert browser.client.get(link).status_code == 404


@pytest.mark.parametrize("action", ["share", "unshare", "on"])
def test_another_site_shares_nothing(client: TestClient, game: JsonObject, action: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert post_form(client, f"/g/{game['id']}/{action}", headers, at="1").status_code == 403


@pytest.mark.parametrize("fields", [{"at": "-1"}, {"at": ""}, {"at": "x"}])
@pytest.mark.parametrize("action", ["share", "unshare"])
def test_a_wrong_place_to_come_back_to_changes_nothing(
    client: TestClient, game: JsonObject, shared: str, action: str, fields: dict[str, str]
) -> None:
    assert post_form(client, f"/g/{game['id']}/{action}", **fields).status_code == 422
    assert client.get(shared).status_code == 200


def test_a_shared_replay_hides_what_no_position_shows(tmp_path: Path) -> None:
    """Two decks that differ in cards never turned make the same replay, word for word."""
    pages = []
    for number, turned in enumerate((False, True)):
        words = CLASSIC.deal.split()
        deck = words[:-8] + (words[-8:][::-1] if turned else words[-8:])
        (tmp_path / str(number)).mkdir()
        with new_client(make_app(tmp_path / str(number), Clock())) as client:
            api = Api(client)
            game = api.act(api.create(rules="classic", deck=" ".join(deck)), "draw", "draw", "undo", "draw")
            path = share(client, api.leave(game["id"]))
            stranger = new_client(client.app)
            stranger.portal = client.portal
            pages.append([stranger.get(f"{path}?at={at}").text for at in range(5)])
    assert pages[0] == pages[1]
    assert not any(f'value="{card}"' in page for page in pages[0] for card in CLASSIC.deal.split()[-20:])


# ---- Looking back ----


def test_the_look_back_marks_each_position_in_words_and_signs(api: Api, client: TestClient) -> None:
    game, actions, _before = losing_game(api)
    page = read_html(client.get(f"/g/{game['id']}/replay?looked=1&at=1").text)
    marks = page.one("ol", **{"class": "strip"}).all("a")
    state = start(NAMED["open"], read_deal("2").deck)
    assert len(marks) == len(actions) + 1
    for number, mark in enumerate(marks):
        if number:
            state = apply(state, read_move(actions[number - 1]))
        answer = solve(state)
        expected = "lost, by this move" if isinstance(answer, Lost) else f"can be won, in {len(answer.line)} moves"
        assert expected in mark["aria-label"]
        assert mark.text == ("×" if isinstance(answer, Lost) else str(len(answer.line)))
        assert mark["href"] == f"/g/{game['id']}/replay" + (f"?at={number}" if number else "")
        assert ("aria-current" in mark.attributes) == (number == 1)
    assert "hx-get" not in page.one("div", id="lookback").attributes


def test_the_move_that_lost_is_named_with_one_that_would_not_have(api: Api, client: TestClient) -> None:
    game, actions, before = losing_game(api)
    answer = client.get(f"/api/v1/games/{game['id']}/lookback").json()
    (slip,) = answer["slips"]
    assert answer["done"]
    assert (slip["number"], slip["action"], slip["decisive"]) == (len(actions), actions[-1], True)
    assert isinstance(solve(apply(before, read_move(slip["instead"])), fewest=False), Won)
    assert [one["verdict"] for one in answer["positions"]] == ["winnable"] * len(actions) + ["lost"]
    page = read_html(client.get(f"/g/{game['id']}/replay?looked=1").text)
    lost, instead = (move_name(read_move(slip[which])) for which in ("action", "instead"))
    link = page.one("li", **{"class": "decisive"}).one("a")
    assert link.text == f"Move {len(actions)}, {lost}, lost the game; {instead} would have kept it."
    assert link["href"] == f"/g/{game['id']}/replay?at={len(actions) - 1}"


def test_the_page_asks_for_the_look_back_until_it_is_done(api: Api, client: TestClient) -> None:
    random, first = Random(4), begin(start(NAMED["endless"], read_deal("look-18").deck))
    while first.actions < 60:
        first = first.act(random.choice(legal_moves(first.state)))
    game = api.act(api.create(rules="endless", seed="look-18"), *map(action_text, first.line))
    api.leave(game["id"])
    page = read_html(client.get(f"/g/{game['id']}/replay?at=5").text)
    part = page.one("div", id="lookback")
    assert part["hx-get"] == f"/g/{game['id']}/lookback?at=5"
    assert part.one("noscript").one("a")["href"] == f"/g/{game['id']}/replay?at=5&looked=1"
    for _ in range(200):
        part = read_html(client.get(part["hx-get"]).text).one("div", id="lookback")
        assert len(part.one("ol", **{"class": "strip"}).children) == 61
        if "hx-get" not in part.attributes:
            break
        assert part["hx-trigger"] == "load delay:300ms"
        told = part.one("p", **{"class": "progress"}).text
        assert re.fullmatch(r"Looking back: \d+ of 61 positions.*", told), told
    else:
        pytest.fail("the look back never ended")
    assert part.all("p", **{"class": "progress"}) == []
    assert part.all("a", **{"aria-current": "true"})[0]["data-go"] == "5"


def test_a_won_game_is_told_with_the_fewest_moves(api: Api, client: TestClient) -> None:
    game = api.act(api.create(rules="classic", deck=CLASSIC.deal), *CLASSIC.actions)
    page = read_html(client.get(f"/g/{game['id']}/replay?looked=1&at={len(CLASSIC.actions)}").text)
    assert page.one("p", **{"class": "summary"}).text.startswith(f"Won in {len(CLASSIC.actions)} moves.")
    last = page.one("ol", **{"class": "strip"}).all("a")[-1]
    assert (last.text, last["class"]) == ("0", "mark won")
    assert page.one("div", **{"class": "notice won"}).text.startswith(f"Won, after {len(CLASSIC.actions)} moves.")


def test_while_too_many_look_back_the_page_says_so_and_asks_again(
    client: TestClient, game: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookback, "AT_ONCE", 0)
    path = f"/g/{game['id']}"
    part = read_html(client.get(f"{path}/lookback").text).one("div", id="lookback")
    assert part["hx-trigger"] == "load delay:300ms"
    assert "hands full" in part.text
    page = client.get(f"{path}/replay?looked=1")
    assert page.status_code == 200
    assert "hands full" in page.text
    assert client.get(f"/api/v1{path.replace('/g/', '/games/')}/lookback").status_code == 429


def test_a_game_too_long_to_be_looked_back_on_is_replayed_all_the_same(
    client: TestClient, game: JsonObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookback, "LONGEST", 5)
    page = read_html(client.get(f"/g/{game['id']}/replay?at=6&looked=1").text)
    assert at(page) == ("6", "6")
    assert "too many moves" in page.one("section").text
    assert client.get(f"/g/{game['id']}/lookback").status_code == 404


def test_who_was_told_better_moves_or_shown_a_win_has_seen_a_solution(
    api: Api, client: TestClient, other: TestClient, tmp_path: Path
) -> None:
    def seen() -> list[tuple[str, str]]:
        return databases.rows(tmp_path, "SELECT rules, deal FROM solutions")

    game, _actions, _before = losing_game(api)
    client.get(f"/g/{game['id']}/replay")
    assert seen() == []
    client.get(f"/g/{game['id']}/replay?looked=1")
    assert seen() == [("open", "2")]
    won = api.act(api.create(rules="classic", deck=CLASSIC.deal), *CLASSIC.actions)
    path = share(client, won)
    other.get(path)
    assert len(seen()) == 1
    other.post("/api/v1/games", json={"seed": "b"})
    other.get(path)
    assert seen()[1][0] == "classic"


# ---- Playing on ----


def test_one_plays_on_from_any_position_of_his_own_game(browser: Browser, api: Api, game: JsonObject) -> None:
    browser.open(f"/g/{game['id']}/replay?at=5")
    page = browser.press(browser.page.one("button", form="on"))
    assert browser.status == 200
    assert browser.path != f"/g/{game['id']}"
    new = api.show(browser.path.removeprefix("/g/"))
    assert (new["version"], new["moves"], new["can_undo"]) == (0, 0, False)
    assert page.all("button", name="card", value="6c") == []
    first = play(begin(start(NAMED["endless"], read_deal("a").deck)), map(read_action, PLAYED[:5]))
    assert new["stock"]["count"] == len(first.state.stock)
    # The game that it came from stays as it was.
    assert api.show(game["id"]) == game
    # And the new one can be played, given up and replayed itself.
    api.leave(api.act(new, "draw")["id"])
    assert at(browser.open(f"{browser.path}/replay?at=1")) == ("1", "1")


def test_one_without_a_cookie_plays_on_from_a_shared_game_and_gets_one(
    other: TestClient, client: TestClient, shared: str, app: FastAPI
) -> None:
    answer = post_form(other, f"{shared}/on", at="4")
    assert answer.status_code == 303
    assert "set-cookie" in answer.headers
    assert other.get(answer.headers["location"]).status_code == 200
    assert client.get(answer.headers["location"]).status_code == 404
    assert beside(client, app).get(answer.headers["location"]).status_code == 404


def test_one_does_not_play_on_from_a_won_position(api: Api, client: TestClient) -> None:
    game = api.act(api.create(rules="classic", deck=CLASSIC.deal), *CLASSIC.actions)
    of = len(CLASSIC.actions)
    assert post_form(client, f"/g/{game['id']}/on", at=str(of)).status_code == 422
    assert read_html(client.get(f"/g/{game['id']}/replay?at={of}").text).all("button", form="on") == []
    assert post_form(client, f"/g/{game['id']}/on", at=str(of - 1)).status_code == 303


def test_a_missing_position_to_play_on_from_is_unreadable(client: TestClient, game: JsonObject) -> None:
    assert client.post(f"/g/{game['id']}/on", data={}, headers=OWN_FORM).status_code in {415, 422}
    assert post_form(client, f"/g/{game['id']}/on", no="1").status_code == 422


@pytest.fixture(autouse=True)
def _no_warnings(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing breaks on the way, in the background either."""
    yield
    assert [record for record in caplog.records if record.name == "pyramid"] == []
