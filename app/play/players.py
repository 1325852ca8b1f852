"""Who plays: a player is whoever holds a token; only its hash is kept."""

import hashlib
import hmac
import secrets
from collections.abc import Callable

from sqlalchemy import Connection

from app.store import players

_TOKEN_BYTES = 32


def token_hash(token: str) -> str:
    """What is kept of a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_key() -> str:
    """A fresh unguessable key: 32 random bytes as 43 characters of ``A-Z a-z 0-9 - _``."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class Players:
    """The players of an installation; ``fresh`` makes unguessable keys."""

    def __init__(self, fresh: Callable[[], str] = random_key) -> None:
        self._fresh = fresh
        self._secret = b""

    def start(self, connection: Connection) -> None:
        """Read the installation's secret, made at its first start."""
        self._secret = players.secret(connection, "players", self._fresh()).encode()

    def new_token(self) -> str:
        """A token for a player who comes into being without a deal's page."""
        return self._fresh()

    def token_begun_with(self, begin: str) -> str:
        """The token of the player who comes into being when a game begins under a key.

        It is the same for the same key, so that of two clicks either answer brings the player his token,
        and cannot be computed without the installation's secret.
        """
        return hmac.new(self._secret, begin.encode(), hashlib.sha256).hexdigest()

    def known_or_new(
        self, connection: Connection, token: str | None, new_token: str, now: int
    ) -> tuple[int, str | None]:
        """The player with a token; else a new one, with ``new_token``, which is then returned as well.

        A token that nobody has is never adopted: whoever sent it may have it from somewhere else.
        """
        known = players.find(connection, token_hash(token)) if token else None
        if known is not None:
            return known, None
        return players.add(connection, token_hash(new_token), now), new_token
