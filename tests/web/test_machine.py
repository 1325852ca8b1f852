"""One game over HTTP against the same game by the rules alone, with stale posts, undo and double clicks mixed in."""

from collections.abc import Callable
from random import Random

import httpx2
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from starlette.testclient import TestClient

from app.rules.board import ROW_SLOTS
from app.rules.cards import PACK, card_text
from app.rules.deal import shuffled
from app.rules.game import Game, begin
from app.rules.moves import Action, Discard, action_text, discard
from app.rules.ruleset import RuleSet
from app.rules.state import outcome, start
from tests.conftest import Clock, make_app, new_client
from tests.strategies import chosen, randomness, rule_sets, seeds
from tests.web.api import JsonObject, game_of
from tests.web.browser import HTMX, OWN_FORM, codes, post_form
from tests.web.reading import read_html

WAYS = st.sampled_from(["json", "htmx", "plain"])


def told(game: Game) -> JsonObject:
    """What the API has to tell of a game, but for who it is and how long it takes."""
    state = game.state
    return {
        "rules": state.rules.slug,
        "version": game.actions,
        "status": outcome(state).value,
        "moves": game.moves,
        "pyramid": [[text(state.pyramid[slot]) for slot in row] for row in ROW_SLOTS],
        "stock": {"count": len(state.stock), "top": text(state.open_card)},
        "waste": [[card_text(card) for card in pile] for pile in state.waste],
        "foundation": state.foundation,
        "redeals_left": state.redeals_left,
        "actions": [action_text(action) for action in game.legal_actions()],
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


def text(card: int | None) -> str | None:
    return None if card is None else card_text(PACK[card])


def backwards(action: Action) -> str:
    """An action's notation with the cards of a pair the other way round."""
    return "+".join(reversed(action_text(action).split("+")))


class GameOverHttp(RuleBasedStateMachine):
    client: TestClient

    @initialize(rules=rule_sets(), seed=seeds())
    def begin(self, rules: RuleSet, seed: str) -> None:
        answer = self.client.post("/api/v1/games", json={"rules": rules.slug, "seed": seed})
        self.id = answer.json()["id"]
        self.game = begin(start(rules, shuffled(seed)))
        self.last: Action | None = None
        self.left = False

    def post(self, way: str, version: int, action: str) -> httpx2.Response:
        if way == "json":
            path = f"/api/v1/games/{self.id}/actions"
            return self.client.post(path, json={"version": version, "action": action})
        headers = HTMX if way == "htmx" else OWN_FORM
        return post_form(self.client, f"/g/{self.id}", headers, version=str(version), action=action)

    def check(self, way: str, answer: httpx2.Response, status: int) -> None:
        """The status, and that the answer shows the game as the rules have it."""
        assert answer.status_code == (303 if way == "plain" and status == 200 else status)
        if way == "json":
            assert told(self.game).items() <= {**game_of(answer)}.items() or self.left
        elif answer.status_code != 303:
            table = read_html(answer.text).one(id="table")
            assert table["data-version"] == str(self.game.actions)

    @precondition(lambda self: not self.left and self.game.legal_actions())
    @rule(way=WAYS, random=randomness(), twice=st.booleans())
    def act(self, way: str, random: Random, *, twice: bool) -> None:
        version, action = self.game.actions, chosen(random, self.game.legal_actions())
        self.game = self.game.act(action)
        self.last = action
        self.check(way, self.post(way, version, action_text(action)), 200)
        if twice:
            self.check(way, self.post(way, version, backwards(action)), 200)

    @precondition(lambda self: not self.left and self.last is not None)
    @rule(way=WAYS)
    def repeat_the_last(self, way: str) -> None:
        assert self.last is not None
        self.check(way, self.post(way, self.game.actions - 1, backwards(self.last)), 200)

    @precondition(lambda self: not self.left)
    @rule(way=WAYS, random=randomness(), other=st.integers(min_value=0, max_value=200))
    def act_on_another_version(self, way: str, random: Random, other: int) -> None:
        action = random.choice(["draw", "undo", "redo", *map(action_text, self.game.legal_actions()), "6d+7h"])
        repeated = self.last is not None and other == self.game.actions - 1 and action == action_text(self.last)
        if other != self.game.actions and not repeated:
            self.check(way, self.post(way, other, action), 409)

    @precondition(lambda self: not self.left)
    @rule(way=WAYS, random=randomness())
    def act_against_the_rules(self, way: str, random: Random) -> None:
        legal = set(self.game.legal_actions())
        cards = random.sample(PACK, random.choice([1, 2, 2, 2]))
        illegal = [action for action in (discard(*cards),) if action not in legal]
        words = [word for word in ("draw", "redeal", "undo", "redo") if word not in map(action_text, legal)]
        for action in [*map(action_text, illegal), *words[:1]]:
            self.check(way, self.post(way, self.game.actions, action), 422)

    @precondition(lambda self: not self.left and self.game.actions > 12)
    @rule(way=WAYS)
    def leave(self, way: str) -> None:
        if self.game.won_after is None:
            path = f"/api/v1/games/{self.id}/leave" if way == "json" else f"/g/{self.id}/leave"
            self.client.post(path)
            self.left = True

    @precondition(lambda self: self.left)
    @rule(way=WAYS)
    def act_after_leaving(self, way: str) -> None:
        self.check(way, self.post(way, self.game.actions, "draw"), 422)

    @rule()
    def look_at_the_page(self) -> None:
        table = read_html(self.client.get(f"/g/{self.id}").text).one(id="table")
        state = self.game.state
        shown = [card for card in state.pyramid if card is not None]
        shown += [state.open_card] if state.open_card is not None else []
        shown += [pile[-1] for pile in state.waste if pile]
        assert codes(table) == [card_text(card) for card in shown]
        legal = [action_text(move) for move in self.game.legal_actions() if isinstance(move, Discard)]
        assert table["data-pairs"].split() == ([] if self.left else legal)

    @invariant()
    def the_game_is_what_the_rules_make_of_its_actions(self) -> None:
        shown = self.client.get(f"/api/v1/games/{self.id}").json()
        expected = told(self.game)
        if self.left:
            expected |= {"actions": [], "can_undo": False, "can_redo": False}
        assert {name: shown[name] for name in expected} == expected
        assert shown["left"] == self.left


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], GameOverHttp]:
    app = make_app(tmp_path_factory.mktemp("data"), Clock())
    with new_client(app) as client:
        # One server for all games, as in life.
        GameOverHttp.client = client
        yield GameOverHttp


def test_a_game_over_http_is_the_game_that_the_rules_describe(machine: Callable[[], GameOverHttp]) -> None:
    how = settings(
        max_examples=25,
        stateful_step_count=35,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(machine, settings=how)
