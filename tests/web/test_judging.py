"""Wins of which the fewest possible moves are not known yet are judged once their player looks at his statistics."""

import asyncio
from pathlib import Path
from time import monotonic

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.play.advice import judge
from tests import databases
from tests.conftest import Clock, new_client
from tests.web.api import Api
from tests.web.browser import OWN_FORM
from tests.web.losing import unwinnable
from tests.web.played import WINS, play

THREE = WINS[:3]
FIGURES = "SELECT count(*), count(fewest) FROM games"


def settle(client: TestClient, app: FastAPI) -> None:
    """Wait for what nobody waits for."""

    async def all_done() -> None:
        await asyncio.gather(*app.state.rooms.judge._tasks)  # noqa: SLF001 - what nobody waits for.

    assert client.portal is not None
    client.portal.call(all_done)


def looked(client: TestClient, app: FastAPI) -> tuple[int, int]:
    """Of how many of a player's wins the fewest moves are known once he has looked, and how many took no more."""
    assert client.get("/me").status_code == 200
    settle(client, app)
    total = client.get("/api/v1/me/records").json()["total"]
    return total["known"], total["perfect"]


def bring(there: TestClient, export: bytes) -> None:
    """Take an export in."""
    answer = there.post("/me/import", files={"file": ("pyramid13.json", export)}, headers=OWN_FORM)
    assert answer.status_code == 303


@pytest.fixture
def won(client: TestClient, app: FastAPI, api: Api, clock: Clock) -> bytes:
    """The export of a player with three wins, all judged."""
    for win in THREE:
        play(api, clock, win)
        settle(client, app)
    return client.get("/me/export").content


def test_wins_brought_in_are_judged_as_they_were_where_they_came_from(
    client: TestClient, other: TestClient, app: FastAPI, won: bytes
) -> None:
    known = looked(client, app)
    assert known[0] == 3
    bring(other, won)
    assert looked(other, app) == known


def test_what_is_known_of_a_deal_costs_no_search(
    client: TestClient, other: TestClient, app: FastAPI, tmp_path: Path, won: bytes
) -> None:
    bring(other, won)
    assert databases.rows(tmp_path, FIGURES) == [(6, 3)]
    # No figure but these can come from a solver that is closed.
    databases.change(tmp_path, "UPDATE games SET fewest = 15 WHERE fewest IS NOT NULL")
    app.state.rooms.coach.close()
    assert looked(other, app)[0] == 3
    assert databases.rows(tmp_path, "SELECT DISTINCT fewest FROM games") == [(15,)]
    assert client.get("/me").status_code == 200


def test_a_look_judges_so_many_newest_first_and_the_next_one_goes_on(
    client: TestClient, app: FastAPI, tmp_path: Path, won: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert won
    monkeypatch.setattr(judge, "AT_ONCE", 1)
    databases.change(tmp_path, "UPDATE games SET fewest = NULL")
    deals = [win.deal.replace(" ", "") for win in THREE]
    for number in (1, 2, 3):
        client.get("/me")
        settle(client, app)
        judged = databases.rows(tmp_path, "SELECT deal FROM games WHERE fewest IS NOT NULL")
        assert {deal for (deal,) in judged} == set(deals[-number:])


def test_a_win_that_stays_unknown_keeps_no_older_one_out(
    client: TestClient, app: FastAPI, tmp_path: Path, won: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert won
    monkeypatch.setattr(judge, "AT_ONCE", 1)
    # The newest is made one on a deal that cannot be won: no figure is ever found.
    lost = unwinnable("classic")
    databases.change(tmp_path, "UPDATE games SET rules = 'classic', deal = ? WHERE deal = ?", lost, THREE[-1].deal)
    databases.change(tmp_path, "UPDATE games SET fewest = NULL")
    for _ in range(3):
        client.get("/me")
        settle(client, app)
    assert databases.rows(tmp_path, FIGURES) == [(3, 2)]


def test_only_one_player_s_wins_are_gone_through_at_a_time_and_only_where_something_is_to_be_found(
    client: TestClient, other: TestClient, app: FastAPI, tmp_path: Path, won: bytes
) -> None:
    bring(other, won)
    databases.change(tmp_path, "UPDATE games SET fewest = NULL")
    room = app.state.rooms

    async def both() -> int:
        for visitor in (client, other):
            room.judge.judge_wins_later(visitor.cookies["pyramid_player"])
        return len(room.judge._tasks)  # noqa: SLF001 - what nobody waits for.

    assert client.portal is not None
    assert client.portal.call(both) == 1
    settle(client, app)
    # A deal's figure is kept with every win of it.
    assert databases.rows(tmp_path, FIGURES) == [(6, 6)]
    client.get("/me")
    assert not room.judge._tasks  # noqa: SLF001 - the same.


def test_a_busy_solver_keeps_nobody_from_his_statistics(
    client: TestClient, app: FastAPI, tmp_path: Path, won: bytes
) -> None:
    assert won
    databases.change(tmp_path, "UPDATE games SET fewest = NULL")
    databases.change(tmp_path, "DELETE FROM verdicts")
    coach = app.state.rooms.coach
    coach._known._values.clear()  # noqa: SLF001 - nothing is known any more.
    coach._asking["judge"] = 9  # noqa: SLF001 - as if as many were waiting.
    assert looked(client, app)[0] == 0
    coach._asking.clear()  # noqa: SLF001 - the same.
    assert looked(client, app)[0] == 3


def test_looking_ends_with_the_server(app: FastAPI, clock: Clock, tmp_path: Path) -> None:
    with new_client(app) as client:
        play(Api(client), clock, THREE[0])
        settle(client, app)
        # As if the deal were another one, which takes the solver seconds: the server does not wait for it.
        databases.change(tmp_path, "UPDATE games SET fewest = NULL, rules = 'd3r9', deal = '10'")
        assert client.get("/me").status_code == 200
        assert app.state.rooms.judge._tasks  # noqa: SLF001 - what nobody waits for.
        began = monotonic()
    assert monotonic() - began < 2
    assert databases.rows(tmp_path, FIGURES) == [(1, 0)]
