"""Challenges: a finished game dares whoever has its link to play the same deal; its result is told afterwards."""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.play.errors import NotFound
from app.play.games import open_deal
from app.play.players import Players
from app.play.table import Origin, Table
from app.play.together.links import Links
from app.rules.deal import read_deal
from app.rules.ruleset import read_rules
from app.store import results
from app.store.results import StoredResult


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; ``seconds`` is None where it was given up, or no time is known."""

    won: bool
    moves: int
    seconds: int | None
    hints: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as somebody meets it.

    ``opening`` is the deal to be played. ``sender`` is the name of who sent it, None if he has none; ``mine`` is the
    game that it was made from where the asker did, else None. ``theirs`` is the sender's result, None for an asker
    who has not finished the deal yet; ``own`` is the asker's best.
    """

    opening: Table
    sender: str | None
    mine: str | None
    theirs: Result | None
    own: Result | None


class Challenges:
    """The challenges of an installation."""

    def __init__(self, links: Links, players: Players) -> None:
        self._links = links
        self._players = players

    def meet(self, connection: Connection, token: str | None, key: str) -> Challenge:
        """The challenge that a key leads to. Raises NotFound."""
        sent = results.of_game(connection, self._links.game_of(connection, key, "challenge"))
        if sent is None:
            raise NotFound
        asker = self._players.find(connection, token)
        mine = asker is not None and asker == sent.player
        best = results.best(connection, asker, sent.rules, sent.deal) if asker and not mine else None
        return Challenge(
            opening=open_deal(read_rules(sent.rules), read_deal(sent.deal), Origin(challenge=key)),
            sender=self._players.name_of(connection, sent.player),
            mine=sent.id if mine else None,
            theirs=_result(sent) if mine or best is not None else None,
            own=_result(best) if best is not None else None,
        )


def _result(game: StoredResult) -> Result:
    won = game.won_at is not None
    seconds = game.won_in // 1_000 if won and game.won_in is not None else None
    return Result(won, game.moves, seconds, game.hints)
