"""The pages of a player's games."""

import pytest
from starlette.testclient import TestClient

from tests.conftest import Clock
from tests.web.api import Api
from tests.web.played import ENDLESS, WINS, clock_text, play
from tests.web.reading import Element, cells_of, read_html


def open_history(client: TestClient, path: str = "/me/games") -> Element:
    answer = client.get(path)
    assert answer.status_code == 200
    return read_html(answer.text)


def lines_of(page: Element) -> list[list[str]]:
    return cells_of(page.one("tbody").all("tr"))


def ids_of(page: Element) -> list[str]:
    """The ids of the games on a page."""
    return [
        row.one("td", **{"class": "game"}).one("a")["href"].removeprefix("/g/") for row in page.one("tbody").all("tr")
    ]


def link(page: Element, text: str) -> str:
    """Where the link to another page leads; empty where there is none."""
    found = [a for a in page.all("a") if a.text == text]
    return found[0]["href"] if found else ""


def test_who_has_not_played_has_no_games(client: TestClient) -> None:
    page = open_history(client)
    assert "There are no games here." in page.one("main").text
    assert page.all("table") == []


def test_a_line_tells_what_became_of_a_game(client: TestClient, api: Api, clock: Clock) -> None:
    won = play(api, clock)["id"]
    left = api.leave(play(api, clock, WINS[0], 2)["id"])["id"]
    opened = play(api, clock, count=1)["id"]
    api.create(rules="endless", seed="untouched")
    page = open_history(client)
    assert ids_of(page) == [opened, left, won]
    moves, took = len(ENDLESS.actions), clock_text(len(ENDLESS.actions) - 1)
    assert [line[:5] for line in lines_of(page)] == [
        ["Endless deal win-14 15 Jan 2027, 08:00", "open", "1", "–", "0"],
        ["Classic own deck 15 Jan 2027, 08:00", "given up", "2", "–", "0"],
        ["Endless deal win-14 15 Jan 2027, 08:00", "won", str(moves), took, "0"],
    ]
    replays = [a["href"] for a in page.one("tbody").all("a") if a.text.startswith("Replay of")]
    assert replays == [f"/g/{left}/replay", f"/g/{won}/replay"]


def test_who_does_not_want_the_clock_is_told_of_no_time(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock)
    client.cookies.set("pyramid_settings", "timer%3Doff")
    page = open_history(client)
    assert [head.text for head in page.all("th")] == ["Game, begun (UTC)", "Result", "Moves", "Hints", "Replay"]
    assert len(lines_of(page)[0]) == 5


def test_the_pages_follow_each_other_both_ways(client: TestClient, api: Api, clock: Clock) -> None:
    ids = [play(api, clock, count=1)["id"] for _ in range(120)][::-1]
    first = open_history(client)
    assert (link(first, "Newest"), link(first, "Newer")) == ("", "")
    second = open_history(client, link(first, "Older"))
    third = open_history(client, link(second, "Older"))
    assert link(third, "Older") == ""
    assert [ids_of(page) for page in (first, second, third)] == [ids[:50], ids[50:100], ids[100:]]
    again = open_history(client, link(third, "Newer"))
    assert ids_of(again) == ids_of(second)
    assert ids_of(open_history(client, link(again, "Newer"))) == ids_of(first)
    assert ids_of(open_history(client, link(third, "Newest"))) == ids_of(first)


def test_one_rule_set_can_be_looked_at_alone(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock, WINS[0], 1)
    ids = [play(api, clock, count=1)["id"] for _ in range(51)][::-1]
    page = open_history(client, "/me/games?rules=endless")
    form = page.one("form", action="/me/games")
    assert form.one("option", selected=None, value="endless").text == "Endless"
    assert [option.text for option in form.all("option") if "selected" in option.attributes] == ["Endless"]
    older = open_history(client, link(page, "Older"))
    assert ids_of(page) + ids_of(older) == ids
    assert ids_of(open_history(client, link(older, "Newer"))) == ids_of(page)
    assert len(lines_of(open_history(client, "/me/games?rules="))) == 50


def test_a_rule_set_without_a_name_can_be_looked_at_too(client: TestClient, api: Api) -> None:
    api.act(api.create(rules="d1r7", seed="a"), "draw")
    page = open_history(client, "/me/games?rules=d1r7")
    assert len(lines_of(page)) == 1
    assert page.one("option", value="d1r7").text == "Draw one, 7 redeals (d1r7)"
    assert page.one("td", **{"class": "game"}).one("a").text.startswith("Draw one, 7 redeals d1r7")


@pytest.mark.parametrize(
    "query",
    [
        "rules=chess",
        "rules=d1p3r0",
        "before=",
        "before=x",
        "before=1",
        "before=1.a.b",
        f"before={'9' * 40}.x",
        f"before=1.{'x' * 5_000}",
        "after=%00.x",
        "after=1.%00",
        "before=1.x&after=1.x",
    ],
)
def test_an_address_that_cannot_be_read_is_refused(client: TestClient, api: Api, clock: Clock, query: str) -> None:
    play(api, clock, count=1)
    assert client.get(f"/me/games?{query}").status_code == 422


@pytest.mark.parametrize("query", ["before=-999999999999999.x", "after=999999999999999.x"])
def test_beyond_the_last_game_there_is_none(client: TestClient, api: Api, clock: Clock, query: str) -> None:
    game = play(api, clock, count=1)["id"]
    page = open_history(client, f"/me/games?{query}")
    # After the newest game the newest page is shown.
    assert (page.all("tbody") == []) if query.startswith("before") else (ids_of(page) == [game])
    assert link(page, "Older") == ""


def test_another_player_sees_nothing_of_it(other: TestClient, api: Api, clock: Clock) -> None:
    game = play(api, clock)
    mine = play(Api(other), clock, count=1)["id"]
    assert ids_of(open_history(other)) == [mine]
    place = f"{clock()}.{game['id']}"
    assert ids_of(open_history(other, f"/me/games?after={place}")) == [mine]


def test_a_get_sets_no_cookie(client: TestClient) -> None:
    for path in ("/me/games", "/me/games?rules=endless"):
        assert "set-cookie" not in client.get(path).headers
