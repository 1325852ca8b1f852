"""Games that were played by a clock, and their times as pages tell them."""

from tests.conftest import Clock
from tests.playthroughs import Win, wins
from tests.web.api import Api, JsonObject

WINS = wins()
ENDLESS = next(win for win in WINS if win.rules == "endless")


def play(api: Api, clock: Clock, win: Win = ENDLESS, count: int | None = None, seconds: float = 1) -> JsonObject:
    """A game of a golden deal, so many seconds between its actions."""
    game = api.create(rules=win.rules, **{"deck" if win.is_deck else "seed": win.deal})
    for action in win.actions[:count]:
        clock.tick(seconds)
        game = api.act(game, action)
    return game


def clock_text(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
