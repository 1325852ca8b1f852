"""Moving house: a player comes to another browser, or leaves for good, however many games there are.

What concerns all games of a player is done some games at a time, so that nobody else waits long.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from sqlalchemy import Connection

from app.play.players import Players
from app.play.preferences import Preferences
from app.store import games


class Moving:
    """Brings players and takes them away; ``run`` runs a use case on the database."""

    def __init__(self, run: Callable[[Callable[[Connection], Any]], Awaitable[Any]], players: Players) -> None:
        self._run = run
        self._players = players

    async def recover(self, token: str | None, code: str, *, bring: bool) -> tuple[str, Preferences]:
        """A fresh token of the player with a recovery code, and his preferences. Raises NotFound for a wrong code.

        The token that the browser had leads to nobody any more. With ``bring`` the games played there come along, and
        the player they belonged to is forgotten; where that is broken off, the same code goes on with it.
        """
        player, before = await self._run(partial(self._players.meet, token=token, code=code))
        if bring and before is not None and before != player:
            while await self._run(partial(games.move_some, player=before, to=player)):
                pass
        new_token, preferences = await self._run(partial(self._players.admit, player=player, token=token))
        if bring and before is not None and before != player:
            await self._run(partial(self._players.follow, player=before, to=player))
            await self.remove(before)
        return new_token, preferences

    async def forget(self, token: str | None) -> None:
        """Delete a player with all that is kept of him. Raises NotFound.

        Nobody reaches him from the first moment on; what is left of him if this is broken off is tidied away.
        """
        await self.remove(await self._run(partial(self._players.disown, token=token)))

    async def remove(self, player: int) -> None:
        """Delete a player whom nobody reaches any more."""
        while await self._run(partial(games.delete_some, player=player)):
            pass
        await self._run(partial(self._players.remove, player=player))
