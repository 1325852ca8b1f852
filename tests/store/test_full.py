"""A full disk: moves are refused, nothing that was answered is lost, and room is enough to go on."""

import resource

import pytest

from app.store.database.engine import FILE_NAME
from tests.web.api import Api
from tests.web.browser import HTMX, post_form
from tests.web.server import Server

pytestmark = pytest.mark.sqlite

ROOM = 40_000
MOVES_MOST = 500


def test_a_full_disk_refuses_moves_and_loses_none(server: Server) -> None:
    log = server.data / f"{FILE_NAME}-wal"
    with server.client() as client:
        api = Api(client)
        game, other = api.act(api.create(seed="a"), "draw"), api.create(seed="b")
        # As a disk with so much room left: no file of the server's may grow further.
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + ROOM, resource.RLIM_INFINITY))
        for _ in range(MOVES_MOST):
            answer = api.post(game["id"], game["version"], "undo" if game["can_undo"] else "redo")
            if answer.status_code != 200:
                break
            game = answer.json()
        assert answer.status_code == 503
        assert 1 <= int(answer.headers["retry-after"]) <= 6
        refused = post_form(client, f"/g/{other['id']}", HTMX, version="0", action="draw")
        assert (refused.status_code, refused.headers["hx-reswap"]) == (503, "none")
        assert client.get("/healthz").status_code == 200
        assert {**api.show(game["id"]), "seconds": 0} == {**game, "seconds": 0}
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        game = api.act(game, "undo" if game["can_undo"] else "redo")
        other = api.act(other, "draw")
        server.kill()
        server.start()
    assert server.rows("PRAGMA integrity_check") == [("ok",)]
    stored = dict(server.rows("SELECT id, version FROM games"))
    assert stored == {game["id"]: game["version"], other["id"]: 1}
