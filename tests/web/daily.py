"""Playing daily deals over HTTP, in few words."""

import re
from functools import lru_cache

import httpx2

from app.rules.deal import read_deal
from app.rules.moves import action_text
from app.rules.ruleset import read_rules
from app.rules.state import start
from app.solver.solve import Won, solve
from tests.web.api import Api
from tests.web.browser import post_form
from tests.web.reading import read_html

TODAY = "2027-01-15"
"""What the clock of the tests says."""

DAY = 86_400
"""The seconds of a day."""


@lru_cache(maxsize=64)
def line(rules: str, seed: str) -> tuple[str, ...]:
    """Actions that win a deal."""
    found = solve(start(read_rules(rules), read_deal(seed).deck), fewest=False)
    assert isinstance(found, Won)
    return tuple(map(action_text, found.line))


def seed_of(client: httpx2.Client, rules: str = "endless") -> str:
    """The seed of today's deal."""
    return next(deal["seed"] for deal in client.get("/api/v1/daily").json() if deal["rules"] == rules)


def begin_daily(client: httpx2.Client, day: str = TODAY, rules: str = "endless", action: str = "draw") -> str:
    """The id of a new game of a day's deal after its first action."""
    page = read_html(client.get(f"/daily/{rules}/{day}").text)
    key = page.one("input", name="begin")["value"]
    answer = post_form(client, f"/daily/{rules}/{day}", version="0", begin=key, action=action)
    assert answer.status_code == 303, answer.text
    found = re.fullmatch(r"/g/([A-Za-z0-9_-]+)", answer.headers["location"])
    assert found is not None
    return found[1]


def win_daily(client: httpx2.Client, seed: str, day: str = TODAY) -> str:
    """The id of a game that won a day's endless deal, in the fewest actions that the solver finds at once."""
    first, *rest = line("endless", seed)
    game_id = begin_daily(client, day, action=first)
    api = Api(client)
    assert api.act(api.show(game_id), *rest)["status"] == "won"
    return game_id


def win_deal(client: httpx2.Client, seed: str) -> str:
    """The id of a game that won an endless deal by its link."""
    api = Api(client)
    game = api.act(api.create(rules="endless", seed=seed), *line("endless", seed))
    assert game["status"] == "won"
    return str(game["id"])


def call(client: httpx2.Client, name: str) -> httpx2.Response:
    """The answer to the player's giving himself a name."""
    return post_form(client, "/you/name", name=name)
