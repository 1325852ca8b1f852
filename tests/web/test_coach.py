"""What the solver tells in the game: verdicts, the way back, hints, solutions, deals that can be won."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from app.play.advice import coach
from app.rules.deal import deck_text, read_deal
from app.rules.game import begin, play
from app.rules.moves import DRAW, Discard, action_text, read_action, read_move
from app.rules.ruleset import NAMED, RuleSet, read_rules
from app.rules.state import is_won, legal_moves, start
from app.solver.solve import Lost, Won, solve
from app.web.deps import PREFERENCES_COOKIE
from tests import databases
from tests.conftest import Clock
from tests.playthroughs import wins
from tests.web.api import Api
from tests.web.browser import HTMX, OWN_FORM, Browser, post_form
from tests.web.losing import LOSABLE, RULES, TO_LOSS, unwinnable
from tests.web.reading import read_html


@pytest.fixture
def browser(client: TestClient) -> Browser:
    return Browser(client)


def test_the_api_says_winnable_until_the_move_that_loses(api: Api) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS[:-1])
    path = f"/api/v1/games/{game['id']}/verdict"
    assert api.client.get(path).json() == {"verdict": "winnable", "undos": None}
    api.act(game, TO_LOSS[-1])
    assert api.client.get(path).json() == {"verdict": "lost", "undos": 1}


def test_the_way_back_counts_the_undos_to_the_last_winnable_position(api: Api) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS)
    game = api.act(game, next(action for action in game["actions"] if action != "undo"))
    assert api.client.get(f"/api/v1/games/{game['id']}/verdict").json() == {"verdict": "lost", "undos": 2}


def test_a_deal_that_never_could_be_won_has_no_way_back(api: Api) -> None:
    game = api.act(api.create(rules="classic", seed=unwinnable("classic")), "draw")
    assert api.client.get(f"/api/v1/games/{game['id']}/verdict").json() == {"verdict": "lost", "undos": None}


def test_a_loss_is_told_with_the_move_and_one_button_leads_back(api: Api) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS[:-1])
    path, last = f"/g/{game['id']}", read_action(TO_LOSS[-1])
    fields = {"action": action_text(last)}
    if isinstance(last, Discard):
        codes = TO_LOSS[-1].split("+")
        fields = {"card": codes[-1], "chosen": codes[0] if len(codes) > 1 else ""}
    # The page has been seen before the move, so what was known then is known.
    api.client.get(path)
    answer = post_form(api.client, path, HTMX, version=str(game["version"]), **fields)
    page = read_html(answer.text)
    if page.all("div", **{"class": "verdict thinking"}):
        page = read_html(api.client.get(f"{path}/verdict?version={len(TO_LOSS)}").text)
    assert "can no longer be won" in page.one("div", **{"class": "verdict lost"}).text
    button = page.one("button", name="back")
    assert (button["value"], button.text) == ("1", "Undo 1 move to where it can be won")
    back = post_form(api.client, path, HTMX, version=str(len(TO_LOSS)), back="1")
    assert back.status_code == 200
    after = api.show(game["id"])
    assert (after["moves"], after["version"]) == (len(TO_LOSS) + 1, len(TO_LOSS) + 1)
    assert after["pyramid"] == game["pyramid"]
    # Pressed twice, it goes back once.
    assert post_form(api.client, path, HTMX, version=str(len(TO_LOSS)), back="1").status_code == 200
    assert api.show(game["id"])["version"] == len(TO_LOSS) + 1


def test_several_moves_go_back_at_once_and_each_counts(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw", "draw", "draw", "draw")
    answer = post_form(api.client, f"/g/{game['id']}", OWN_FORM, version="4", back="3")
    assert answer.status_code == 303
    after = api.show(game["id"])
    assert (after["moves"], after["stock"]["count"], after["can_redo"]) == (7, 23, True)


def test_the_way_back_tells_how_many_moves_it_took_and_that_the_game_can_be_won(api: Api) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS)
    game = api.act(game, next(action for action in game["actions"] if action != "undo"))
    path = f"/g/{game['id']}"
    page = read_html(api.client.get(f"{path}/verdict?version={game['version']}").text)
    assert page.one("button", name="back")["value"] == "2"
    answer = post_form(api.client, path, HTMX, version=str(game["version"]), back="2")
    assert read_html(answer.text).one(id="live").text == "2 moves undone. Can still be won."
    api.client.cookies.set(PREFERENCES_COOKIE, "tell%3Dnever")
    answer = post_form(api.client, path, HTMX, version=str(game["version"] + 2), back="2")
    assert read_html(answer.text).one(id="live").text == "2 moves undone."


@pytest.mark.parametrize("back", ["0", "-1", "1001", "x", "1e1", ""])
def test_a_wrong_number_of_moves_back_is_unreadable(api: Api, back: str) -> None:
    game = api.act(api.create(seed="a"), "draw")
    assert post_form(api.client, f"/g/{game['id']}", OWN_FORM, version="1", back=back).status_code == 422
    assert api.show(game["id"])["version"] == 1


def test_more_moves_back_than_there_are_change_nothing(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw", "draw")
    assert post_form(api.client, f"/g/{game['id']}", OWN_FORM, version="2", back="3").status_code == 422
    assert api.show(game["id"])["version"] == 2


@pytest.mark.parametrize("tell", ["never", "stuck"])
def test_a_player_who_does_not_want_to_know_is_told_nothing(api: Api, tell: str) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS)
    api.client.cookies.set(PREFERENCES_COOKIE, f"tell%3D{tell}")
    page = api.client.get(f"/g/{game['id']}").text
    assert "can still" not in page.lower()
    assert "no longer" not in page
    assert "verdict" not in page
    fragment = api.client.get(f"/g/{game['id']}/verdict?version={game['version']}").text
    assert read_html(fragment).one("div").text == ""
    hint = post_form(api.client, f"/g/{game['id']}", HTMX, version=str(game["version"]), hint="1")
    assert "wins" not in hint.text


def test_a_player_who_wants_to_know_when_stuck_is_told_then(api: Api) -> None:
    game = api.create(rules="classic", seed=unwinnable("classic"))
    while game["actions"] and game["actions"] != ["undo"]:
        game = api.act(game, next(action for action in reversed(game["actions"]) if action not in {"undo", "redo"}))
    assert game["status"] == "stuck"
    api.client.cookies.set(PREFERENCES_COOKIE, "tell%3Dstuck")
    assert "No move is left" in api.client.get(f"/g/{game['id']}").text
    assert "cannot be won" in api.client.get(f"/g/{game['id']}/verdict?version={game['version']}").text


def test_the_settings_are_kept_in_the_browser(browser: Browser) -> None:
    page = browser.open("/settings")
    assert page.one("input", name="tell", value="lost").attributes.keys() >= {"checked"}
    chosen = {"tell": "stuck", "winnable": "on"}
    assert browser.client.post("/settings", data=chosen, headers=OWN_FORM).status_code == 303
    assert unquote(browser.client.cookies[PREFERENCES_COOKIE]) == "tell=stuck&winnable=on"
    assert browser.open("/settings").one("input", name="tell", value="stuck").attributes.keys() >= {"checked"}
    assert browser.client.post("/settings", data={"tell": "x", "winnable": "on"}, headers=OWN_FORM).status_code == 422


def test_a_hint_never_leaves_a_winnable_position_for_a_lost_one(api: Api) -> None:
    game = api.create(rules=RULES, seed=LOSABLE)
    for asked in range(1, 200):
        hint = api.client.get(f"/api/v1/games/{game['id']}/hint").json()
        assert (hint["verdict"], hint["hints"]) == ("winnable", asked)
        game = api.act(game, hint["action"])
        if game["status"] == "won":
            break
    assert game["status"] == "won"
    assert game["hints"] == asked


def test_a_hint_is_counted_once_a_position(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw")
    for _ in range(3):
        assert api.client.get(f"/api/v1/games/{game['id']}/hint").json()["hints"] == 1
    game = api.act(api.show(game["id"]), "draw", "undo")
    assert api.show(game["id"])["hints"] == 1
    assert api.client.get(f"/api/v1/games/{game['id']}/hint").json()["hints"] == 2


@pytest.mark.parametrize("headers", [HTMX, OWN_FORM], ids=["htmx", "plain"])
def test_a_hint_that_a_busy_solver_does_not_give_is_not_counted(
    api: Api, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    monkeypatch.setattr(coach, "AT_ONCE_NODES", 0)
    monkeypatch.setattr(coach, "WAITING_MOST", 0)
    game = api.act(api.create(), "draw")
    answer = post_form(api.client, f"/g/{game['id']}", headers, version="1", hint="1")
    assert answer.status_code == 429
    assert "hands full" in answer.text
    assert int(answer.headers["retry-after"]) > 0
    assert api.show(game["id"])["hints"] == 0


def test_a_hint_comes_in_two_halves(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw")
    path = f"/g/{game['id']}"
    first = read_html(post_form(api.client, path, HTMX, version="1", hint="1").text)
    notice = first.one("div", **{"class": "notice hint"})
    assert notice.text.startswith(("Something can go.", "Draw."))
    assert not first.all("button", **{"class": "hinted"})
    move = api.client.get(f"/api/v1/games/{game['id']}/hint").json()["action"]
    whole = read_html(post_form(api.client, path, HTMX, version="1", hint="2").text)
    named = [card["value"] for card in whole.all("button", **{"class": "hinted"})]
    assert sorted(named) == (sorted(move.split("+")) if move != "draw" else [])


def test_a_hint_that_no_move_is_left_names_nothing(api: Api) -> None:
    game = api.act(api.create(rules="classic", seed="stuck-6"), *["draw"] * 24)
    assert game["status"] == "stuck"
    answer = post_form(api.client, f"/g/{game['id']}", HTMX, version="24", hint="1")
    assert "There is no move" in answer.text
    assert "hinted" not in read_html(answer.text).one(id="stock")["class"].split()


@pytest.mark.parametrize(("rules", "stock"), [("classic", "stock"), ("open", "draw")])
def test_a_hint_to_draw_names_the_stock(api: Api, rules: str, stock: str) -> None:
    openings = ((seed, start(NAMED[rules], read_deal(seed).deck)) for seed in map(str, range(1_000)))
    seed = next(seed for seed, state in openings if legal_moves(state) == (DRAW,))
    game = api.create(rules=rules, seed=seed)
    assert "hinted" not in read_html(api.client.get(f"/g/{game['id']}").text).one(id=stock)["class"].split()
    hinted = read_html(post_form(api.client, f"/g/{game['id']}", HTMX, version="0", hint="1").text)
    assert "hinted" in hinted.one(id=stock)["class"].split()


def test_a_hint_works_without_script_and_from_the_deals_page(browser: Browser) -> None:
    page = browser.open("/d/endless/a")
    page = browser.press(page.one("button", name="hint", value="1"))
    assert re.fullmatch(r"/g/[^/]+\?hint=1", browser.path)
    assert page.one("div", **{"class": "notice hint"})
    assert page.one(id="table")["data-version"] == "0"


def test_a_hint_in_the_address_is_shown_only_where_it_was_asked_for(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw")
    assert 'class="notice hint"' not in api.client.get(f"/g/{game['id']}?hint=2").text
    assert api.show(game["id"])["hints"] == 0


def test_a_hint_on_a_lost_position_says_that_no_move_wins(api: Api) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS)
    hint = api.client.get(f"/api/v1/games/{game['id']}/hint").json()
    assert hint["verdict"] == "lost"
    assert hint["action"] in game["actions"]
    answer = post_form(api.client, f"/g/{game['id']}", HTMX, version=str(game["version"]), hint="1")
    assert "no move wins from here" in answer.text


def test_somebody_elses_game_has_no_verdict_and_no_hint(api: Api, other: TestClient) -> None:
    game = api.act(api.create(seed="a"), "draw")
    for path in ("verdict", "hint"):
        assert other.get(f"/api/v1/games/{game['id']}/{path}").status_code == 404
    assert other.get(f"/g/{game['id']}/verdict?version=1").status_code == 404
    assert other.get(f"/g/{game['id']}/solution").status_code == 404
    assert api.show(game["id"])["hints"] == 0


def test_fewest_and_fastest_are_told_apart_as_they_may_be_of_different_wins(api: Api, clock: Clock) -> None:
    win = next(win for win in wins() if win.rules == "endless")
    count = len(win.actions)

    def said(spent: int, *more: str) -> str:
        """What is said of a win that took so many seconds, and some actions more than it needs."""
        first, *others = win.actions
        game = api.act(api.create(rules=win.rules, seed=win.deal), first)
        clock.tick(spent)
        game = api.act(game, *more, *others)
        path = f"/g/{game['id']}"
        # It has just been told, and the line above the table does not gainsay it.
        assert not read_html(api.client.get(path).text).all("p", **{"class": "best"})
        return read_html(api.client.get(f"{path}/verdict?version={game['version']}").text).all("p")[0].text

    assert said(600).endswith("Your fewest and your fastest by these rules.")
    assert said(60, "undo", "redo").endswith(f"Your best by these rules: {count} moves. Your fastest so far.")
    assert said(700).endswith("Your fewest by these rules. Fastest: 1:00.")
    assert said(700, "undo", "redo").endswith(f"Your best by these rules: {count} moves. Fastest: 1:00.")

    def head(path: str) -> str:
        return read_html(api.client.get(path).text).one("p", **{"class": "best"}).text

    assert head(f"/d/{win.rules}/another") == f"Fewest moves: {count} · fastest: 1:00"
    assert head(f"/d/{win.rules}/{win.deal}") == f"Fewest moves: {count}, here {count} · fastest: 1:00, here 1:00"
    api.client.cookies.set(PREFERENCES_COOKIE, "timer%3Doff")
    assert head(f"/d/{win.rules}/another") == f"Fewest moves: {count}"
    assert said(700).endswith("Your fewest by these rules.")


def test_after_a_win_the_fewest_moves_stand_beside_ones_own(api: Api) -> None:
    win = next(win for win in wins() if win.rules == "open")
    game = api.act(api.create(rules=win.rules, seed=win.deal), *win.actions)
    told = api.client.get(f"/g/{game['id']}/verdict?version={game['version']}").text
    answer = solve(start(NAMED["open"], read_deal(win.deal).deck))
    assert isinstance(answer, Won)
    perfect = len(answer.line) == game["moves"]
    assert ("perfect game" if perfect else f"The fewest possible: {len(answer.line)}.") in told
    # The win's own word may not have been heard to its end.
    assert read_html(told).one(id="live").text.startswith(f"You won, in {game['moves']} moves")


def test_what_is_undone_after_a_win_has_no_verdict(api: Api) -> None:
    win = next(win for win in wins() if win.rules == "open")
    game = api.act(api.create(rules=win.rules, seed=win.deal), *win.actions)
    answer = post_form(api.client, f"/g/{game['id']}", HTMX, version=str(game["version"]), action="undo")
    undone = read_html(answer.text)
    assert undone.one(id="live").text.startswith("Undone: ")
    assert not undone.all(id=f"verdict-{game['version'] + 1}")
    again = post_form(api.client, f"/g/{game['id']}", HTMX, version=str(game["version"] + 1), action="redo")
    assert read_html(again.text).one(id=f"verdict-{game['version'] + 2}")["class"] == "verdict thinking"


def test_a_won_table_offers_no_card(api: Api) -> None:
    win = next(win for win in wins() if win.rules == "three-piles")
    game = api.act(api.create(rules=win.rules, seed=win.deal), *win.actions[:-1])
    before, after = (
        [card.attributes.get("aria-disabled") for card in read_html(text).all("button", name="card")]
        for text in (
            api.client.get(f"/g/{game['id']}").text,
            post_form(api.client, f"/g/{game['id']}", HTMX, version=str(game["version"]), action=win.actions[-1]).text,
        )
    )
    assert None in before
    assert after
    assert set(after) == {"true"}


def test_a_perfect_game_is_marked(api: Api) -> None:
    answer = solve(start(NAMED[RULES], read_deal(LOSABLE).deck))
    assert isinstance(answer, Won)
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *map(action_text, answer.line))
    assert game["status"] == "won"
    assert "perfect game" in api.client.get(f"/g/{game['id']}/verdict?version={game['version']}").text


@pytest.mark.parametrize("rules", ["open", "classic", "endless", "king-tut"])
def test_a_solution_wins_in_the_fewest_moves_it_names(api: Api, rules: str) -> None:
    for seed in map(str, range(1, 6)):
        told = api.client.get(f"/api/v1/deals/{rules}/{seed}/solution").json()
        state = start(read_rules(rules), read_deal(seed).deck)
        answer = solve(state)
        assert told["verdict"] == ("winnable" if isinstance(answer, Won) else "lost")
        if isinstance(answer, Won):
            assert told["moves"] == len(told["line"]) == len(answer.line)
            assert is_won(play(begin(state), map(read_move, told["line"])).state)


def test_a_deck_is_solved_like_its_seed(api: Api) -> None:
    deck = deck_text(read_deal("2").deck)
    told = api.client.post("/api/v1/solve", json={"rules": "open", "deck": deck})
    assert told.json() == api.client.get("/api/v1/deals/open/2/solution").json()
    assert api.client.post("/api/v1/solve", json={"rules": "open", "deck": deck[3:]}).status_code == 422
    assert api.client.post("/api/v1/solve", json={"rules": "d3r0o", "deck": deck}).status_code == 422


def test_a_deals_solution_can_be_stepped_through_forward_and_back(browser: Browser) -> None:
    answer = solve(start(NAMED[RULES], read_deal(LOSABLE).deck))
    assert isinstance(answer, Won)
    page = browser.open(f"/s/{RULES}/{LOSABLE}")
    assert f"in {len(answer.line)} moves at the least" in page.one("div", **{"class": "notice hint"}).text
    for _ in answer.line:
        page = browser.open(page.one("a", rel="next")["href"])
    assert page.all("a", rel="next") == []
    assert "Won." in page.text
    page = browser.open(page.one("a", rel="prev")["href"])
    assert page.one("a", rel="next")
    assert browser.open(f"/s/{RULES}/{LOSABLE}?at=99999").all("a", rel="next") == []
    assert "cannot be won" in browser.open(f"/s/classic/{unwinnable('classic')}").text


@pytest.mark.parametrize("at", ["-1", "x", "1e3", "9" * 500])
def test_an_unreadable_step_of_a_solution_is_refused(client: TestClient, at: str) -> None:
    assert client.get(f"/s/open/1?at={at}").status_code == 422


@pytest.mark.parametrize("rules", ["classic", "endless", "strict", "d1r0ov"])
def test_only_deals_that_can_be_won_are_dealt_when_asked_for(client: TestClient, rules: str) -> None:
    # The seeds of the test's server are numbered; a winnable one is found among them.
    location = client.get(f"/new?rules={rules}&winnable=on").headers["location"]
    seed = location.rpartition("/")[2]
    assert isinstance(solve(start(read_rules(rules), read_deal(seed).deck), fewest=False), Won)


def test_the_wish_for_deals_that_can_be_won_is_remembered(client: TestClient) -> None:
    client.cookies.set(PREFERENCES_COOKIE, "winnable%3Don")
    seed = client.get("/new?rules=classic").headers["location"].rpartition("/")[2]
    assert isinstance(solve(start(RuleSet(redeals=0), read_deal(seed).deck), fewest=False), Won)


def test_verdicts_are_kept_by_position(api: Api, tmp_path: Path) -> None:
    api.client.get(f"/api/v1/deals/{RULES}/{LOSABLE}/solution")
    kept = databases.rows(tmp_path, "SELECT winnable, fewest, line FROM verdicts")
    assert [(row[0], row[1]) for row in kept] == [(1, 1)]
    assert len(kept[0][2].split()) == api.client.get(f"/api/v1/deals/{RULES}/{LOSABLE}/solution").json()["moves"]


def test_the_version_tells_which_search_solves(client: TestClient) -> None:
    assert client.get("/version").json()["solver"] in {"compiled", "plain"}


def test_a_verdict_of_another_version_is_not_told(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw", "draw")
    assert api.client.get(f"/g/{game['id']}/verdict?version=1").status_code == 204


def test_without_script_the_whole_verdict_can_be_asked_for(api: Api) -> None:
    game = api.act(api.create(rules="classic", seed=unwinnable("classic")), "draw")
    assert "cannot be won" in api.client.get(f"/g/{game['id']}?told=1").text


def test_a_hint_on_a_deals_page_clicked_twice_begins_one_game(client: TestClient) -> None:
    page = read_html(client.get("/d/endless/a").text)
    fields = {"version": "0", "begin": page.one("input", name="begin")["value"], "hint": "1"}
    places = {post_form(client, "/d/endless/a", HTMX, **fields).headers["hx-replace-url"] for _ in range(2)}
    assert len(places) == 1
    # And the first action goes on with it.
    del fields["hint"]
    answer = post_form(client, "/d/endless/a", HTMX, **fields, action="draw")
    assert {answer.headers["hx-replace-url"]} == places


def test_a_hint_of_another_version_is_stale_and_not_counted(api: Api) -> None:
    game = api.act(api.create(seed="a"), "draw", "draw")
    assert post_form(api.client, f"/g/{game['id']}", HTMX, version="1", hint="1").status_code == 409
    assert api.show(game["id"])["hints"] == 0


def test_unticking_the_wish_for_winnable_deals_counts(client: TestClient) -> None:
    client.cookies.set(PREFERENCES_COOKIE, "winnable%3Don")
    first = client.get("/new?rules=classic&winnable=off").headers["location"]
    assert first == "/d/classic/" + first.rpartition("/")[2]
    seeds = [client.get("/new?rules=classic&winnable=off").headers["location"].rpartition("/")[2] for _ in range(3)]
    assert any(isinstance(solve(start(NAMED["classic"], read_deal(seed).deck), fewest=False), Lost) for seed in seeds)


def test_a_deal_is_called_unwinnable_only_where_that_is_proven(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.act(api.create(rules=RULES, seed=LOSABLE), *TO_LOSS)
    # With next to no budget for verdicts only what is small is known.
    monkeypatch.setattr("app.play.advice.coach.VERDICT_NODES", 1)
    told = api.client.get(f"/g/{game['id']}/verdict?version={game['version']}").text
    assert "cannot be won" not in told
