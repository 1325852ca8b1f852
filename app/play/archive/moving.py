"""Moving house: a player comes to another browser, or leaves for good, however many games there are.

What concerns all games of a player is done some games at a time, so that nobody else waits long.
"""

from functools import partial

from app.play.players import Players, Recovered
from app.play.preferences import Preferences
from app.play.run import Run


class Moving:
    """Brings players and takes them away; ``run`` runs a use case on the database."""

    def __init__(self, run: Run, players: Players) -> None:
        self._run = run
        self._players = players

    async def recover(self, token: str | None, code: str, *, bring: bool) -> tuple[str, Preferences]:
        """A fresh token of the player with a recovery code, and his preferences. Raises NotFound for a wrong code.

        The token that the browser had leads to nobody any more. With ``bring`` the games played there come along; where
        that is broken off, tidying up goes on with it.
        """
        use_case = partial(self._players.recover, token=token, code=code, bring=bring)
        found: Recovered = await self._run(use_case)
        if found.merged is not None:
            await self.remove(found.merged)
        return found.token, found.preferences

    async def forget(self, token: str | None) -> None:
        """Delete a player with all that is kept of him. Raises NotFound.

        Nobody reaches him from the first moment on; what is left of him if this is broken off is tidied away.
        """
        await self.remove(await self._run(partial(self._players.disown, token=token)))

    async def remove(self, player: int) -> None:
        """Delete a player whom nobody reaches any more; his games go to whom he was merged into, if anybody."""
        while await self._run(partial(self._players.clear_some, player=player)):
            pass
        await self._run(partial(self._players.remove, player=player))
