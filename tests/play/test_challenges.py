"""The best of an asker's games of a challenge's deal, and what is read for it."""

from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import Connection, event

from app.play.games import Games
from app.play.players import Players
from app.play.together.challenges import Challenges, Result
from app.play.together.links import Links
from app.rules.deal import read_deal
from app.rules.moves import DRAW
from app.rules.ruleset import DEFAULT
from app.store import games as stored
from app.store.games import StoredGame
from tests.conftest import Clock, Numbered


@pytest.fixture
def challenges(players: Players, games: Games, clock: Clock) -> Challenges:
    return Challenges(Links(games, clock, Numbered("link-")), players)


def sent(connection: Connection, games: Games, clock: Clock) -> str:
    """The key of a challenge to a game that was given up."""
    table, token = games.create(connection, None, DEFAULT, read_deal("a"))
    games.act(connection, token, table.id or "", 0, DRAW)
    games.leave(connection, token, table.id or "")
    return Links(games, clock, Numbered("sent-")).share(connection, token, table.id or "", "challenge")


def asker(connection: Connection, games: Games) -> tuple[str, StoredGame]:
    """The token of another player, and the row of a game of the deal that he has not finished."""
    table, token = games.create(connection, None, DEFAULT, read_deal("a"))
    row = stored.find_any(connection, table.id or "")
    assert row is not None
    assert token is not None
    return token, row


def ended(like: StoredGame, random: Random) -> list[StoredGame]:
    """Games of the same player and deal: won, given up, neither, played on from elsewhere, by other rules."""
    rows = []
    for number in range(random.randrange(7)):
        moves, won = random.randint(20, 22), random.random() < 0.4
        row = replace(like, id=f"{like.id}-{number}", moves=moves, hints=random.randrange(3), begun_at=1)
        row = replace(row, source=random.choice(("played", "played", "played", "onward", "imported")))
        row = replace(row, rules=random.choice((like.rules, like.rules, like.rules, "open")))
        if won:
            # An imported game may be without a time.
            rows.append(replace(row, won_at=9, won_in=random.choice((1_000, 2_999, 3_000, None))))
        else:
            rows.append(replace(row, left_at=random.choice((9, 9, None))))
    return rows


@pytest.mark.parametrize("seed", range(40))
def test_the_best_is_a_win_of_fewest_moves_then_soonest_else_one_given_up(
    challenges: Challenges, connection: Connection, games: Games, clock: Clock, seed: int
) -> None:
    key = sent(connection, games, clock)
    token, row = asker(connection, games)
    rows = ended(row, Random(seed))
    for one in rows:
        stored.add(connection, one)
    counted = [one for one in rows if one.source == "played" and one.rules == row.rules and (one.won_at or one.left_at)]
    ranked = sorted(counted, key=lambda one: (one.won_at is None, one.moves, one.won_in or 0, one.id))
    met = challenges.meet(connection, token, key)
    if not ranked:
        assert (met.own, met.theirs) == (None, None)
        return
    best = ranked[0]
    seconds = best.won_in // 1_000 if best.won_in is not None else None
    assert met.own == Result(best.won_at is not None, best.moves, seconds, best.hints)
    assert met.theirs == Result(won=False, moves=1, seconds=None, hints=0)


def test_a_challenge_is_met_without_reading_what_happened_in_any_game(
    challenges: Challenges, connection: Connection, games: Games, clock: Clock
) -> None:
    key = sent(connection, games, clock)
    token, row = asker(connection, games)
    stored.add(connection, replace(row, id="ended", left_at=9))
    statements: list[str] = []

    @event.listens_for(connection, "before_cursor_execute")
    def note(*values: object) -> None:
        statements.append(str(values[2]))

    assert challenges.meet(connection, token, key).own is not None
    assert statements
    assert not [statement for statement in statements if "actions" in statement]
