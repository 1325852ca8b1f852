"""The golden games, played over HTTP to their end: by the API, and by buttons without script."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.rules.deal import deck_text, read_deck
from app.rules.state import read_state
from tests.conftest import Clock, make_app, new_client
from tests.playthroughs import Playthrough, Win, playthroughs, wins
from tests.web.api import Api
from tests.web.browser import Browser
from tests.web.server import Server


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with new_client(make_app(tmp_path_factory.mktemp("data"), Clock())) as client:
        yield client


def link(win: Win) -> str:
    """The deal link of a golden win."""
    return f"/d/{win.rules}/{deck_text(read_deck(win.deal), between='') if win.is_deck else win.deal}"


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_a_program_plays_a_golden_game_to_its_win(client: TestClient, win: Win) -> None:
    api = Api(client)
    deal = {"deck": win.deal} if win.is_deck else {"seed": win.deal}
    game = api.act(api.create(rules=win.rules, **deal), *win.actions[:-1])
    assert game["status"] == "playing"
    game = api.act(game, win.actions[-1])
    assert (game["status"], game["moves"]) == ("won", len(win.actions))
    assert not any(any(row) for row in game["pyramid"])
    assert set(game["actions"]) == {"undo"}
    assert api.show(game["id"]) == game


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_a_golden_game_is_won_by_pressing_buttons_without_script(client: TestClient, win: Win) -> None:
    browser = Browser(client)
    browser.open(link(win))
    for action in win.actions:
        browser.act(action)
        assert browser.status == 200
    assert browser.path.startswith("/g/")
    notice = browser.page.one("div", **{"class": "notice won"})
    assert f"in {len(win.actions)} moves" in notice.text
    assert browser.page.one(id="table")["data-version"] == str(len(win.actions))
    assert {anchor["href"] for anchor in notice.all("a")}


@pytest.mark.parametrize("game", playthroughs(), ids=lambda game: game.seed)
def test_a_golden_playthrough_ends_where_it_should(client: TestClient, game: Playthrough) -> None:
    api = Api(client)
    played = api.act(api.create(rules=game.rules, seed=game.seed), *game.actions)
    end = read_state(game.end)
    assert played["moves"] == game.moves
    assert played["stock"]["count"] == len(end.stock)
    assert played["foundation"] == end.foundation
    assert played["redeals_left"] == end.redeals_left
    assert [card for row in played["pyramid"] for card in row] == [
        None if card is None else deck_text((card,)) for card in end.pyramid
    ]
    assert [" ".join(pile) for pile in played["waste"]] == [deck_text(pile) for pile in end.waste]


def test_games_go_on_where_they_were_after_the_server_was_stopped_and_started(server: Server) -> None:
    win = wins()[0]
    half = len(win.actions) // 2
    with server.client() as client:
        deal = {"deck": win.deal} if win.is_deck else {"seed": win.deal}
        before = Api(client).act(Api(client).create(rules=win.rules, **deal), *win.actions[:half])
        page = client.get(f"/g/{before['id']}").text
        token = client.cookies["pyramid_player"]
    server.stop()
    server.start()
    with server.client(Cookie=f"pyramid_player={token}") as client:
        after = Api(client).show(before["id"])
        assert {**after, "seconds": 0} == {**before, "seconds": 0}
        assert client.get(f"/g/{before['id']}").text.count("<button") == page.count("<button")
        assert f"/g/{before['id']}" in client.get("/").text
        assert Api(client).act(after, *win.actions[half:])["status"] == "won"
