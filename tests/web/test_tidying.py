import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.play.archive import tidying
from app.play.archive.tidying import Tidying
from tests.conftest import Clock, make_app, new_client
from tests.databases import change, rows
from tests.playthroughs import wins
from tests.web.api import Api

WIN = next(win for win in wins() if win.rules == "endless")
DAY = 86_400
COOKIE = "pyramid_player"


def ids(folder: Path) -> set[object]:
    return {game for (game,) in rows(folder, "SELECT id FROM games")}


async def tidied(app: FastAPI, clock: Clock, days: int) -> int:
    return await Tidying(app.state.rooms.run, app.state.rooms.moving, clock, days).tidy()


def test_only_unfinished_games_untouched_for_long_are_removed(
    client: TestClient, app: FastAPI, api: Api, clock: Clock, tmp_path: Path
) -> None:
    won = api.act(api.create(rules=WIN.rules, seed=WIN.deal), *WIN.actions)["id"]
    left = api.leave(api.act(api.create(), "draw")["id"])["id"]
    old, empty = api.act(api.create(), "draw")["id"], api.create()["id"]
    touched = api.act(api.create(), "draw")
    clock.tick(29 * DAY)
    touched = api.act(touched, "draw")["id"]
    clock.tick(1 * DAY)
    assert client.portal is not None
    assert client.portal.call(tidied, app, clock, 30) == 0
    clock.tick(1)
    assert client.portal.call(tidied, app, clock, 30) == 2
    assert ids(tmp_path) == {won, left, touched}
    assert client.get(f"/g/{old}").status_code == 404
    assert client.get(f"/g/{empty}").status_code == 404


def test_who_is_reached_by_nothing_any_more_is_removed(
    client: TestClient, app: FastAPI, api: Api, clock: Clock, tmp_path: Path
) -> None:
    api.act(api.create(), "draw")
    assert client.portal is not None
    assert client.portal.call(tidied, app, clock, 30) == 0
    assert len(ids(tmp_path)) == 1
    # As when deleting was broken off after its first step.
    client.portal.call(app.state.rooms.run, partial(app.state.rooms.players.disown, token=client.cookies[COOKIE]))
    client.portal.call(tidied, app, clock, 30)
    assert ids(tmp_path) == set()
    assert rows(tmp_path, "SELECT * FROM players") == []


def test_a_player_whom_two_remove_at_the_same_time_is_gone(
    client: TestClient, app: FastAPI, api: Api, tmp_path: Path
) -> None:
    api.act(api.create(), "draw")
    room = app.state.rooms
    assert client.portal is not None
    player = client.portal.call(room.run, partial(room.players.disown, token=client.cookies[COOKIE]))
    # The second is still at his games when the first is done.
    for _ in range(2):
        client.portal.call(room.moving.remove, player)
    assert rows(tmp_path, "SELECT id FROM players") == []
    assert ids(tmp_path) == set()


def test_tidying_up_that_breaks_off_is_logged_and_taken_up_again(
    app: FastAPI, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tidying, "_EVERY_SECONDS", 0)
    again = asyncio.Event()
    faults = iter([LookupError("a fault of ours")])

    async def run(_use_case: object) -> Any:  # noqa: ANN401 - whatever a use case gives.
        for fault in faults:
            raise fault
        again.set()
        return 0

    async def tidy() -> None:
        tidier = Tidying(run, app.state.rooms.moving, clock, 30)
        tidier.start()
        await asyncio.wait_for(again.wait(), 5)
        await tidier.close()

    asyncio.run(tidy())
    assert caplog.text.count("a fault of ours") == 1


@pytest.mark.parametrize(("days", "kept"), [(0, True), (10, False)])
def test_the_setting_says_how_long_and_nought_keeps_all(tmp_path: Path, clock: Clock, days: int, *, kept: bool) -> None:
    with new_client(make_app(tmp_path, clock)) as client:
        game = Api(client).act(Api(client).create(), "draw")["id"]
    clock.tick(11 * DAY)
    with new_client(make_app(tmp_path, clock, unfinished_days=days)) as client:
        # Each of these waits its turn at the database, between the steps of tidying up.
        assert {client.get("/").status_code for _ in range(5)} == {200}
        assert (game in ids(tmp_path)) == kept


def test_what_was_counted_for_limits_that_are_over_is_forgotten(
    client: TestClient, app: FastAPI, clock: Clock, tmp_path: Path
) -> None:
    now = clock() * 1_000
    for key, seconds in (("over", -3_601), ("soon", -3_599), ("ahead", 20)):
        change(tmp_path, "INSERT INTO limits (key, at) VALUES (?, ?)", key, now + seconds * 1_000_000)
    assert client.portal is not None
    client.portal.call(tidied, app, clock, 0)
    assert {key for (key,) in rows(tmp_path, "SELECT key FROM limits")} == {"soon", "ahead"}
