"""Boards as pages and as JSON."""

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.rules.deal import deck_text, read_deal
from tests.conftest import Clock, beside
from tests.databases import rows
from tests.web.api import Api
from tests.web.browser import post_form
from tests.web.daily import DAY, TODAY, begin_daily, call, line, seed_of, win_daily, win_deal
from tests.web.reading import Element, read_html

SEED = "win-14"
DECK = deck_text(read_deal(SEED).deck, between="")


def board(client: TestClient, path: str = f"/b/endless/{SEED}") -> Element:
    answer = client.get(path)
    assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
    return read_html(answer.text)


def names(page: Element) -> dict[str, list[str]]:
    """The names in each list, by its heading."""
    return {
        page.one("h2", id=table["aria-labelledby"]).text: [name.text for name in table.all("bdi")]
        for table in page.all("table")
    }


@pytest.fixture
def ada(client: TestClient) -> TestClient:
    """The client, as a player with a name."""
    Api(client).create(rules="classic", seed="elsewhere")
    assert call(client, "Ada").status_code == 303
    return client


def test_a_board_without_a_win_says_so(client: TestClient) -> None:
    page = board(client)
    assert page.all("table") == []
    assert "Nobody yet." in page.text


def test_a_winner_with_a_name_stands_on_the_board_and_finds_himself(ada: TestClient, other: TestClient) -> None:
    win_deal(ada, SEED)
    for client, classes in ((ada, ["own"]), (other, [])):
        page = board(client)
        assert names(page) == {"First attempts": ["Ada"]}
        assert [row["class"] for row in page.all("tr") if "class" in row.attributes] == classes
    cells = [cell.text for cell in board(other).one("tbody").all("td")]
    assert cells == ["1", str(len(line("endless", SEED))), "0:00"]
    assert board(ada).one("tbody").one("b").text == "you"


def test_whoever_has_no_name_is_told_how_to_get_one(client: TestClient, ada: TestClient, other: TestClient) -> None:
    win_deal(other, SEED)
    assert board(other).one("main").all("a", href="/you")
    assert board(other).all("table") == []
    assert board(ada).one("main").all("a", href="/you") == []
    assert call(other, "Bob").status_code == 303
    assert names(board(client)) == {"First attempts": ["Bob"]}


@pytest.mark.parametrize("name", ["<b>bold</b>", "\"'&amp;<i>", "{{ 7*7 }}", "<script>x</script>", "مرحبا"])
def test_a_name_stands_there_as_it_is_written(client: TestClient, name: str) -> None:
    Api(client).create(rules="classic", seed="elsewhere")
    assert call(client, name).status_code == 303
    win_deal(client, SEED)
    page = board(client)
    assert [one.text for one in page.one("tbody").all("bdi")] == [name]
    assert page.one("bdi").children == []


def test_a_name_that_turns_the_line_around_is_refused(ada: TestClient) -> None:
    assert call(ada, "\u202eadA").status_code == 422
    win_deal(ada, SEED)
    assert names(board(ada)) == {"First attempts": ["Ada"]}


def test_the_solution_s_page_counts_as_help_once_it_was_seen(ada: TestClient, clock: Clock) -> None:
    ada.get(f"/s/endless/{SEED}")
    clock.tick(1)
    win_deal(ada, SEED)
    assert names(board(ada)) == {"With help": ["Ada"]}


@pytest.mark.parametrize("way", ["page", "of a game", "json", "bearer"])
def test_each_way_to_a_solution_is_remembered(ada: TestClient, other: TestClient, way: str, tmp_path: Path) -> None:
    api = Api(ada)
    if way == "page":
        ada.get(f"/s/endless/{SEED}?at=3")
    elif way == "of a game":
        game = api.create(rules="endless", seed=SEED)
        ada.get(ada.get(f"/g/{game['id']}/solution").headers["location"])
    elif way == "json":
        ada.get(f"/api/v1/deals/endless/{SEED}/solution")
    else:
        token = ada.post("/api/v1/players").json()["token"]
        other.get(f"/api/v1/deals/endless/{SEED}/solution", headers={"Authorization": f"Bearer {token}"})
    assert rows(tmp_path, "SELECT rules, deal, seen_at FROM solutions") == [("endless", SEED, 1_800_000_000_000)]


def test_a_deck_that_was_solved_is_remembered_as_that_deck(ada: TestClient, tmp_path: Path) -> None:
    ada.post("/api/v1/solve", json={"rules": "endless", "deck": DECK})
    assert rows(tmp_path, "SELECT rules, deal FROM solutions") == [("endless", DECK)]


@pytest.mark.parametrize("way", ["solve", "page", "hint"])
def test_help_with_a_seed_s_deck_is_help_with_the_seed(ada: TestClient, clock: Clock, way: str) -> None:
    if way == "solve":
        assert ada.post("/api/v1/solve", json={"rules": "endless", "deck": DECK}).json()["line"]
    elif way == "page":
        ada.get(f"/s/endless/{DECK}")
    else:
        ada.get(f"/api/v1/games/{Api(ada).create(rules='endless', deck=DECK)['id']}/hint")
    clock.tick(1)
    win_deal(ada, SEED)
    assert names(board(ada)) == {"With help": ["Ada"]}


def test_a_seed_is_a_further_attempt_where_its_deck_was_begun_before(ada: TestClient, clock: Clock) -> None:
    api = Api(ada)
    api.act(api.create(rules="endless", deck=DECK), "draw")
    clock.tick(1)
    win_deal(ada, SEED)
    assert names(board(ada)) == {"Further attempts": ["Ada"]}


def test_nothing_is_remembered_of_a_stranger_who_looks_at_a_solution(
    client: TestClient, other: TestClient, tmp_path: Path
) -> None:
    client.get(f"/s/endless/{SEED}")
    client.get(f"/api/v1/deals/endless/{SEED}/solution")
    other.cookies.set("pyramid_player", "x" * 43)
    answer = other.get(f"/s/endless/{SEED}")
    assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
    assert rows(tmp_path, "SELECT (SELECT count(*) FROM solutions) + (SELECT count(*) FROM players)") == [(0,)]


def test_a_hint_and_a_further_attempt_stand_apart(
    client: TestClient, app: FastAPI, ada: TestClient, clock: Clock
) -> None:
    bob = beside(client, app)
    Api(bob).create(rules="classic", seed="elsewhere")
    call(bob, "Bob")
    game = Api(bob).create(rules="endless", seed=SEED)
    assert bob.get(f"/api/v1/games/{game['id']}/hint").status_code == 200
    Api(bob).act(game, *line("endless", SEED))
    for _ in range(2):
        clock.tick(1)
        win_deal(ada, SEED)
    assert names(board(ada)) == {
        "First attempts": ["Ada"],
        "With help": ["Bob"],
        "Further attempts": ["Ada"],
    }


def test_the_seeds_of_dots_and_whole_decks_have_their_boards(ada: TestClient) -> None:
    for seed in (".", ".."):
        assert board(ada, f"/b/endless?seed={seed}").one("h1").text == "Board"
    game = Api(ada).create(rules="endless", deck=DECK)
    Api(ada).act(game, *line("endless", SEED))
    assert names(board(ada, f"/b/endless/{DECK}")) == {"First attempts": ["Ada"]}
    assert names(board(ada)) == {}


def test_an_address_in_other_words_leads_to_the_one_that_counts(client: TestClient) -> None:
    answer = client.get(f"/b/d1rx/{SEED}")
    assert (answer.status_code, answer.headers["location"]) == (308, f"/b/endless/{SEED}")
    answer = client.get(f"/b/endless?seed={SEED}")
    assert (answer.status_code, answer.headers.get("location")) in {(200, None), (308, f"/b/endless/{SEED}")}


def test_a_deal_that_is_none_has_no_board(client: TestClient) -> None:
    for path in ("/nothing/a", "/endless/%00", "/endless", f"/endless/{'a' * 65}", f"/endless/{'6d' * 52}"):
        assert client.get(f"/b{path}").status_code == 404, path
        assert client.get(f"/api/v1/boards{path}").status_code == 404, path


def test_the_api_tells_a_board(ada: TestClient, other: TestClient, clock: Clock) -> None:
    win_deal(ada, SEED)
    row = {
        "place": 1,
        "name": "Ada",
        "moves": len(line("endless", SEED)),
        "milliseconds": 0,
        "won_at": clock(),
        "own": False,
    }
    lists = {"first": [row], "helped": [], "repeats": []}
    assert other.get(f"/api/v1/boards/endless/{SEED}").json() == {
        "rules": "endless",
        "seed": SEED,
        "link": f"/d/endless/{SEED}",
        **lists,
    }
    assert ada.get(f"/api/v1/boards/endless/{SEED}").json()["first"] == [{**row, "own": True}]


def test_a_day_s_board_tells_late_games_apart(client: TestClient, app: FastAPI, ada: TestClient, clock: Clock) -> None:
    seed, path = seed_of(ada), f"/daily/endless/{TODAY}/board"
    win_daily(ada, seed)
    clock.tick(DAY)
    bob = beside(client, app)
    Api(bob).create(rules="classic", seed="elsewhere")
    call(bob, "Bob")
    win_daily(bob, seed, TODAY)
    assert names(board(bob, path)) == {"First attempts": ["Ada"], "On later days": ["Bob"]}
    assert board(bob, path).one("a", href=f"/daily/endless/{TODAY}").text == "Play this deal"
    assert names(board(bob, f"/b/endless/{seed}")) == {"First attempts": ["Ada", "Bob"]}


def test_a_table_leads_to_its_board_unless_a_given_deck_would_be_shown(client: TestClient) -> None:
    daily, api = begin_daily(client), Api(client)
    for game_id, path in (
        (daily, f"/daily/endless/{TODAY}/board"),
        (api.create(rules="endless", seed=SEED)["id"], f"/b/endless/{SEED}"),
        (api.create(rules="endless", deck=DECK)["id"], None),
    ):
        links = [link["href"] for link in read_html(client.get(f"/g/{game_id}").text).all("a") if link.text == "Board"]
        assert links == ([path] if path else [])


def test_a_board_tells_no_time_to_who_does_not_want_the_clock(ada: TestClient, clock: Clock) -> None:
    api = Api(ada)
    game = api.act(api.create(rules="endless", seed=SEED), line("endless", SEED)[0])
    clock.tick(754)
    api.act(game, *line("endless", SEED)[1:])
    path = f"/b/endless/{SEED}"
    assert [cell.text for cell in board(ada).one("tbody").all("td")][2] == "12:34"
    ada.cookies.set("pyramid_settings", "timer%3Doff")
    # The addresses of style sheets carry a digest, in which any number may stand.
    page = re.sub(r"\?v=[0-9a-f]+", "", ada.get(path).text)
    assert "12:34" not in page
    assert "754" not in page
    assert [head.text for head in read_html(page).all("th", scope="col")] == ["Place", "Name", "Moves"]


def test_a_board_leads_back_to_the_game_that_one_is_in(ada: TestClient, other: TestClient) -> None:
    api, daily = Api(ada), begin_daily(ada)
    game = api.act(api.create(rules="endless", seed=SEED), "draw")["id"]
    for path, running in ((f"/b/endless/{SEED}", game), (f"/daily/endless/{TODAY}/board", daily)):
        ways = [link["href"] for link in board(ada, path).one("main").all("a") if link.text == "Back to your game"]
        assert ways == [f"/g/{running}"]
        assert not [link for link in board(other, path).all("a") if link.text == "Back to your game"]
    page = board(other, f"/daily/endless/{TODAY}/board").one("main")
    assert page.all("a", href="/daily")
    assert page.all("a", href=f"/daily/endless/calendar?month={TODAY[:7]}")


def test_a_day_on_a_board_is_told_in_words(ada: TestClient) -> None:
    win_deal(ada, SEED)
    when = board(ada).one("tbody").one("time")
    assert (when["datetime"], when.text) == ("2027-01-15", "15 January 2027")


def test_a_game_still_running_is_on_no_board(ada: TestClient) -> None:
    begin_daily(ada)
    assert names(board(ada, f"/daily/endless/{TODAY}/board")) == {}


def test_no_board_takes_anything_from_a_client(ada: TestClient) -> None:
    for path in (f"/b/endless/{SEED}", f"/daily/endless/{TODAY}/board", f"/api/v1/boards/endless/{SEED}"):
        assert post_form(ada, path, moves="1", name="Ada").status_code == 405
