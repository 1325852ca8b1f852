"""Whether the server can play: its database answers, and is at the revision that this version works with."""

import asyncio

from sqlalchemy.exc import DBAPIError

from app.play.errors import Unavailable
from app.play.run import Run
from app.store.database.revision import HEAD, revision

SECONDS = 2.0
"""How long the database may take to answer."""


class Readiness:
    """Asks the database; ``run`` runs a use case on it."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def fault(self) -> str | None:
        """Why the server cannot play just now, in plain words; None where it can. It is told within two seconds."""
        try:
            async with asyncio.timeout(SECONDS):
                found = await self._run(revision)
        except (TimeoutError, Unavailable, DBAPIError):
            return "the database does not answer"
        return None if found == HEAD else f"the database is at revision {found}, this version needs {HEAD}"
