"""The page of statistics and the same as JSON."""

from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from app.play.archive.statistics import Figures, Statistics
from app.play.preferences import Preferences
from app.rules.ruleset import NAMED
from app.web.archive.records import records_page
from tests.conftest import Clock
from tests.databases import rows
from tests.web.api import Api
from tests.web.browser import post_form
from tests.web.played import ENDLESS, WINS, clock_text, play
from tests.web.reading import Element, cells_of, read_html

DEFINITION = (
    "A game counts as played from its first action on, and as lost once you have begun another one and have not "
    "touched it for 24 hours (a return makes it open again)."
)


PERFECT = "Wins in the fewest possible moves"


def figures(page: Element) -> dict[str, list[str]]:
    """The table of figures: each row's cells by its label."""
    table = page.one("div", **{"aria-labelledby": "figures"}).one("table")
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in table.all("tbody")[0].all("tr")}


def heads(page: Element) -> list[str]:
    return [head.text for head in page.one("div", **{"aria-labelledby": "figures"}).one("thead").all("th")]


def open_records(client: httpx2.Client) -> Element:
    answer = client.get("/me")
    assert answer.status_code == 200
    return read_html(answer.text)


@pytest.mark.parametrize("cookie", [None, "x" * 43, "?"])
def test_who_has_not_played_is_told_so_and_nothing_is_stored(
    client: TestClient, tmp_path: Path, cookie: str | None
) -> None:
    answer = client.get("/me", headers={"Cookie": f"pyramid_player={cookie}"} if cookie else {})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    page = read_html(answer.text)
    assert "There are no games yet." in page.one("main").text
    assert page.all("table") == page.all("svg") == []
    assert rows(tmp_path, "SELECT count(*) FROM players") == [(0,)]


@pytest.mark.parametrize("here", ["/", "/daily", "/me", "/me/games", "/you", "/settings", "/rules", "/recover"])
def test_every_page_of_text_leads_to_the_others_and_says_which_it_is(client: TestClient, here: str) -> None:
    links = read_html(client.get(here).text).one("header").one("nav").all("a")
    assert [(link.text, link["href"]) for link in links] == [
        ("Play", "/"),
        ("Daily deals", "/daily"),
        ("Records", "/me"),
        ("Games", "/me/games"),
        ("You", "/you"),
        ("Settings", "/settings"),
    ]
    current = [link["href"] for link in links if link.attributes.get("aria-current") == "page"]
    assert current == [here] * (here in {link["href"] for link in links})


@pytest.mark.parametrize("page", ["Daily deals", "Records", "Games", "You", "Settings", "Rules", "Recovery"])
def test_a_page_is_called_as_the_links_to_it_are(client: TestClient, page: str) -> None:
    found = [
        link["href"]
        for start in ("/", "/you")
        for link in read_html(client.get(start).text).all("a")
        if link.text == page
    ]
    headings = {read_html(client.get(path).text).one("h1").text for path in found}
    assert headings == {page}


def test_the_figures_stand_for_all_games_and_for_each_rule_set(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock, seconds=2)
    play(api, clock, WINS[1])
    api.leave(play(api, clock, count=3)["id"])
    play(api, clock, count=1)
    page, least, most = open_records(client), len(WINS[1].actions), len(ENDLESS.actions)
    assert heads(page) == ["All", "Three piles", "Endless"]
    one, two = least - 1, 2 * most - 2
    found = figures(page)
    # The solver may not have told yet.
    assert len(found.pop(PERFECT)) == 3
    assert found == {
        "Played": ["4", "1", "3"],
        "Won": ["2", "1", "1"],
        "Lost": ["1", "0", "1"],
        "Share won": ["67%", "100%", "50%"],
        "Wins in a row, now": ["0", "1", "0"],
        "Wins in a row, most": ["2", "1", "1"],
        "Fewest moves": [str(least), str(least), str(most)],
        "Best time": [clock_text(one), clock_text(one), clock_text(two)],
        "Average moves of wins": [f"{(least + most) / 2:.1f}", f"{least:.1f}", f"{most:.1f}"],
        "Average time of wins": [clock_text((one + two) / 2), clock_text(one), clock_text(two)],
        "Hints used": ["0", "0", "0"],
    }


def test_perfect_wins_are_told_out_of_those_of_which_the_fewest_moves_are_known() -> None:
    total, endless = Figures(played=1_200, won=900, known=30, perfect=7), Figures(played=1, won=1)
    page = records_page(Statistics(total, ((NAMED["endless"], endless),)), timed=True)
    assert [row.cells for row in page.rows if row.label == PERFECT] == [("7 of 30", "–")]
    assert [row.cells for row in page.rows if row.label == "Played"] == [("1,200", "1")]


def test_the_page_says_when_a_game_is_played_and_when_lost(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock, count=1)
    assert DEFINITION in open_records(client).one("main").text


def test_who_does_not_want_the_clock_is_told_of_no_time(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock)
    answer = post_form(client, "/settings", timer=Preferences(timer="off").timer)
    assert answer.status_code == 303
    page = open_records(client)
    assert not [label for label in figures(page) if "time" in label.lower()]
    assert "Time" not in [head.text for head in page.all("th")]


def test_the_picture_shows_wins_as_bars_and_losses_as_marks(client: TestClient, api: Api, clock: Clock) -> None:
    for count in (None, 2, None, 1):
        game = play(api, clock, count=count)
        if count:
            api.leave(game["id"])
    page = open_records(client)
    plot, moves = page.one("svg", role="img"), len(ENDLESS.actions)
    title, text = (page.one(id=name) for name in plot["aria-labelledby"].split())
    assert title.text == "The last 4 finished games"
    assert text.text == f"From left to right, oldest first: 2 won, in {moves} moves; 2 lost."
    bars, marks = plot.all("rect"), plot.all("g", **{"class": "loss"})
    assert [bar.text for bar in bars] == [f"Endless, won in {moves} moves"] * 2
    assert [mark.text for mark in marks] == ["Endless, lost"] * 2
    assert all(float(bar["height"]) > 0 for bar in bars)


def test_the_same_stands_in_a_table_newest_first(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock)
    api.leave(play(api, clock, count=2)["id"])
    page = open_records(client)
    assert cells_of(page.one("details").one("table").one("tbody").all("tr")) == [
        ["15 Jan 2027, 08:00", "Endless", "lost", "–", "–"],
        ["15 Jan 2027, 08:00", "Endless", "won", str(len(ENDLESS.actions)), clock_text(len(ENDLESS.actions) - 1)],
    ]
    times = page.one("details").all("time")
    assert times[1]["datetime"] == "2027-01-15T08:00:01Z"


def test_the_picture_has_the_last_40_games(client: TestClient, api: Api, clock: Clock) -> None:
    for _ in range(41):
        api.leave(play(api, clock, count=1)["id"])
    page = open_records(client)
    assert len(page.one("svg").all("path")) == 40
    assert page.one(id="plot-text").text == "40 lost."


def test_another_player_sees_nothing_of_it(other: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock)
    play(Api(other), clock, count=1)
    assert figures(open_records(other))["Won"] == ["0", "0"]


def test_programs_read_the_same_figures(client: TestClient, api: Api, clock: Clock) -> None:
    play(api, clock)
    api.leave(play(api, clock, count=2)["id"])
    play(api, clock, count=1)
    answer = client.get("/api/v1/me/records")
    assert answer.status_code == 200
    moves, time = len(ENDLESS.actions), 1_000 * (len(ENDLESS.actions) - 1)
    total = {
        "played": 3,
        "won": 1,
        "lost": 1,
        "share": 0.5,
        "streak": 0,
        "longest_streak": 1,
        "fewest_moves": moves,
        "best_time": time,
        "average_moves": moves,
        "average_time": time,
        "hints": 0,
    }
    body = answer.json()
    for of_some in (body["total"], body["by_rules"]["endless"]):
        # The solver may not have told yet.
        assert 0 <= of_some.pop("perfect") <= of_some.pop("known") <= 1
    begun = clock() - 1_000 * (moves + 2)
    assert body == {
        "total": total,
        "by_rules": {"endless": total},
        "recent": [
            {"rules": "endless", "begun_at": begun, "won": True, "moves": moves, "time": time},
            {"rules": "endless", "begun_at": begun + 1_000 * moves, "won": False, "moves": None, "time": None},
        ],
    }


def test_programs_without_a_player_read_of_no_games(client: TestClient) -> None:
    body = client.get("/api/v1/me/records").json()
    assert (body["total"]["played"], body["total"]["share"], body["by_rules"], body["recent"]) == (0, None, {}, [])
    assert client.get("/api/v1/me/records", headers={"Authorization": "Bearer " + "x" * 43}).status_code == 401
