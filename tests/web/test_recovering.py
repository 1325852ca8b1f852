"""Recovering, leaving and coming along while something else goes on."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.play.archive.tidying import Tidying
from app.rules.deal import Seed, seeded
from app.rules.ruleset import DEFAULT
from tests.conftest import Clock
from tests.databases import rows
from tests.web.api import Api
from tests.web.browser import post_form
from tests.web.reading import read_html

COOKIE = "pyramid_player"


def code_of(client: TestClient) -> str:
    return read_html(post_form(client, "/you/code").text).one(id="recovery-code").text.replace("-", "")


def call(client: TestClient, work: Any, *arguments: Any) -> Any:  # noqa: ANN401 - whatever the work takes and gives.
    assert client.portal is not None
    return client.portal.call(work, *arguments)


def test_two_recoveries_that_cross_come_to_an_end(
    client: TestClient, other: TestClient, app: FastAPI, tmp_path: Path
) -> None:
    codes = []
    for visitor in (client, other):
        for seed in "abc":
            Api(visitor).create(seed=seed)
        codes.append(code_of(visitor))
    tokens = [client.cookies[COOKIE], other.cookies[COOKIE]]
    moving = app.state.rooms.moving

    async def crossing() -> list[object]:
        both = (moving.recover(token, code, bring=True) for token, code in zip(tokens, reversed(codes), strict=True))
        return await asyncio.wait_for(asyncio.gather(*both, return_exceptions=True), 20)

    came = call(client, crossing)
    assert not [one for one in came if isinstance(one, Exception)]
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(6,)]
    assert rows(tmp_path, "SELECT count(DISTINCT player) FROM games") == [(1,)]
    assert rows(tmp_path, "SELECT count(*), count(merged_into) FROM players") == [(2, 1)]


def joined(client: TestClient, other: TestClient) -> tuple[str, str]:
    """The codes of two players; the second has become the first by the first's."""
    codes = []
    for visitor, seed in ((client, "a"), (other, "b")):
        Api(visitor).create(seed=seed)
        codes.append(code_of(visitor))
    assert post_form(other, "/recover", code=codes[0], bring="yes").status_code == 303
    return codes[0], codes[1]


def games_by(client: TestClient, code: str) -> int:
    """How many games a fresh browser finds by a code; -1 where it leads to nobody."""
    client.cookies.clear()
    if post_form(client, "/recover", code=code).status_code != 303:
        return -1
    return len(client.get("/me/export").json()["games"])


def test_the_code_of_a_player_who_was_joined_with_another_leads_to_that_one(
    client: TestClient, other: TestClient, app: FastAPI, clock: Clock, tmp_path: Path
) -> None:
    first, second = joined(client, other)
    room = app.state.rooms
    call(client, Tidying(room.run, room.moving, clock, 0).tidy)
    assert [games_by(other, code) for code in (first, second)] == [2, 2]
    # A player of his own who comes by it becomes the same one.
    other.cookies.clear()
    Api(other).create(seed="c")
    third = code_of(other)
    assert post_form(other, "/recover", code=second, bring="yes").status_code == 303
    assert [games_by(other, code) for code in (first, second, third)] == [3, 3, 3]
    assert rows(tmp_path, "SELECT count(DISTINCT player) FROM games") == [(1,)]
    assert rows(tmp_path, "SELECT count(*), count(merged_into) FROM players") == [(3, 2)]


def test_codes_lead_on_however_often_players_are_joined(client: TestClient, other: TestClient) -> None:
    first, second = joined(client, other)
    other.cookies.clear()
    Api(other).create(seed="c")
    third = code_of(other)
    assert post_form(client, "/recover", code=third, bring="yes").status_code == 303
    assert [games_by(other, code) for code in (first, second, third)] == [3, 3, 3]


def test_a_fresh_code_makes_all_void_that_led_to_the_player(
    client: TestClient, other: TestClient, app: FastAPI, clock: Clock, tmp_path: Path
) -> None:
    first, second = joined(client, other)
    fresh = code_of(client)
    assert [games_by(other, code) for code in (first, second, fresh)] == [-1, -1, 2]
    room = app.state.rooms
    call(client, Tidying(room.run, room.moving, clock, 0).tidy)
    assert rows(tmp_path, "SELECT count(*) FROM players") == [(1,)]


def test_deleting_everything_leaves_no_code_and_nobody_behind(
    client: TestClient, other: TestClient, tmp_path: Path
) -> None:
    first, second = joined(client, other)
    assert post_form(client, "/you/delete", sure="yes").status_code == 303
    assert rows(tmp_path, "SELECT count(*) FROM players") == [(0,)]
    assert [games_by(other, code) for code in (first, second)] == [-1, -1]


def test_what_is_begun_by_another_token_meanwhile_comes_along(
    client: TestClient, other: TestClient, app: FastAPI, tmp_path: Path
) -> None:
    Api(client).create(seed="a")
    code = code_of(client)
    Api(other).create(seed="b")
    token, program = other.cookies[COOKIE], other.post("/api/v1/players").json()["token"]
    room = app.state.rooms

    async def meanwhile() -> None:
        async def begin() -> None:
            for seed in range(30):
                deal = partial(room.games.create, token=program, rules=DEFAULT, deal=seeded(Seed(str(seed))))
                await room.run(deal)

        await asyncio.gather(room.moving.recover(token, code, bring=True), begin())

    call(client, meanwhile)
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT player) FROM games") == [(32, 1)]
    assert other.get("/api/v1/me/records", headers={"Authorization": f"Bearer {program}"}).status_code == 200


def test_a_player_who_has_left_is_never_another_one(client: TestClient, other: TestClient, tmp_path: Path) -> None:
    Api(client).create()
    ((first,),) = rows(tmp_path, "SELECT id FROM players")
    post_form(client, "/you/delete", sure="yes")
    Api(other).create()
    assert rows(tmp_path, "SELECT id FROM players") != [(first,)]


def test_a_move_that_was_broken_off_is_gone_on_with(
    client: TestClient, other: TestClient, app: FastAPI, clock: Clock, tmp_path: Path
) -> None:
    Api(client).create(seed="a")
    code = code_of(client)
    game = Api(other).create(seed="b")["id"]
    # One whom a code of his own reaches is not forgotten for that.
    code_of(other)
    room = app.state.rooms
    # As when the server was killed right after the first step.
    recovered = call(
        client, room.run, partial(room.players.recover, token=other.cookies[COOKIE], code=code, bring=True)
    )
    assert rows(tmp_path, "SELECT count(DISTINCT player) FROM games") == [(2,)]
    call(client, Tidying(room.run, room.moving, clock, 0).tidy)
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT player) FROM games") == [(2, 1)]
    other.cookies.clear()
    other.cookies.set(COOKIE, recovered.token)
    assert other.get(f"/g/{game}").status_code == 200


def test_the_same_key_on_two_deals_begins_two_games_of_one_player(client: TestClient, tmp_path: Path) -> None:
    key = read_html(client.get("/d/endless/a").text).one("input", name="begin")["value"]
    for seed in "ab":
        client.cookies.clear()
        assert post_form(client, f"/d/endless/{seed}", version="0", begin=key, action="draw").status_code == 303
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT player) FROM games") == [(2, 1)]


def test_what_programs_are_answered_is_kept_by_no_cache(client: TestClient) -> None:
    for answer in (client.post("/api/v1/players"), client.get("/api/v1/me/records"), client.get("/api/v1/nothing")):
        assert answer.headers["cache-control"] == "no-store"


def test_a_bearer_counts_where_programs_ask_and_nowhere_else(client: TestClient, other: TestClient) -> None:
    game = Api(client).create()["id"]
    bearer = {"Authorization": f"Bearer {client.post('/api/v1/players').json()['token']}"}
    assert other.get(f"/api/v1/games/{game}", headers=bearer).status_code == 200
    assert other.get(f"/g/{game}", headers=bearer).status_code == 404
