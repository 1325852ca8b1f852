"""Who plays: a player is whoever holds a token; only its hash is kept."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from app.play.errors import NotFound
from app.play.preferences import Preferences, read_preferences
from app.rules.cards import Unreadable
from app.store import games, players, solutions

_TOKEN_BYTES = 32
NAME_MOST = 24
"""The most characters of a display name."""

_JOINERS = "\u200c\u200d"
"""What some scripts need within a word, though nothing is seen of it."""

_NATIONS = ("gbeng", "gbsct", "gbwls")
_FLAGS = re.compile(
    "|".join(f"\U0001f3f4{''.join(chr(0xE0000 + ord(letter)) for letter in nation)}\U000e007f" for nation in _NATIONS)
)
"""The flags of England, Scotland and Wales: a black one, and letters of which nothing is seen."""

_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Letters and marks of which nothing is seen: Unicode's Default_Ignorable_Code_Point, and the blank of Braille."""

_CODE_LENGTH = 16
_CODE_GROUP = 4
_CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U, so that a code can be read aloud."""

_MISREAD = str.maketrans("ILO", "110", " -\t\r\n")


def token_hash(token: str) -> str:
    """What is kept of a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_key() -> str:
    """A fresh unguessable key: 32 random bytes as 43 characters of ``A-Z a-z 0-9 - _``."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def read_name(text: str) -> str | None:
    """The display name in a text, None for an empty one: 1-24 characters of any script, composed (NFC), single spaces.

    Raises Unreadable for a longer one, or one with control characters or others that show nothing.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if len(name) > NAME_MOST:
        raise Unreadable(
            "a name has %(most)s characters at the most; this one has %(count)s", most=NAME_MOST, count=len(name)
        )
    # Categories of control, format and unassigned characters, surrogates, and lines that are no spaces.
    unseen = (letter for letter in _FLAGS.sub("", name) if unicodedata.category(letter)[0] == "C" or letter in _BLANKS)
    if any(letter not in _JOINERS for letter in unseen):
        raise Unreadable("a name has no characters that cannot be seen")
    if name and not any(unicodedata.category(letter)[0] in "LNPS" for letter in name):
        raise Unreadable("a name needs something to be seen of it")
    return name or None


def read_code(text: str) -> str:
    """The recovery code in a text, without spaces and dashes, upper case. Raises Unreadable for another form."""
    code = text.upper().translate(_MISREAD)
    if len(code) != _CODE_LENGTH or not set(code) <= set(_CODE_LETTERS):
        raise Unreadable("a recovery code has %(count)s letters and digits", count=_CODE_LENGTH)
    return code


def code_text(code: str) -> str:
    """A recovery code as it is shown: ``4F7K-9Q2M-X0ZD-W8HT``."""
    return "-".join(code[at : at + _CODE_GROUP] for at in range(0, _CODE_LENGTH, _CODE_GROUP))


@dataclass(frozen=True, slots=True)
class Player:
    """A player as he is shown to himself; ``created_at`` in milliseconds since 1970, UTC."""

    created_at: int
    name: str | None
    has_code: bool
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Recovered:
    """A player who has come to a browser: his id, his new token there, what he prefers.

    ``merged`` is the player who was there and has become him, whose games are still to be moved, or None.
    """

    player: int
    token: str
    preferences: Preferences
    merged: int | None


class Players:
    """The players of an installation; ``fresh`` makes unguessable keys, ``now`` is the time in milliseconds."""

    def __init__(self, now: Callable[[], int], fresh: Callable[[], str] = random_key) -> None:
        self._now = now
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
        self, connection: Connection, token: str | None, new_token: str, preferences: Preferences
    ) -> tuple[int, str | None]:
        """The player with a token; else a new one, with ``new_token``, which is then returned as well.

        A token that nobody has is never adopted: whoever sent it may have it from somewhere else.
        """
        known = self.find(connection, token)
        if known is not None:
            return known, None
        # Two deals' first moves under one key, before an answer has brought the token.
        made = self.find(connection, new_token)
        if made is not None:
            return made, new_token
        return players.add(connection, token_hash(new_token), self._now(), preferences.text), new_token

    def find(self, connection: Connection, token: str | None) -> int | None:
        """The id of the player with a token, or None."""
        return players.find(connection, token_hash(token)) if token else None

    def require(self, connection: Connection, token: str | None) -> int:
        """The id of the player with a token. Raises NotFound."""
        player = self.find(connection, token)
        if player is None:
            raise NotFound
        return player

    def show(self, connection: Connection, token: str | None) -> Player | None:
        """The player with a token, or None."""
        found = self.find(connection, token)
        if found is None:
            return None
        row = players.read(connection, found)
        return Player(row.created_at, row.name, row.recovery_hash is not None, read_preferences(row.preferences))

    def name_of(self, connection: Connection, player: int) -> str | None:
        """The display name of a player who exists, or None."""
        return players.read(connection, player).name

    def give_token(self, connection: Connection, token: str | None, preferences: Preferences) -> str:
        """A further token of the player with a token, or the token of a new player."""
        new_token = self._fresh()
        player, made = self.known_or_new(connection, token, new_token, preferences)
        if made is None:
            players.add_token(connection, player, token_hash(new_token), self._now())
        return new_token

    def rename(self, connection: Connection, token: str | None, name: str | None) -> None:
        """Another display name, or none. Raises NotFound."""
        players.change(connection, self.require(connection, token), name=name)

    def prefer(self, connection: Connection, token: str | None, preferences: Preferences) -> None:
        """Keep what a player chose; nothing where there is no player yet."""
        player = self.find(connection, token)
        if player is not None:
            players.change(connection, player, preferences=preferences.text)

    def new_code(self, connection: Connection, token: str | None) -> str:
        """A fresh recovery code of 80 random bits, in place of any that led to the player. Raises NotFound."""
        player = self.require(connection, token)
        code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
        players.change_code(connection, player, token_hash(code))
        return code

    def recover(self, connection: Connection, token: str | None, code: str, *, bring: bool) -> Recovered:
        """The player with a recovery code comes to a browser. Raises NotFound for a wrong code.

        The token that the browser had leads to nobody any more. With ``bring`` the player that it led to is merged into
        the other: whatever leads to him leads to the other from now on.
        """
        player = players.find_by_recovery(connection, token_hash(code))
        if player is None:
            raise NotFound
        before = self.find(connection, token)
        merged = before if bring and before != player else None
        if merged is not None:
            players.merge(connection, merged, into=player)
            solutions.move(connection, merged, player)
        if token is not None:
            players.drop_token(connection, token_hash(token))
        new_token = self._fresh()
        players.add_token(connection, player, token_hash(new_token), self._now())
        preferences = read_preferences(players.read(connection, player).preferences)
        return Recovered(player, new_token, preferences, merged)

    def disown(self, connection: Connection, token: str | None) -> int:
        """The id of the player with a token, whom nobody reaches any more. Raises NotFound."""
        player = self.require(connection, token)
        players.disown(connection, player)
        return player

    def clear_some(self, connection: Connection, player: int) -> int:
        """Move some games of a player to whom he was merged into, or delete them; how many there were.

        None of one who is gone: two may be at it at the same time.
        """
        into = players.merged_into(connection, player)
        return games.delete_some(connection, player) if into is None else games.move_some(connection, player, into)

    def remove(self, connection: Connection, player: int) -> None:
        """Delete a player whom nobody reaches, with what is left of him, or who has become another."""
        players.delete_player(connection, player)
