"""Where to find the pages and tables of every kind, for who has played as they need it."""

from datetime import UTC, datetime, timedelta

from tests.browser.player import Visitor
from tests.playthroughs import wins

WINS = {win.rules: win for win in wins()}


def pages(visitor: Visitor) -> list[str]:
    """An address of every kind of page, as someone finds it who has played."""
    win = WINS["endless"]
    won = visitor.begun("endless", win.deal, *win.actions)["id"]
    running = visitor.begun("three-piles", "win-5", "draw")["id"]
    left, paused = (visitor.begun(rules, "win-2", "draw")["id"] for rules in ("open", "strict"))
    headers = {"Sec-Fetch-Site": "same-origin"}
    visitor.context.request.post("/you/name", form={"name": "Ada"}, headers=headers)
    visitor.context.request.post(f"/g/{left}/leave", headers=headers)
    visitor.context.request.post(f"/g/{paused}", form={"version": "1", "pause": "on"}, headers=headers)
    return [
        *("/", "/rules", "/settings", "/d/open/win-2", f"/g/{running}", f"/g/{won}", f"/g/{left}", f"/g/{paused}"),
        *("/daily", "/daily/endless/calendar", f"/b/endless/{win.deal}", "/me", "/me/games", "/you", "/recover"),
        *(f"/g/{won}/result", f"/g/{won}/replay?at=9&looked=1", f"/s/endless/{win.deal}", "/me/import", "/nothing"),
        *("/learn", "/learn?step=6", "/offline"),
    ]


def moved(visitor: Visitor, rules: str, actions: int | None = None) -> str:
    """The address of a game of a golden win after some actions, or all."""
    win = WINS[rules]
    return f"/g/{visitor.begun(rules, win.deal, *win.actions[:actions])['id']}"


def gave_up(visitor: Visitor, path: str) -> str:
    """The address of a game that its player gives up."""
    answer = visitor.context.request.post(f"/api/v1{path.replace('/g/', '/games/')}/leave")
    assert answer.ok, answer.text()
    return path


def daily(days_ago: int) -> str:
    """The address of a day's deal; the longest name of a month is as likely as any."""
    return f"/daily/open/{datetime.now(UTC).date() - timedelta(days=days_ago)}"
