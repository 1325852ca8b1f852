"""Makes the database of a schema by playing with the program of its time; see README.txt.

python make.py REVISION, with that program on PYTHONPATH, writes REVISION.sqlite3 and REVISION.json beside this file.
"""

import json
import sqlite3
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FORM = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
COOKIE = "pyramid_player"
_MISSING = {404, 405}


def main(revision: str) -> None:
    """Play, and keep the database and what its games looked like."""
    with TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder)))
        # From a network: whoever sits on the machine is not charged for anything.
        with TestClient(app, follow_redirects=False, client=("203.0.113.7", 1)) as client:
            shown = [play(client, number) for number in range(3)]
        database = sqlite3.connect(Path(folder) / "pyramid.sqlite3", isolation_level=None)
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        # Not even a quotation mark is in their names.
        empty = [name for name in tables if database.execute(f"SELECT 1 FROM {name}").fetchone() is None]  # noqa: S608
        assert not empty, empty
        target = HERE / f"{revision}.sqlite3"
        target.unlink(missing_ok=True)
        database.execute("PRAGMA page_size=1024")
        database.execute("VACUUM INTO ?", (str(target),))
        database.close()
    (HERE / f"{revision}.json").write_text(json.dumps(shown, indent=1) + "\n", "utf-8")


def play(client: TestClient, number: int) -> dict[str, Any]:
    """What a new player does: his token, and each of his games as it is shown afterwards."""
    client.cookies.clear()
    won, *_ = [line for line in (ROOT / "tests/golden/wins.txt").read_text("utf-8").splitlines() if "win-14" in line]
    games = [
        run(client, "endless", "win-14", won.split(" | ")[2].split()),
        run(client, "endless", f"open-{number}", ["draw", "draw", "undo"]),
        run(client, "strict", "a", ["6c+7d", "draw"]),
        run(client, "king-tut", f"left-{number}", ["draw"]),
    ]
    client.get(f"/api/v1/games/{games[1]}/verdict")
    client.get(f"/api/v1/games/{games[2]}/hint")
    client.get("/api/v1/deals/endless/win-14/solution")
    client.get("/api/v1/daily")
    client.get("/daily/endless")
    ask(client, f"/g/{games[0]}/challenge")
    ask(client, f"/g/{games[0]}/share")
    ask(client, "/you/name", name=f"Nefertari {number}")
    ask(client, "/you/code")
    client.post(f"/api/v1/games/{games[2]}/pause")
    client.post(f"/api/v1/games/{games[3]}/leave")
    shown = {game: client.get(f"/api/v1/games/{game}").json() for game in games}
    return {"token": client.cookies[COOKIE], "games": shown}


def run(client: TestClient, rules: str, seed: str, actions: list[str]) -> str:
    """Play a game, and its number."""
    answer = client.post("/api/v1/games", json={"rules": rules, "seed": seed})
    assert answer.status_code == 201, answer.text
    game = answer.json()
    for action in actions:
        body = {"version": game["version"], "action": action}
        answer = client.post(f"/api/v1/games/{game['id']}/actions", json=body)
        assert answer.status_code == 200, answer.text
        game = answer.json()
    return str(game["id"])


def ask(client: TestClient, path: str, **fields: str) -> None:
    """Send a form that some versions have."""
    answer = client.post(path, content=urlencode(fields), headers=FORM)
    assert answer.status_code in {200, 303, *_MISSING}, (path, answer.status_code, answer.text)


if __name__ == "__main__":
    main(sys.argv[1])
