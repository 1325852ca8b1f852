import pytest
from starlette.testclient import TestClient

from tests.conftest import Clock
from tests.playthroughs import wins
from tests.web.api import Api
from tests.web.browser import HTMX, post_form
from tests.web.reading import read_html

WIN = next(win for win in wins() if win.rules == "endless")


def won(api: Api, clock: Clock, *before: str, seconds: float = 60) -> str:
    """The id of a game that was won in a minute or another time, with some actions more at its start."""
    game = api.act(api.create(rules=WIN.rules, seed=WIN.deal), *before)
    clock.tick(seconds)
    return str(api.act(game, *WIN.actions)["id"])


def dared(client: TestClient, game: str) -> str:
    """The address of a challenge to a finished game's deal."""
    answer = post_form(client, f"/g/{game}/challenge")
    assert answer.status_code == 303
    address = read_html(client.get(answer.headers["location"]).text).one(id="dare")["data-path"]
    assert address.startswith("/c/")
    return address


@pytest.fixture
def game(api: Api, clock: Clock) -> str:
    return won(api, clock, "draw", "undo")


def test_a_result_says_rules_moves_time_and_nothing_of_the_cards(client: TestClient, game: str) -> None:
    shown = read_html(client.get(f"/g/{game}/result").text).one(id="result")
    moves = len(WIN.actions) + 2
    assert shown.text == f"Pyramid 13, Endless, deal {WIN.deal}: won in {moves} moves, 1:00."
    assert shown["data-path"] == f"/d/endless/{WIN.deal}"


def test_a_game_that_is_still_played_has_no_result(client: TestClient, api: Api) -> None:
    running = api.act(api.create(), "draw")["id"]
    assert client.get(f"/g/{running}/result").status_code == 404
    assert post_form(client, f"/g/{running}/challenge").status_code == 404


def test_a_challenge_deals_the_same_cards_and_tells_no_result_yet(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    page = other.get(address)
    assert page.status_code == 200
    assert "set-cookie" not in page.headers
    assert f"{len(WIN.actions) + 2} moves" not in page.text
    assert "1:00" not in page.text
    cards = [card["value"] for card in read_html(page.text).all("button", name="card")]
    opening = read_html(other.get(f"/d/endless/{WIN.deal}").text)
    assert cards == [card["value"] for card in opening.all("button", name="card")]


def test_the_result_is_told_once_the_friend_has_won(client: TestClient, other: TestClient, game: str) -> None:
    post_form(client, "/you/name", name="Ada <b>")
    address = dared(client, game)
    key = read_html(other.get(address).text).one("input", name="begin")["value"]
    begun = post_form(other, address, version="0", begin=key, action=WIN.actions[0])
    friends = begun.headers["location"].removeprefix("/g/")
    assert "Ada" in other.get(address).text
    assert not read_html(other.get(address).text).all("dl", class_="compared")
    api = Api(other)
    api.act(api.show(friends), *WIN.actions[1:])
    answer = other.get(address).text
    rows = [row.text for row in read_html(answer).all("dd")]
    assert rows == [f"won in {len(WIN.actions)} moves, 0:00", f"won in {len(WIN.actions) + 2} moves, 1:00"]
    assert "You did better." in answer
    assert "Ada <b>" not in answer


def test_a_challenge_is_remembered_as_long_as_it_is_played(client: TestClient, other: TestClient, game: str) -> None:
    address = dared(client, game)
    begun = post_form(other, address, HTMX, version="0", begin="b" * 20, action="draw")
    own = begun.headers["HX-Replace-Url"]
    promise = "A friend challenges you. The result to beat is told when you are done."
    assert promise in other.get(own).text
    version = 1
    for action in ("undo", *WIN.actions):
        answer = post_form(other, own, HTMX, version=str(version), action=action)
        version += 1
    ways = read_html(answer.text).one("p", **{"class": "after"}).all("a")
    assert [way.text for way in ways][:2] == ["Compare", "New deal"]
    assert promise not in other.get(own).text
    told = read_html(other.get(f"{own}/verdict?version={version}").text).one("div", **{"class": "verdict fewest"})
    assert told.text.startswith("You did better: as many moves, in a shorter time. ")
    # Played once more, there is no result that is still to be told; nor is there one for who made it.
    for who, key in ((other, "c" * 20), (client, "d" * 20)):
        again = post_form(who, address, HTMX, version="0", begin=key, action="draw")
        assert "challenges you" not in who.get(again.headers["HX-Replace-Url"]).text


def test_a_challenge_that_is_withdrawn_is_not_spoken_of(client: TestClient, other: TestClient, game: str) -> None:
    begun = post_form(other, dared(client, game), HTMX, version="0", begin="b" * 20, action="draw")
    post_form(client, f"/g/{game}/challenge/withdraw")
    page = other.get(begun.headers["HX-Replace-Url"])
    assert page.status_code == 200
    assert "challenges you" not in page.text


@pytest.mark.parametrize(
    ("before", "seconds", "timer", "said"),
    [
        (("draw", "undo"), 59, "on", "You did better: as many moves, in a shorter time."),
        (("draw", "undo"), 60.9, "on", "You are even."),
        (("draw", "undo"), 61, "on", "Ada did better: as many moves, in a shorter time."),
        (("draw", "undo"), 59, "off", "You are even."),
        (("draw", "undo"), 61, "off", "You are even."),
        ((), 61, "on", "You did better."),
        (("draw", "undo", "draw", "undo"), 59, "on", "Ada did better."),
    ],
)
def test_of_as_many_moves_the_shorter_time_is_better_where_time_is_told(  # noqa: PLR0913, PLR0917 - fixtures and a table.
    client: TestClient,
    other: TestClient,
    clock: Clock,
    game: str,
    before: tuple[str, ...],
    seconds: float,
    timer: str,
    said: str,
) -> None:
    post_form(client, "/you/name", name="Ada")
    address = dared(client, game)
    won(Api(other), clock, *before, seconds=seconds)
    other.cookies.set("pyramid_settings", f"timer%3D{timer}")
    assert said in [line.text for line in read_html(other.get(address).text).one("main").all("p")]


def test_giving_up_tells_the_result_as_well(client: TestClient, other: TestClient, game: str) -> None:
    address = dared(client, game)
    api = Api(other)
    api.leave(api.act(api.create(rules=WIN.rules, seed=WIN.deal), "draw")["id"])
    page = read_html(other.get(address).text)
    assert page.all("dd")[0].text == "given up after 1 move"
    assert "did better" in page.text


def test_a_game_that_was_not_played_from_the_deal_tells_nothing(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    api = Api(other)
    api.leave(api.create(rules="classic", seed=WIN.deal)["id"])
    api.act(api.create(rules=WIN.rules, seed=WIN.deal), "draw")
    assert read_html(other.get(address).text).all("input", name="begin")


def test_whoever_sent_a_challenge_can_send_it_on_withdraw_it_and_see_his_result(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    page = read_html(client.get(address).text)
    assert page.one("h1").text == "Challenge"
    assert page.one("main").all("a", href=address)
    assert page.one(id="dare")["data-path"] == address
    assert [link.text for link in page.all("a", href=f"/g/{game}/result")] == ["Result"]
    assert page.all("form", action=f"/g/{game}/challenge/withdraw")
    api = Api(other)
    api.leave(api.act(api.create(rules=WIN.rules, seed=WIN.deal), "draw")["id"])
    assert game not in other.get(address).text


def test_a_result_tells_no_time_to_who_does_not_want_the_clock(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    api = Api(other)
    api.leave(api.act(api.create(rules=WIN.rules, seed=WIN.deal), "draw")["id"])
    for visitor, path in ((client, f"/g/{game}/result"), (client, address), (other, address)):
        assert "1:00" in visitor.get(path).text
        visitor.cookies.set("pyramid_settings", "timer%3Doff")
        assert "1:00" not in visitor.get(path).text
        visitor.cookies.delete("pyramid_settings")


def test_a_withdrawn_challenge_leads_nowhere(client: TestClient, other: TestClient, game: str) -> None:
    address = dared(client, game)
    assert dared(client, game) == address
    assert post_form(client, f"/g/{game}/challenge/withdraw").status_code == 303
    assert other.get(address).status_code == 404
    assert post_form(other, address, version="0", begin="x" * 43, action="draw").status_code == 404
    assert dared(client, game) != address


@pytest.mark.parametrize("key", ["x", "x" * 43, "%00" * 43, "x" * 5000])
def test_a_key_that_nobody_made_leads_nowhere(client: TestClient, key: str) -> None:
    assert client.get(f"/c/{key}").status_code == 404
    assert post_form(client, f"/c/{key}", version="0", action="draw").status_code == 404


def test_only_the_player_himself_makes_or_withdraws_a_challenge(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    for path in ("result", "challenge", "challenge/withdraw"):
        answer = other.get(f"/g/{game}/{path}") if path == "result" else post_form(other, f"/g/{game}/{path}")
        assert answer.status_code == 404
    assert client.get(address).status_code == 200


def test_a_challenge_can_be_played_again_and_the_new_game_belongs_to_it(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    key = read_html(other.get(address).text).one("input", name="begin")["value"]
    begun = post_form(other, address, version="0", begin=key, action=WIN.actions[0]).headers["location"]
    Api(other).leave(begun.removeprefix("/g/"))
    page = read_html(other.get(begun).text)
    (again,) = {link["href"] for link in page.all("a") if link.text in {"This deal again", "Restart this deal"}}
    assert other.get(again).headers["location"] == f"{address}?again=1"
    opening = read_html(other.get(f"{address}?again=1").text)
    assert opening.one(id="table")["data-version"] == "0"
    key = opening.one("input", name="begin")["value"]
    anew = post_form(other, address, version="0", begin=key, action=WIN.actions[0]).headers["location"]
    assert anew != begun
    links = [link["href"] for link in read_html(other.get(anew).text).all("a") if link.text == "Restart this deal"]
    assert links == [f"{anew}/deal?again=1"]
    # Without it the comparison stands there; a link for others leads to the plain deal.
    assert other.get(address).text.count("did better") == 1
    assert other.get(f"{anew}/deal").headers["location"] == f"/d/endless/{WIN.deal}"


def test_a_game_of_a_challenge_that_was_withdrawn_leads_to_the_plain_deal(
    client: TestClient, other: TestClient, game: str
) -> None:
    address = dared(client, game)
    key = read_html(other.get(address).text).one("input", name="begin")["value"]
    begun = post_form(other, address, version="0", begin=key, action=WIN.actions[0]).headers["location"]
    post_form(client, f"/g/{game}/challenge/withdraw")
    assert other.get(f"{begun}/deal?again=1").headers["location"] == f"/d/endless/{WIN.deal}"


def test_a_game_from_the_middle_of_another_is_no_challenge(client: TestClient, api: Api, clock: Clock) -> None:
    game = won(api, clock)
    onward = post_form(client, f"/g/{game}/on", at=str(len(WIN.actions) - 1)).headers["location"].removeprefix("/g/")
    api.act(api.show(onward), WIN.actions[-1])
    assert post_form(client, f"/g/{onward}/challenge").status_code == 404
