import pytest
from starlette.testclient import TestClient

from tests.conftest import Clock
from tests.playthroughs import wins
from tests.web.api import Api, JsonObject
from tests.web.browser import HTMX, Browser, codes, post_form
from tests.web.reading import read_html

WIN = next(win for win in wins() if win.rules == "endless")


@pytest.fixture
def game(api: Api) -> JsonObject:
    return api.act(api.create(rules=WIN.rules, seed=WIN.deal), WIN.actions[0])


def pause(client: TestClient, game: JsonObject, on: str = "on", version: str = "1") -> str:
    answer = post_form(client, f"/g/{game['id']}", HTMX, version=version, pause=on)
    assert answer.status_code == 200
    return answer.text


def test_a_paused_game_shows_no_card_and_its_clock_stands_still(
    client: TestClient, api: Api, game: JsonObject, clock: Clock
) -> None:
    clock.tick(10)
    paused = pause(client, game)
    clock.tick(600)
    for html in (paused, client.get(f"/g/{game['id']}").text):
        table = read_html(html).one(id="table")
        assert codes(table) == []
        assert table["data-pairs"] == ""
        assert table["data-seconds"] == "10"
        assert table.one("button", name="pause")["value"] == "off"
    shown = api.show(game["id"])
    assert shown["paused"]
    assert (shown["seconds"], shown["pyramid"], shown["waste"], shown["actions"]) == (10, [], [], [])


def test_going_on_shows_the_same_table_and_pauses_do_not_count(
    client: TestClient, api: Api, game: JsonObject, clock: Clock
) -> None:
    before = codes(read_html(client.get(f"/g/{game['id']}").text))
    for _ in range(3):
        clock.tick(10)
        pause(client, game)
        clock.tick(1_000)
        assert codes(read_html(pause(client, game, "off"))) == before
    assert api.show(game["id"])["seconds"] == 30
    won = api.act(api.show(game["id"]), *WIN.actions[1:])
    assert (won["status"], won["seconds"]) == ("won", 30)
    clock.tick(50)
    assert api.show(game["id"])["seconds"] == 30
    records = client.get("/api/v1/me/records").json()
    assert records["total"]["best_time"] == 30_000


def test_an_action_ends_a_pause(client: TestClient, api: Api, game: JsonObject, clock: Clock) -> None:
    clock.tick(5)
    assert client.post(f"/api/v1/games/{game['id']}/pause").json()["paused"]
    clock.tick(100)
    shown = api.act(api.show(game["id"]), WIN.actions[1])
    assert not shown["paused"]
    assert shown["seconds"] == 5


def test_whether_a_paused_game_can_be_won_is_not_told(client: TestClient, api: Api, game: JsonObject) -> None:
    told = client.get(f"/api/v1/games/{game['id']}/verdict").json()
    assert told == {"verdict": "winnable", "undos": None}
    pause(client, game)
    assert client.get(f"/api/v1/games/{game['id']}/verdict").json() == {"verdict": None, "undos": None}
    assert api.show(game["id"])["paused"]


def test_a_hint_ends_a_pause(client: TestClient, api: Api, game: JsonObject, clock: Clock) -> None:
    clock.tick(5)
    pause(client, game)
    clock.tick(100)
    assert client.get(f"/api/v1/games/{game['id']}/hint").json()["action"]
    clock.tick(2)
    shown = api.show(game["id"])
    assert (shown["paused"], shown["seconds"]) == (False, 7)


def test_pausing_twice_is_pausing_once(client: TestClient, api: Api, game: JsonObject, clock: Clock) -> None:
    for _ in range(2):
        pause(client, game)
        clock.tick(10)
    for _ in range(2):
        pause(client, game, "off")
        clock.tick(1)
    assert api.show(game["id"])["seconds"] == 2
    assert api.show(game["id"])["version"] == 1


def test_what_has_not_begun_or_is_over_has_no_pause(client: TestClient, api: Api, game: JsonObject) -> None:
    fresh = api.create()
    assert not client.post(f"/api/v1/games/{fresh['id']}/pause").json()["paused"]
    won = api.act(game, *WIN.actions[1:])
    assert not client.post(f"/api/v1/games/{won['id']}/pause").json()["paused"]
    left = api.leave(api.act(api.create(), "draw")["id"])
    assert not client.post(f"/api/v1/games/{left['id']}/pause").json()["paused"]
    key = read_html(client.get("/d/endless/a").text).one("input", name="begin")["value"]
    assert post_form(client, "/d/endless/a", version="0", begin=key, pause="on").status_code == 422


def test_giving_up_a_paused_game_keeps_its_time(client: TestClient, api: Api, game: JsonObject, clock: Clock) -> None:
    clock.tick(7)
    pause(client, game)
    clock.tick(70)
    assert api.leave(game["id"])["seconds"] == 7


@pytest.mark.parametrize("word", ["", "ON", "1", "maybe"])
def test_a_pause_is_on_or_off(client: TestClient, game: JsonObject, word: str) -> None:
    assert post_form(client, f"/g/{game['id']}", HTMX, version="1", pause=word).status_code == 422


def test_a_paused_game_is_not_replayed(client: TestClient, game: JsonObject) -> None:
    pause(client, game)
    for path in ("replay", "replay/at?at=1"):
        assert client.get(f"/g/{game['id']}/{path}").status_code == 404


def test_another_player_pauses_nothing(other: TestClient, api: Api, game: JsonObject) -> None:
    assert post_form(other, f"/g/{game['id']}", version="1", pause="on").status_code == 404
    assert other.post(f"/api/v1/games/{game['id']}/pause").status_code == 404
    assert not api.show(game["id"])["paused"]


def test_without_script_a_game_is_paused_and_gone_on_with(client: TestClient, game: JsonObject) -> None:
    browser = Browser(client)
    browser.open(f"/g/{game['id']}")
    browser.press(browser.page.one("button", name="pause"))
    assert codes(browser.page) == []
    browser.press(browser.page.one("button", id="resume"))
    assert len(codes(browser.page)) > 20


def test_a_refusal_tells_no_card_of_a_paused_game(client: TestClient, api: Api) -> None:
    game = api.act(api.create(rules="endless", seed="win-14"), "draw")
    place = f"/g/{game['id']}"
    paused = post_form(client, place, {**HTMX}, version="1", pause="on")
    assert read_html(paused.text).one(id="live").text == "Paused. The clock stands still, and the cards are covered."
    for action in ("Kd", "7c+6d"):
        answer = api.post(game["id"], 1, action)
        if answer.status_code != 200:
            assert answer.json()["detail"] == "Paused. The clock stands still, and the cards are covered."
            assert "reason" not in answer.json()
    for fields in ({"card": "8c"}, {"card": "7c"}, {"card": "Kc"}, {"card": "6d", "chosen": "7c"}):
        answer = post_form(client, place, {**HTMX}, version="1", **fields)
        assert answer.status_code == 200
        assert "covered." not in answer.text.replace("the cards are covered.", "")
        assert "not on the table" not in answer.text
