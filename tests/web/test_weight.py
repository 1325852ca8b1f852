"""What a move weighs: its answer, compressed, on tables of all kinds in all languages."""

import random

import pytest

from app.rules.deal import read_deal
from app.rules.game import begin
from app.rules.moves import action_text
from app.rules.ruleset import NAMED
from app.rules.state import start
from app.web.language import CODES
from tests.web.api import Api
from tests.web.browser import HTMX, post_form

pytestmark = pytest.mark.shown

MOST = 1500
DECKS = 10


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("rules", NAMED)
def test_the_answer_to_a_move_is_light_whatever_the_deck(api: Api, rules: str, language: str) -> None:
    headers = {**HTMX, "Accept-Language": language, "Accept-Encoding": "gzip"}
    sizes = []
    for seed in map(str, range(DECKS)):
        # The table is fullest, and its answer heaviest, at the beginning.
        choice, game, path = random.Random(seed), begin(start(NAMED[rules], read_deal(seed).deck)), f"/d/{rules}/{seed}"
        for version in range(4):
            action = choice.choice(game.legal_actions())
            game = game.act(action)
            answer = post_form(api.client, path, headers, version=str(version), action=action_text(action))
            assert (answer.status_code, answer.headers["content-encoding"]) == (200, "gzip")
            path = answer.headers.get("HX-Replace-Url", path)
            sizes.append(int(answer.headers["content-length"]))
    assert max(sizes) <= MOST
    assert len(sizes) == 4 * DECKS
