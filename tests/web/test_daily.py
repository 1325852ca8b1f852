"""The pages of the daily deals: today's, each day's, the calendar."""

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.conftest import Clock, beside, make_app, new_client
from tests.databases import rows
from tests.web.browser import HTMX, Browser, post_form
from tests.web.daily import DAY, TODAY, begin_daily, line, seed_of, win_daily
from tests.web.reading import Element, read_html

RULES = ("endless", "classic", "open")
TOMORROW, YESTERDAY = "2027-01-16", "2027-01-14"
PAGES = ("/daily", f"/daily/endless/{TODAY}", f"/daily/open/{YESTERDAY}", "/daily/classic/calendar")

HOSTILE_DAYS = [
    TOMORROW,
    "2099-01-01",
    "2025-12-31",
    "0000-00-00",
    "0001-01-01",
    "9999-12-31",
    "2027-02-30",
    "2027-1-15",
    "20270115",
    "2027-W02-5",
    "2027-01-15T00:00",
    "+027-01-15",
    "2027-01-1%D9%A5",
    "２０２７-01-15",
    "today",
    "-",
    "%00",
    "2027-01-15%0A",
    "..%2f2027-01-15",
    "9" * 3_000,
]
HOSTILE_MONTHS = [
    "",
    "2027-02",
    "2025-12",
    "2027-00",
    "2027-13",
    "0000-01",
    "9999-12",
    "99999-01",
    "2027-1",
    "2027-01-15",
    "2027-01%00",
    "٢٠٢٧-01",
    "x",
    "1" * 3_000,
]


def section(page: Element, number: int) -> Element:
    """What the page of today tells of one of its deals, 1 the first."""
    return page.one("section", **{"aria-labelledby": f"daily-{number}"})


def month(client: TestClient, query: str = "", rules: str = "endless") -> Element:
    return read_html(client.get(f"/daily/{rules}/calendar{query}").text)


def mark(page: Element, day: str) -> str:
    """The class of a day's mark in the calendar; empty without one."""
    return " ".join(found["class"] for found in page.one("table").one("a", href=f"/daily/endless/{day}").all("i"))


@pytest.mark.parametrize("path", PAGES)
def test_a_visitor_who_only_looks_gets_no_cookie_and_is_not_remembered(
    client: TestClient, path: str, tmp_path: Path
) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
    read_html(answer.text)
    assert rows(tmp_path, "SELECT count(*) FROM players") == [(0,)]
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(0,)]


def test_today_has_a_deal_for_each_of_three_rule_sets(client: TestClient) -> None:
    page = read_html(client.get("/daily").text)
    assert [heading.text for heading in page.all("h2")] == ["Endless", "Classic", "Open stock"]
    assert page.one("time")["datetime"] == TODAY
    for number, rules in enumerate(RULES, 1):
        told = section(page, number)
        assert told.one("p", **{"class": "stands"}).text == "Not begun."
        assert told.one("a", href=f"/daily/{rules}/{TODAY}").text == f"Play {told.one('h2').text}"
        assert told.one("a", href=f"/daily/{rules}/calendar")
        assert told.one("a", href=f"/daily/{rules}/{TODAY}/board")


def test_the_api_tells_today_s_deals_as_the_pages_do(client: TestClient) -> None:
    deals = client.get("/api/v1/daily").json()
    assert [(deal["rules"], deal["day"], deal["link"]) for deal in deals] == [
        (rules, TODAY, f"/daily/{rules}/{TODAY}") for rules in RULES
    ]
    for deal in deals:
        assert re.fullmatch(r"[0-9a-f]{32}", deal["seed"])
        shown = client.get(f"/api/v1/deals/{deal['rules']}/{deal['seed']}").json()["pyramid"]
        page = read_html(client.get(deal["link"]).text)
        cards = [card["value"] for card in page.all("button", name="card")]
        assert cards[:28] == [card for row in shown for card in row]


def test_the_deals_stay_when_the_server_starts_again(client: TestClient, tmp_path: Path, clock: Clock) -> None:
    before = client.get("/api/v1/daily").json()
    with new_client(make_app(tmp_path, clock)) as again:
        assert again.get("/api/v1/daily").json() == before


def test_a_rule_set_alone_leads_to_today(client: TestClient) -> None:
    answer = client.get("/daily/classic")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/daily/classic/{TODAY}")


def test_other_rule_sets_have_no_daily_pages(client: TestClient) -> None:
    for rules in ("strict", "d1rx", "nothing", "Endless"):
        for rest in ("", f"/{TODAY}", "/calendar", f"/{TODAY}/board"):
            assert client.get(f"/daily/{rules}{rest}").status_code == 404, (rules, rest)


def test_a_day_that_is_none_or_still_to_come_is_not_found(client: TestClient, tmp_path: Path) -> None:
    for path in (f"/daily/endless/{day}" for day in HOSTILE_DAYS):
        answers = (client.get(path), client.get(f"{path}/board"), post_form(client, path, version="0", action="draw"))
        assert {answer.status_code for answer in answers} == {404}, path
    assert rows(tmp_path, "SELECT (SELECT count(*) FROM dailies) + (SELECT count(*) FROM games)") == [(0,)]


def test_a_month_that_is_none_or_outside_of_the_calendar_is_not_found(client: TestClient) -> None:
    for text in HOSTILE_MONTHS:
        assert client.get(f"/daily/endless/calendar?month={text}").status_code == 404, text


def test_a_daily_deal_is_played_without_script_from_the_first_card_on(client: TestClient) -> None:
    browser = Browser(client)
    browser.open(f"/daily/endless/{TODAY}")
    assert browser.page.one("h1").text == "Endless daily deal, 15 January 2027"
    pair = next(pair for pair in browser.page.one(id="table")["data-pairs"].split() if "+" in pair)
    browser.card(pair.split("+")[0])
    assert browser.path == f"/daily/endless/{TODAY}?chosen={pair.split('+')[0]}"
    browser.card(pair.split("+")[1])
    assert browser.path.startswith("/g/")
    assert browser.page.one("h1").text == "Endless daily deal, 15 January 2027"
    assert browser.page.one(id="copy")["href"] == f"/daily/endless/{TODAY}"


def test_htmx_begins_a_daily_game_in_place(client: TestClient) -> None:
    page = read_html(client.get(f"/daily/endless/{TODAY}").text)
    key, path = page.one("input", name="begin")["value"], page.one(id="table").all("form")[0]["hx-post"]
    answer = post_form(client, path, HTMX, version="0", begin=key, action="draw")
    assert answer.headers["hx-replace-url"].startswith("/g/")
    again = post_form(client, path, HTMX, version="0", begin=key, action="draw")
    assert again.headers["hx-replace-url"] == answer.headers["hx-replace-url"]


def test_a_key_begins_another_game_on_the_same_deal_by_its_link(client: TestClient) -> None:
    daily = begin_daily(client)
    seed, key = seed_of(client), "k" * 43
    first = post_form(client, f"/daily/endless/{TODAY}", version="0", begin=key, action="draw")
    second = post_form(client, f"/d/endless/{seed}", version="0", begin=key, action="draw")
    assert len({first.headers["location"], second.headers["location"], f"/g/{daily}"}) == 3


def test_an_impossible_first_action_changes_nothing_and_the_form_leads_to_the_day(client: TestClient) -> None:
    answer = post_form(client, f"/daily/endless/{TODAY}", version="0", begin="k" * 43, action="undo")
    assert answer.status_code == 422
    assert read_html(answer.text).one(id="table").all("form")[0]["action"] == f"/daily/endless/{TODAY}"


def test_a_game_that_runs_can_be_gone_on_with(client: TestClient, other: TestClient) -> None:
    game_id = begin_daily(client)
    for path in ("/daily", f"/daily/endless/{TODAY}"):
        assert read_html(client.get(path).text).one("a", href=f"/g/{game_id}")
        assert read_html(other.get(path).text).all("a", href=f"/g/{game_id}") == []
    assert section(read_html(client.get("/daily").text), 1).one("p", **{"class": "stands"}).text == (
        "Begun; 1 move so far."
    )


def test_a_win_is_told_with_its_moves_and_streak(client: TestClient) -> None:
    seed = seed_of(client)
    win_daily(client, seed)
    told = section(read_html(client.get("/daily").text), 1).one("p", **{"class": "stands"})
    assert told.text == f"Won in {len(line('endless', seed))} moves. 1 day in a row; the longest row: 1."
    assert told.one("i")["class"] == "mark won"
    assert mark(month(client), TODAY) == "mark won"


def test_a_streak_waits_for_today_and_ends_with_a_day_missed(client: TestClient, clock: Clock) -> None:
    def told() -> str:
        return section(read_html(client.get("/daily").text), 1).one("p", **{"class": "stands"}).text

    win_daily(client, seed_of(client))
    clock.tick(DAY)
    assert told() == "Not begun. 1 day in a row; the longest row: 1."
    win_daily(client, seed_of(client), TOMORROW)
    assert told().endswith("2 days in a row; the longest row: 2.")
    clock.tick(2 * DAY)
    assert told() == "Not begun. Longest row: 2."


def test_a_page_opened_before_midnight_still_plays_its_own_day_but_late(client: TestClient, clock: Clock) -> None:
    seed = seed_of(client)
    page = read_html(client.get(f"/daily/endless/{TODAY}").text)
    clock.tick(DAY)
    key = page.one("input", name="begin")["value"]
    answer = post_form(client, page.one(id="table").all("form")[0]["action"], version="0", begin=key, action="draw")
    game_id = answer.headers["location"].removeprefix("/g/")
    assert client.get(f"/api/v1/games/{game_id}").json()["link"] == f"/daily/endless/{TODAY}"
    assert mark(month(client), TODAY) == "mark tried"
    win_daily(client, seed, TODAY)
    assert mark(month(client), TODAY) == "mark late"
    assert mark(month(client), TOMORROW) == ""


def test_a_day_that_is_over_says_so(client: TestClient) -> None:
    past = client.get(f"/daily/endless/{YESTERDAY}").text
    assert "won late" in past
    assert "won late" not in client.get(f"/daily/endless/{TODAY}").text


def test_midnight_opens_the_next_day_and_not_a_millisecond_before(client: TestClient, clock: Clock) -> None:
    clock.milliseconds = 1_800_057_599_999
    assert client.get(f"/daily/endless/{TOMORROW}").status_code == 404
    assert client.get("/daily/endless").headers["location"].endswith(TODAY)
    clock.milliseconds += 1
    assert client.get(f"/daily/endless/{TOMORROW}").status_code == 200
    assert client.get("/daily/endless").headers["location"].endswith(TOMORROW)


def test_the_calendar_links_every_day_up_to_today(client: TestClient) -> None:
    page = month(client).one("table")
    links = page.all("a")
    assert [link["href"] for link in links] == [f"/daily/endless/2027-01-{day:02}" for day in range(1, 16)]
    assert [link["href"] for link in links if link.attributes.get("aria-current") == "date"] == [
        f"/daily/endless/{TODAY}"
    ]
    assert [cell.text for cell in page.all("td") if cell.text] == [str(day) for day in range(1, 32)]
    assert [cell.text for cell in page.all("th")] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    # 1 January 2027 is a Friday.
    assert [cell.text for cell in page.all("tr")[1].children] == ["", "", "", "", "1", "2", "3"]


def test_the_calendar_goes_from_its_first_month_to_this_one(client: TestClient) -> None:
    seen = []
    path = "/daily/open/calendar"
    while path:
        page = read_html(client.get(path).text)
        seen.append(page.one("h2").text)
        path = next((link["href"] for link in page.all("a", rel="prev")), "")
    assert (seen[0], seen[-1], len(seen)) == ("January 2027", "January 2026", 13)
    assert month(client).all("a", rel="next") == []
    assert month(client, "?month=2026-12").one("a", rel="next")["href"] == "/daily/endless/calendar?month=2027-01"


def test_a_calendar_is_its_player_s_own(client: TestClient, other: TestClient) -> None:
    win_daily(client, seed_of(client))
    assert mark(month(other), TODAY) == ""
    assert month(client, rules="classic").one("table").all("i") == []


def test_every_mark_is_told_in_words_as_well(client: TestClient) -> None:
    win_daily(client, seed_of(client))
    names = [link["aria-label"] for link in month(client).one("table").all("a")]
    assert names[-2:] == ["14 January 2027", "15 January 2027, today, won"]


def test_a_deal_that_many_ask_for_is_found_once(app: FastAPI, client: TestClient, tmp_path: Path) -> None:
    visitors = [beside(client, app) for _ in range(3)]
    assert len({seed_of(visitor) for visitor in visitors}) == 1
    assert rows(tmp_path, "SELECT count(*) FROM dailies") == [(3,)]
