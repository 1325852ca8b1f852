"""The JSON API: its shapes, its addresses, and whose game it is."""

import hashlib
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.rules.cards import PACK, card_text
from app.rules.deal import deck_text, read_deal
from app.rules.ruleset import NAMED
from tests.conftest import Clock, beside
from tests.databases import rows
from tests.web.api import COVERED, COVERED_TOO, KING, PAIR, SEED, UNEQUAL, Api, JsonObject, stock_of
from tests.web.browser import headers_of

GAME_FIELDS = {
    "id": str,
    "rules": str,
    "seed": str | None,
    "link": str,
    "version": int,
    "status": str,
    "moves": int,
    "seconds": int,
    "pyramid": list,
    "stock": dict,
    "waste": list,
    "foundation": int,
    "redeals_left": int | None,
    "actions": list,
    "can_undo": bool,
    "can_redo": bool,
    "left": bool,
    "paused": bool,
    "hints": int,
}
DECK = deck_text(read_deal("b").deck)


def assert_problem(answer: httpx2.Response, status: int, kind: str = "") -> JsonObject:
    """The members of an RFC 9457 answer."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: JsonObject = answer.json()
    assert body["status"] == status
    assert all(isinstance(body[name], str) and body[name] for name in ("type", "title", "detail"))
    assert body["type"].startswith("urn:pyramid13:")
    assert not kind or body["type"] == f"urn:pyramid13:{kind}"
    return body


def assert_shape(game: JsonObject) -> None:
    assert list(game) == list(GAME_FIELDS)
    for name, kind in GAME_FIELDS.items():
        assert isinstance(game[name], kind), name
    assert [len(row) for row in game["pyramid"]] == [1, 2, 3, 4, 5, 6, 7]
    assert set(game["stock"]) == {"count", "top"}


def test_a_deal_is_told_as_it_opens(client: TestClient) -> None:
    answer = client.get("/api/v1/deals/endless/a")
    assert answer.status_code == 200
    assert answer.json() == {
        "rules": "endless",
        "seed": "a",
        "link": "/d/endless/a",
        "pyramid": [
            ["Jd"],
            ["9c", "5s"],
            ["Qd", "Ac", "2h"],
            ["5c", "8c", "Js", "Ah"],
            ["Qh", "Kh", "8d", "9s", "7s"],
            ["4c", "5h", "3d", "Ts", "6h", "2c"],
            ["7d", "6c", "Jh", "Kc", "2s", "Qc", "5d"],
        ],
        "stock": {"count": 24, "top": None},
        "redeals": None,
    }


def test_an_open_stock_shows_its_top_card(client: TestClient) -> None:
    deal = client.get("/api/v1/deals/open/a").json()
    assert deal["stock"] == {"count": 24, "top": stock_of("a")[0]}
    assert deal["redeals"] == 2


@pytest.mark.parametrize("code", ["d1rx", "endless"])
def test_a_deal_is_named_by_its_slug_whichever_way_it_was_asked_for(client: TestClient, code: str) -> None:
    assert client.get(f"/api/v1/deals/{code}/a").json()["rules"] == "endless"


def test_a_deck_is_a_deal_with_a_link_that_carries_it(client: TestClient) -> None:
    code = DECK.replace(" ", "")
    deal = client.get(f"/api/v1/deals/classic/{code}").json()
    assert (deal["seed"], deal["link"]) == (None, f"/d/classic/{code}")
    assert client.get(deal["link"]).status_code == 200


@pytest.mark.parametrize("rules", NAMED)
def test_a_new_game_of_each_rule_set_has_the_full_shape(api: Api, rules: str) -> None:
    game = api.create(rules=rules, seed="x")
    assert_shape(game)
    assert (game["rules"], game["seed"], game["version"], game["status"]) == (rules, "x", 0, "playing")
    assert (game["moves"], game["seconds"], game["foundation"]) == (0, 0, 0)
    assert (game["can_undo"], game["can_redo"], game["left"]) == (False, False, False)
    assert game["redeals_left"] == NAMED[rules].redeals
    assert game["waste"] == [[]] * NAMED[rules].piles
    assert "draw" in game["actions"]


def test_creating_answers_201_with_the_games_address(client: TestClient) -> None:
    answer = client.post("/api/v1/games", json={"rules": "endless", "seed": "a"})
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/games/{answer.json()['id']}"
    assert client.get(answer.headers["location"]).json() == answer.json()


def test_rules_left_out_are_the_rules_for_a_new_player(api: Api) -> None:
    assert api.create(seed="a")["rules"] == "endless"


def test_seed_and_deck_left_out_make_a_fresh_deal_each_time(api: Api) -> None:
    first, second = api.create(), api.create(rules="classic")
    assert first["seed"] != second["seed"]
    assert first["pyramid"] != second["pyramid"]


def test_null_counts_as_left_out(client: TestClient) -> None:
    answer = client.post("/api/v1/games", json={"seed": None, "deck": None})
    assert answer.status_code == 201


def test_seed_and_deck_together_are_refused(client: TestClient) -> None:
    answer = client.post("/api/v1/games", json={"seed": "a", "deck": DECK})
    assert "not both" in assert_problem(answer, 422, "unreadable")["detail"]


@pytest.mark.parametrize(
    "written",
    [
        DECK,
        DECK.replace(" ", ""),
        DECK.replace(" ", "\n"),
        DECK.replace(" ", "\r\n\t "),
        DECK.replace(" ", ", "),
        f"\n\n  {DECK}\n",
        DECK.replace("T", "10"),
        DECK.replace("T", "10").replace(" ", ""),
        DECK.lower(),
        DECK.upper(),
    ],
)
def test_a_deck_is_read_in_any_spacing_and_with_ten_either_way(api: Api, written: str) -> None:
    game = api.create(deck=written)
    assert game["seed"] is None
    assert [card for row in game["pyramid"] for card in row] == DECK.split()[:28]
    drawn = api.act(game, *["draw"] * 24)
    assert drawn["waste"] == [DECK.split()[28:]]


def test_a_bad_deck_is_told_card_by_card(client: TestClient) -> None:
    cards = DECK.split()
    deck = " ".join(["XX", *cards[1:-1], cards[1]])
    detail = assert_problem(client.post("/api/v1/games", json={"deck": deck}), 422, "unreadable")["detail"]
    assert "“XX”" in detail
    assert f"double: {cards[1]}" in detail
    missing = detail.partition("missing: ")[2]
    assert cards[0] in missing
    assert cards[-1] in missing


def test_a_game_of_a_deck_does_not_tell_the_deck_in_its_link(api: Api) -> None:
    game = api.create(deck=DECK)
    assert game["link"] == f"/g/{game['id']}/deal"
    answer = api.client.get(game["link"])
    assert (answer.status_code, answer.headers["location"]) == (303, f"/d/endless/{DECK.replace(' ', '')}")


def test_an_action_answers_with_the_game_after_it(api: Api) -> None:
    game = api.create(seed=SEED)
    after = api.act(game, KING)
    assert_shape(after)
    assert (after["version"], after["moves"], after["foundation"]) == (1, 1, 1)
    assert after["pyramid"][6][3] is None
    assert KING not in after["actions"]
    assert api.show(game["id"]) == after


@pytest.mark.parametrize("action", [PAIR, "7d+6c", "7D+6C"])
def test_a_pair_goes_in_either_order(api: Api, action: str) -> None:
    after = api.act(api.create(seed=SEED), action)
    assert after["foundation"] == 2
    assert after["pyramid"][6][:2] == [None, None]


def test_every_listed_action_is_taken_and_no_other_discard_is(api: Api) -> None:
    game = api.create(seed=SEED)
    assert set(game["actions"]) == {KING, PAIR, "2s+Jh", "draw"}
    kings_and_pairs = [card_text(card) for card in PACK] + [f"6c+{card_text(card)}" for card in PACK]
    for action in kings_and_pairs:
        if action not in {KING, PAIR, "6c+7d"}:
            assert_problem(api.post(game["id"], 0, action), 422, "illegal-action")
    for action in game["actions"]:
        game = api.act(game, action, "undo")


def test_draws_turn_cards_one_by_one_and_a_redeal_brings_them_back(api: Api) -> None:
    game = api.act(api.create(seed=SEED), *["draw"] * 24)
    assert game["waste"] == [stock_of(SEED)]
    assert game["stock"] == {"count": 0, "top": None}
    assert "redeal" in game["actions"]
    game = api.act(game, "redeal")
    assert (game["waste"], game["stock"]["count"], game["redeals_left"]) == ([[]], 24, None)
    assert api.act(game, "draw")["waste"] == [stock_of(SEED)[:1]]


def test_three_piles_are_laid_in_order(api: Api) -> None:
    game = api.act(api.create(rules="three-piles", seed=SEED), "draw", "draw")
    stock = stock_of(SEED)
    assert game["waste"] == [[stock[0], stock[3]], [stock[1], stock[4]], [stock[2], stock[5]]]


def test_redeals_are_counted_down(api: Api) -> None:
    game = api.create(rules="d1r1", seed=SEED)
    game = api.act(game, *["draw"] * 24, "redeal")
    assert game["redeals_left"] == 0
    game = api.act(game, *["draw"] * 24)
    refused = assert_problem(api.post(game["id"], game["version"], "redeal"), 422, "illegal-action")
    assert refused["reason"] == "no-redeal-left"


def test_undo_and_redo_are_counted_as_moves_and_unlimited(api: Api) -> None:
    game = api.act(api.create(seed=SEED), KING, "draw", PAIR)
    back = api.act(game, "undo", "undo", "undo")
    assert (back["moves"], back["version"], back["can_undo"], back["can_redo"]) == (6, 6, False, True)
    assert "undo" not in back["actions"]
    again = api.act(back, "redo", "redo", "redo")
    assert (again["moves"], again["can_redo"]) == (9, False)
    assert again["pyramid"] == game["pyramid"]


@pytest.mark.parametrize(
    ("rules", "before", "action", "reason", "words"),
    [
        ("endless", [], f"2h+{COVERED}", "covered", "are covered"),
        ("endless", [], "Kh", "covered", "is covered"),
        ("endless", [], f"{COVERED_TOO}+Jh", "covered", "is covered"),
        ("endless", [], "+".join(UNEQUAL), "not-thirteen", "do not add to 13"),
        ("endless", [], "6c", "not-thirteen", "partner"),
        ("endless", [], "6c+6c", "not-thirteen", "13"),
        ("endless", [KING], KING, "not-on-table", "not on the table"),
        ("endless", [], "Ks", "not-on-table", "not on the table"),
        ("endless", ["draw"] * 24, "draw", "stock-empty", "empty"),
        ("endless", [], "redeal", "stock-not-empty", "when the stock is empty"),
        ("classic", ["draw"] * 24, "redeal", "no-redeal-left", "no redeal left"),
        ("three-piles", ["draw"] * 8, "redeal", "no-redeal-left", "no redeal left"),
        ("endless", [], "undo", "nothing-to-undo", "nothing to undo"),
        ("endless", [KING, "undo"], "undo", "nothing-to-undo", "nothing to undo"),
        ("endless", [], "redo", "nothing-to-redo", "nothing to redo"),
        ("endless", [KING, "undo", "draw"], "redo", "nothing-to-redo", "nothing to redo"),
    ],
)
def test_an_illegal_action_is_refused_with_its_reason_and_changes_nothing(  # noqa: PLR0913, PLR0917 - a table.
    api: Api, rules: str, before: list[str], action: str, reason: str, words: str
) -> None:
    assert "Ks" in stock_of(SEED)
    game = api.act(api.create(rules=rules, seed=SEED), *before)
    refused = assert_problem(api.post(game["id"], game["version"], action), 422, "illegal-action")
    assert refused["reason"] == reason
    assert words in refused["detail"]
    assert refused["game"] == game == api.show(game["id"])


def test_an_action_after_leaving_is_refused_with_the_game(api: Api) -> None:
    game = api.act(api.create(seed=SEED), KING)
    left = api.leave(game["id"])
    assert (left["left"], left["actions"], left["can_undo"], left["can_redo"]) == (True, [], False, False)
    for action in ("draw", "undo", KING):
        refused = assert_problem(api.post(game["id"], left["version"], action), 422, "game-left")
        assert refused["game"] == left == api.show(game["id"])


def test_leaving_twice_is_leaving_once(api: Api) -> None:
    game = api.create(seed=SEED)
    assert api.leave(game["id"]) == api.leave(game["id"])


def test_time_runs_from_the_first_action_until_the_game_is_left(api: Api, clock: Clock) -> None:
    game = api.create(seed=SEED)
    clock.tick(100)
    assert api.show(game["id"])["seconds"] == 0
    game = api.act(game, "draw")
    clock.tick(7.9)
    assert api.show(game["id"])["seconds"] == 7
    assert api.act(game, "draw")["seconds"] == 7
    api.leave(game["id"])
    clock.tick(1000)
    assert api.show(game["id"])["seconds"] == 7


def test_a_clock_set_back_never_makes_time_negative(api: Api, clock: Clock) -> None:
    game = api.act(api.create(seed=SEED), "draw")
    clock.tick(-86_400)
    assert api.show(game["id"])["seconds"] == 0
    assert api.act(game, "draw")["seconds"] == 0


def test_the_creating_answer_sets_the_cookie_once(client: TestClient) -> None:
    first = client.post("/api/v1/games", json={})
    assert len(first.headers.get_list("set-cookie")) == 1
    game = first.json()
    for answer in (
        client.post("/api/v1/games", json={}),
        client.get(f"/api/v1/games/{game['id']}"),
        client.post(f"/api/v1/games/{game['id']}/actions", json={"version": 0, "action": "draw"}),
        client.post(f"/api/v1/games/{game['id']}/actions", json={"version": 0, "action": "redeal"}),
    ):
        assert "set-cookie" not in answer.headers


def cookie_attributes(answer: httpx2.Response) -> tuple[str, str, dict[str, str]]:
    """The name, the value and the attributes (in lower case) of the only cookie that an answer sets."""
    (text,) = answer.headers.get_list("set-cookie")
    first, *rest = [part.strip() for part in text.split(";")]
    name, _, value = first.partition("=")
    pairs = [part.partition("=") for part in rest]
    return name, value, {key.lower(): worth.lower() for key, _, worth in pairs}


def test_the_cookie_is_kept_long_and_out_of_reach_of_scripts_and_other_sites(client: TestClient) -> None:
    name, value, attributes = cookie_attributes(client.post("/api/v1/games", json={}))
    assert name == "pyramid_player"
    assert len(value) >= 43
    assert {"httponly", "samesite", "path", "max-age"} <= set(attributes)
    assert (attributes["samesite"], attributes["path"]) == ("lax", "/")
    assert int(attributes["max-age"]) >= 365 * 86_400
    assert "domain" not in attributes
    assert "secure" not in attributes


def test_over_https_the_cookie_is_bound_to_the_host_and_to_https(app: FastAPI, client: TestClient) -> None:
    secure = beside(client, app, "https://testserver")
    answer = secure.post("/api/v1/games", json={})
    name, _, attributes = cookie_attributes(answer)
    assert name == "__Host-pyramid_player"
    assert "secure" in attributes
    assert attributes["path"] == "/"
    assert "domain" not in attributes
    assert secure.get(answer.headers["location"]).status_code == 200


def test_only_the_cookies_hash_is_stored(client: TestClient, tmp_path: Path) -> None:
    _, value, _ = cookie_attributes(client.post("/api/v1/games", json={}))
    ((stored,),) = rows(tmp_path, "SELECT hash FROM tokens")
    assert stored == hashlib.sha256(value.encode()).hexdigest()


@pytest.mark.sqlite
def test_no_file_holds_the_cookie(client: TestClient, tmp_path: Path) -> None:
    _, value, _ = cookie_attributes(client.post("/api/v1/games", json={}))
    files = list(tmp_path.iterdir())
    assert files
    assert not any(value.encode() in file.read_bytes() for file in files)


STRANGERS: dict[str, dict[str, str]] = {
    "no cookie": {},
    "an unknown cookie": {"Cookie": "pyramid_player=" + "x" * 43},
    "a malformed cookie": {"Cookie": "pyramid_player=%00'--"},
    "an empty cookie": {"Cookie": "pyramid_player="},
    "the https cookie over http": {"Cookie": "__Host-pyramid_player=" + "x" * 43},
    "an endless cookie": {"Cookie": "pyramid_player=" + "x" * 5000},
}


@pytest.mark.parametrize("headers", STRANGERS.values(), ids=STRANGERS.keys())
def test_a_strangers_answer_is_that_of_a_game_that_does_not_exist(
    api: Api, other: TestClient, headers: dict[str, str]
) -> None:
    game = api.act(api.create(seed=SEED), KING)
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/api/v1/games/{}", {}),
        ("POST", "/api/v1/games/{}/actions", {"json": {"version": 1, "action": "draw"}}),
        ("POST", "/api/v1/games/{}/actions", {"json": {"version": 0, "action": KING}}),
        ("POST", "/api/v1/games/{}/leave", {}),
        ("GET", "/g/{}", {}),
        ("GET", "/g/{}/deal", {}),
        ("POST", "/g/{}", {"data": {"version": "1", "action": "draw"}}),
        ("POST", "/g/{}", {"data": {"version": "1", "card": "6c"}}),
        ("POST", "/g/{}/leave", {}),
    ]
    for method, path, body in requests:
        mine = other.request(method, path.format(game["id"]), headers=headers, **body)
        nobodys = other.request(method, path.format("game-00000099999"), headers=headers, **body)
        assert mine.status_code == nobodys.status_code == 404, path
        assert mine.content == nobodys.content
        assert headers_of(mine) == headers_of(nobodys)
    assert api.show(game["id"]) == game


def test_another_players_game_answers_like_one_that_does_not_exist(api: Api, other: TestClient) -> None:
    game = api.act(api.create(seed=SEED), KING)
    stranger = Api(other)
    stranger.create()
    mine = stranger.post(game["id"], 1, "draw")
    nobodys = stranger.post("game-00000099999", 1, "draw")
    assert_problem(mine, 404, "not-found")
    assert mine.content == nobodys.content
    assert api.show(game["id"]) == game


def test_an_unknown_token_is_never_adopted(other: TestClient) -> None:
    planted = "x" * 43
    answer = other.post("/api/v1/games", json={}, headers={"Cookie": f"pyramid_player={planted}"})
    assert answer.status_code == 201
    name, value, _ = cookie_attributes(answer)
    assert (name, value != planted) == ("pyramid_player", True)
    thief = {"Cookie": f"pyramid_player={planted}"}
    assert other.get(answer.headers["location"], headers=thief).status_code == 404


def test_games_of_one_player_stay_apart(api: Api) -> None:
    first, second = api.create(seed=SEED), api.create(seed=SEED)
    assert first["id"] != second["id"]
    api.act(first, KING)
    assert api.show(second["id"]) == second


def test_the_description_of_the_api_names_every_address_of_it(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()["paths"]
    assert {(method.upper(), path) for path, methods in described.items() for method in methods} == {
        ("GET", "/api/v1/deals/{rules}/{seed}"),
        ("GET", "/api/v1/deals/{rules}/{seed}/solution"),
        ("GET", "/api/v1/games/{game}/verdict"),
        ("GET", "/api/v1/games/{game}/hint"),
        ("GET", "/api/v1/daily"),
        ("GET", "/api/v1/boards/{rules}/{seed}"),
        ("POST", "/api/v1/solve"),
        ("POST", "/api/v1/players"),
        ("GET", "/api/v1/me/records"),
        ("POST", "/api/v1/me/name"),
        ("GET", "/api/v1/games/{game}/lookback"),
        ("POST", "/api/v1/games"),
        ("GET", "/api/v1/games/{game}"),
        ("POST", "/api/v1/games/{game}/actions"),
        ("POST", "/api/v1/games/{game}/leave"),
        ("POST", "/api/v1/games/{game}/pause"),
        ("POST", "/api/v1/games/{game}/resume"),
    }


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/games", 405),
        ("PUT", "/api/v1/games/x", 405),
        ("DELETE", "/api/v1/games/x", 405),
        ("GET", "/api/v1/games/x/actions", 405),
        ("POST", "/api/v1/deals/endless/a", 405),
        ("GET", "/api/v1/games/x", 404),
        ("GET", "/api/v1/deals/nope/a", 404),
        ("GET", "/api/v1/deals/d1p3r0/a", 404),
        ("POST", "/api/v1/games", 415),
    ],
)
def test_every_error_of_the_api_is_problem_json(client: TestClient, method: str, path: str, status: int) -> None:
    assert_problem(client.request(method, path), status)


def test_a_post_from_another_site_gets_problem_json_too(client: TestClient) -> None:
    answer = client.post("/api/v1/games", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert_problem(answer, 403)


def test_a_head_request_tells_what_get_would_without_the_body(api: Api) -> None:
    game = api.create(seed=SEED)
    path = f"/api/v1/games/{game['id']}"
    head, whole = api.client.head(path), api.client.get(path)
    assert head.status_code == 200
    assert head.content == b""
    assert headers_of(head) == headers_of(whole)


ACTED_ON = {"version": 2, "action": "draw"}
NO_ACTIONS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no action of a game": (422, "unreadable", {"json": {**ACTED_ON, "action": "bla"}}),
    "no card": (422, "unreadable", {"json": {**ACTED_ON, "action": "6c+1z"}}),
    "no version": (422, "unreadable", {"json": {"action": "draw"}}),
    "a negative version": (422, "unreadable", {"json": {**ACTED_ON, "version": -1}}),
    "a version in quotes": (422, "unreadable", {"json": {**ACTED_ON, "version": "2"}}),
    "a name too many": (422, "unreadable", {"json": {**ACTED_ON, "card": "6c"}}),
    "no JSON": (422, "unreadable", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
    "a form": (415, "wrong-media-type", {"data": ACTED_ON}),
    "too much": (413, "too-large", {"json": {**ACTED_ON, "action": "x" * 20_000}}),
    "an earlier version": (409, "stale", {"json": {**ACTED_ON, "version": 0}}),
    "a version to come": (409, "stale", {"json": {**ACTED_ON, "version": 7}}),
    "half a pair": (422, "illegal-action", {"json": {**ACTED_ON, "action": "6c"}}),
    "a covered card": (422, "illegal-action", {"json": {**ACTED_ON, "action": COVERED}}),
}


@pytest.mark.parametrize(("status", "kind", "sent"), NO_ACTIONS.values(), ids=NO_ACTIONS.keys())
def test_a_refusal_carries_the_game_whatever_its_kind(
    api: Api, other: TestClient, status: int, kind: str, sent: dict[str, Any]
) -> None:
    game = api.act(api.create(seed=SEED), KING, "draw")
    path = f"/api/v1/games/{game['id']}/actions"
    assert assert_problem(api.client.post(path, **sent), status, kind)["game"] == game == api.show(game["id"])
    assert "game" not in assert_problem(other.post(path, **sent), 404 if kind in NOT_YOURS else status)


NOT_YOURS = {"stale", "illegal-action"}
"""What is found out only once the game has been found."""


def test_a_player_gives_himself_the_name_that_boards_show(client: TestClient, other: TestClient) -> None:
    """A program's way onto a board: a token, a name, a win."""
    bearer = {"Authorization": f"Bearer {client.post('/api/v1/players').json()['token']}"}
    answer = other.post("/api/v1/me/name", json={"name": "  Deep   Pyramid "}, headers=bearer)
    assert (answer.status_code, answer.json()) == (200, {"name": "Deep Pyramid"})
    game = other.post("/api/v1/games", json={"rules": "endless", "seed": "win-14"}, headers=bearer).json()
    for move in other.get("/api/v1/deals/endless/win-14/solution").json()["line"]:
        sent = {"version": game["version"], "action": move}
        game = other.post(f"/api/v1/games/{game['id']}/actions", json=sent, headers=bearer).json()
    (row,) = client.get("/api/v1/boards/endless/win-14").json()["first"]
    assert row["name"] == "Deep Pyramid"
    assert other.post("/api/v1/me/name", json={"name": None}, headers=bearer).json() == {"name": None}
    assert client.get("/api/v1/boards/endless/win-14").json()["first"] == []


@pytest.mark.parametrize("name", ["x" * 25, "\u202eadA", 7, True, ["Ann"]])
def test_a_name_that_cannot_be_taken_changes_nothing(client: TestClient, tmp_path: Path, name: object) -> None:
    client.post("/api/v1/players")
    client.cookies.set("pyramid_player", client.post("/api/v1/players").json()["token"])
    client.post("/api/v1/me/name", json={"name": "Ann"})
    assert_problem(client.post("/api/v1/me/name", json={"name": name}), 422, "unreadable")
    assert ("Ann",) in rows(tmp_path, "SELECT name FROM players")


def test_nobody_has_a_name_before_he_is_a_player(client: TestClient) -> None:
    assert_problem(client.post("/api/v1/me/name", json={"name": "Ann"}), 404, "not-found")


def test_the_description_tells_of_refusals_as_they_are_and_of_who_may_ask(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()
    schemas, acting = described["components"]["schemas"], described["paths"]["/api/v1/games/{game}/actions"]["post"]
    assert not {"HTTPValidationError", "ValidationError"} & set(schemas)
    refused = api_problem(client)
    assert set(refused) <= set(schemas["Problem"]["properties"])
    assert set(acting["responses"]) == {"200", *map(str, (401, 403, 404, 409, 413, 415, 422, 429, 500, 503))}
    assert acting["responses"]["422"]["content"] == {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
    }
    assert acting["responses"]["409"]["description"] == "Conflict: stale"
    assert "Retry-After" in acting["responses"]["429"]["headers"]
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert {} in described["security"]
    for reference in re.findall(r"#/components/schemas/(\w+)", client.get("/api/v1/openapi.json").text):
        assert reference in schemas


def api_problem(client: TestClient) -> JsonObject:
    """A refusal with all that one can have."""
    api = Api(client)
    return api.post(api.create(seed=SEED)["id"], 0, COVERED).json()
