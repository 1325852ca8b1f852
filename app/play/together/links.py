"""Links: how a player shows a finished game of his to others, for as long as he likes."""

import re
from collections.abc import Callable
from typing import Literal

from sqlalchemy import Connection

from app.play.errors import NotFound
from app.play.games import Games
from app.play.table import Table
from app.store import links
from app.store.links import StoredLink

Kind = Literal["replay", "challenge"]

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


class Links:
    """The links of an installation; ``now`` is the time in milliseconds since 1970, ``fresh_key`` makes their keys."""

    def __init__(self, games: Games, now: Callable[[], int], fresh_key: Callable[[], str]) -> None:
        self._games = games
        self._now = now
        self._fresh_key = fresh_key

    def share(self, connection: Connection, token: str | None, game_id: str, kind: Kind) -> str:
        """The key that leads to a player's game, from now on; a second time it is the same one.

        Raises NotFound, also for a game that is neither won nor given up: it is still being played.
        """
        table = self._games.show(connection, token, game_id)
        if not table.over:
            raise NotFound("only a game that is won or given up can be shared")
        if kind == "challenge" and table.opening:
            raise NotFound("only a game played from its deal can be a challenge")
        known = links.of_game(connection, game_id, kind)
        if known is not None:
            return known.key
        link = StoredLink(self._fresh_key(), kind, game_id, self._now())
        links.add(connection, link)
        return link.key

    def withdraw(self, connection: Connection, token: str | None, game_id: str, kind: Kind) -> None:
        """The link to a player's game leads nowhere any more; if there is none, it is all the same.

        Raises NotFound.
        """
        self._games.show(connection, token, game_id)
        links.drop(connection, game_id, kind)

    def shared(self, connection: Connection, key: str, kind: Kind) -> Table:
        """The game that a key leads to, whoever asks. Raises NotFound."""
        return self._games.show_any(connection, self.game_of(connection, key, kind))

    @staticmethod
    def game_of(connection: Connection, key: str, kind: Kind) -> str:
        """The id of the game that a key leads to. Raises NotFound."""
        link = links.find(connection, key, kind) if _KEY.fullmatch(key) else None
        if link is None:
            raise NotFound
        return link.game

    def key_of(self, connection: Connection, token: str | None, game_id: str, kind: Kind) -> str | None:
        """The key that leads to a player's game, or None. Raises NotFound."""
        self._games.show(connection, token, game_id)
        link = links.of_game(connection, game_id, kind)
        return link.key if link is not None else None
