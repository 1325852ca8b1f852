"""The form of an export: what is written of a player's games, as JSON and as CSV."""

import csv
import io
import json
from dataclasses import asdict
from datetime import UTC, datetime

from app.play.players import Player
from app.rules.record import result_text
from app.rules.state import Outcome
from app.store.games import StoredGame

FORMAT, VERSION = "pyramid13", 1

TIMES = ("begun_at", "touched_at", "won_at", "left_at")
"""The times in a game, in the order in which they are written."""

CSV_NAMES = ("id", "rules", "deal", "begun", "outcome", "moves", "seconds", "hints", "source")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def head_text(player: Player, now: int) -> str:
    """The beginning of an export: what it is, and who the player is."""
    who = {"name": player.name, "created_at": player.created_at, "preferences": asdict(player.preferences)}
    parts = {"format": FORMAT, "version": VERSION, "exported_at": now, "player": who}
    return json.dumps(parts, ensure_ascii=False)[:-1]


def game_json(row: StoredGame) -> str:
    """A game as an export has it, a JSON object on a line; times are milliseconds since 1970, UTC."""
    # A clock that was set back must not make an export that nobody takes in.
    begun = row.begun_at or 0
    won_at = None if row.won_at is None else max(row.won_at, begun)
    left_at = None if row.left_at is None else max(row.left_at, begun)
    times = (row.begun_at, max(row.touched_at, begun + (row.won_in or 0), won_at or 0, left_at or 0), won_at, left_at)
    fields = {
        **{name: getattr(row, name) for name in ("id", "rules", "deal", "opening", "actions")},
        "result": result_text(Outcome(row.outcome), row.moves, won=row.won_at is not None),
        **{name: getattr(row, name) for name in ("source", "daily")},
        **dict(zip(TIMES, times, strict=True)),
        **{name: getattr(row, name) for name in ("won_in", "hints", "hinted_at")},
    }
    return json.dumps(fields, ensure_ascii=False)


def solution_text(rules: str, deal: str, seen_at: int) -> str:
    """A solution that was seen, as an export has it."""
    return json.dumps({"rules": rules, "deal": deal, "seen_at": seen_at})


def csv_text(rows: list[tuple[str, ...]]) -> str:
    """Lines of a CSV file; a cell that a spreadsheet would take for a formula gets an apostrophe in front."""
    lines = io.StringIO()
    csv.writer(lines).writerows([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row] for row in rows)
    return lines.getvalue()


def csv_row(row: StoredGame) -> tuple[str, ...]:
    """A game's cells, as CSV_NAMES names them; seconds to the first win, to leaving, or to the last action."""
    outcome = "won" if row.won_at is not None else "left" if row.left_at is not None else row.outcome
    begun, seconds = "", ""
    if row.begun_at is not None:
        begun = f"{datetime.fromtimestamp(row.begun_at // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
        lasted = row.won_in if row.won_at is not None else (row.left_at or row.touched_at) - row.begun_at
        seconds = "" if lasted is None else str(max(0, lasted) // 1000)
    return (row.id, row.rules, row.deal, begun, outcome, str(row.moves), seconds, str(row.hints), row.source)
