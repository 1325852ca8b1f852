"""A database that another program has locked: moves wait for it, and are refused rather than lost or doubled."""

import threading
import time

import httpx2
import pytest

from tests.store.locked import locked_for
from tests.web.api import Api, JsonObject
from tests.web.browser import HTMX, post_form
from tests.web.server import Server

pytestmark = pytest.mark.sqlite


def games(server: Server, clients: list[httpx2.Client]) -> list[JsonObject]:
    """A game for each client."""
    assert server.port
    return [Api(client).create(seed=str(number)) for number, client in enumerate(clients)]


def at_once(calls: list[threading.Thread]) -> None:
    for call in calls:
        call.start()
    for call in calls:
        call.join()


def test_while_the_database_is_locked_for_three_seconds_moves_wait_and_succeed(server: Server) -> None:
    clients = [server.client() for _ in range(6)]
    started = games(server, clients)
    answers: list[httpx2.Response] = []

    def draw(client: httpx2.Client, game: JsonObject) -> None:
        answers.append(Api(client).post(game["id"], 0, "draw"))
        answers.append(post_form(client, f"/g/{game['id']}", HTMX, version="1", action="draw"))

    with locked_for(server, 3):
        before = time.monotonic()
        at_once([threading.Thread(target=draw, args=pair) for pair in zip(clients, started, strict=True)])
        assert time.monotonic() - before > 2.5
    assert [answer.status_code for answer in answers] == [200] * 12
    assert [Api(client).show(game["id"])["version"] for client, game in zip(clients, started, strict=True)] == [2] * 6
    for client in clients:
        client.close()


def test_while_it_is_locked_for_ten_seconds_moves_are_refused_and_nothing_is_lost_or_doubled(server: Server) -> None:
    clients = [server.client() for _ in range(6)]
    started = games(server, clients)
    refusals: list[httpx2.Response] = []
    taken: list[httpx2.Response] = []

    def draw_until_taken(client: httpx2.Client, game: JsonObject, *, form: bool) -> None:
        while True:
            if form:
                answer = post_form(client, f"/g/{game['id']}", HTMX, version="0", action="draw")
            else:
                answer = Api(client).post(game["id"], 0, "draw")
            if answer.status_code != 503:
                taken.append(answer)
                return
            refusals.append(answer)
            time.sleep(min(1, float(answer.headers["retry-after"])))

    health: dict[str, set[int]] = {"/healthz": set(), "/readyz": set()}

    def look_after(path: str) -> None:
        # For as long as it is locked and the move that came first has not been taken.
        with server.client() as client:
            while time.monotonic() < until:
                health[path].add(client.get(path).status_code)
                time.sleep(0.2)

    with locked_for(server, 10):
        until = time.monotonic() + 7
        at_once(
            [
                *(
                    threading.Thread(target=draw_until_taken, args=pair, kwargs={"form": number % 2 == 1})
                    for number, pair in enumerate(zip(clients, started, strict=True))
                ),
                *(threading.Thread(target=look_after, args=(path,)) for path in health),
            ]
        )
    assert health == {"/healthz": {200}, "/readyz": {503}}
    assert len(refusals) >= 6
    for refusal in refusals:
        assert 1 <= int(refusal.headers["retry-after"]) <= 6
        assert "nothing is lost" in refusal.text
        assert "content-security-policy" in refusal.headers
        if refusal.headers["content-type"] == "application/problem+json":
            assert refusal.json()["type"] == "urn:pyramid13:unavailable"
        else:
            # A fragment for the live region: the table that stands there is kept.
            assert refusal.headers["hx-reswap"] == "none"
    assert [answer.status_code for answer in taken] == [200] * 6
    for client, game in zip(clients, started, strict=True):
        shown = Api(client).show(game["id"])
        assert (shown["version"], shown["moves"], len(shown["waste"][0])) == (1, 1, 1)
        assert Api(client).act(shown, "draw")["version"] == 2
        client.close()
    assert server.rows("SELECT DISTINCT actions, version FROM games") == [("draw draw", 2)]
