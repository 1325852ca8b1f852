"""The tables. Times are milliseconds since 1970, UTC; tokens are kept as SHA-256 in hexadecimal only."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    # What boards show; a player without a name is on none.
    Column("name", String(24)),
    Column("recovery_hash", String(64), unique=True),
    # As app/play/preferences.py writes them.
    Column("preferences", String(256), nullable=False, server_default=""),
    # Whom the player has become, by a recovery code: whose the games become that are still here, and to whom the
    # player's own code leads, for the sake of which this row stays.
    Column("merged_into", ForeignKey("players.id", ondelete="SET NULL"), index=True),
    # A number is given once: what still goes by that of a player who has left must not meet another.
    sqlite_autoincrement=True,
)

# A player has a token for each browser, and for each program of his.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    # The key under which a deal's page began the game: a second click on the page finds the same game.
    Column("begin_hash", String(64), unique=True),
    Column("rules", String(16), nullable=False),
    # A seed, or the whole deck.
    Column("deal", String(104), nullable=False),
    # Every action in its notation, a space between them; the game is their fold.
    Column("actions", Text, nullable=False),
    # How many actions there are: of two writers who saw the same number, one wins.
    Column("version", Integer, nullable=False),
    # Derived from the actions, for lists.
    Column("moves", Integer, nullable=False),
    Column("outcome", String(8), nullable=False),
    Column("begun_at", BigInteger),
    Column("touched_at", BigInteger, nullable=False),
    Column("won_at", BigInteger),
    Column("left_at", BigInteger),
    # At how many positions a hint was asked for, and at which version last.
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("hinted_at", Integer),
    # How the game came to be: played, onward (from a position of another game), or imported.
    Column("source", String(8), nullable=False, server_default="played"),
    # The moves from the deal to where the game starts; not empty in an onward game only.
    Column("opening", Text, nullable=False, server_default=""),
    # The day whose daily deal it is, YYYY-MM-DD, and the challenge that it answers.
    Column("daily", String(10)),
    Column("challenge", String(43)),
    # Milliseconds from the first action to the first win.
    Column("won_in", BigInteger),
    # The fewest moves in which the deal can be won, once the solver has told.
    Column("fewest", Integer),
    # Since when the game is paused, and how many milliseconds the pauses before took; less what the clock was set back
    # by in between, so that it may be less than nothing.
    Column("paused_at", BigInteger),
    Column("paused_for", BigInteger, nullable=False, server_default="0"),
)
unfinished = and_(games.c.won_at.is_(None), games.c.left_at.is_(None))
"""Games neither won nor given up."""

_won, _unwon = games.c.won_at.is_not(None), games.c.won_at.is_(None)
# A game played on from a position of another counts for no record.
_counted = and_(_won, games.c.source != "onward")


def _index(name: str, *columns: str, where: ColumnElement[bool] | None = None) -> None:
    Index(f"ix_games_{name}", *(games.c[column] for column in columns), sqlite_where=where, postgresql_where=where)


# Statistics read these two and no row. Every move changes the first, so it is the only one that a move changes; the
# won_at in it is NULL throughout, but without the column SQLite would look it up in the row.
_index("unwon", "player", "touched_at", "begun_at", "rules", "left_at", "hints", "source", "won_at", where=_unwon)
_index("won", "player", "begun_at", "rules", "won_at", "moves", "won_in", "hints", "fewest", "source", where=_won)
_index("history", "player", "begun_at", "id", "rules")
_index("best", "player", "rules", "moves", where=_counted)
_index("fastest", "player", "rules", "won_in", where=_counted)
_index("deal", "rules", "deal", "player", "begun_at")
_index("board", "rules", "deal", "moves", "won_in", where=_won)
_index("daily", "player", "rules", "daily", "begun_at", "won_at", "source", where=games.c.daily.is_not(None))

# What leads to a game whoever knows the key: a challenge to play its deal, or a replay of it.
links = Table(
    "links",
    metadata,
    Column("key", String(43), primary_key=True),
    Column("kind", String(9), nullable=False),
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("game", "kind"),
)

# Who was first shown how which deal goes, by its solution or by a hint in any game of it, and when.
solutions = Table(
    "solutions",
    metadata,
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("rules", String(16), primary_key=True),
    Column("deal", String(104), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
)

# The seed of each day's deal, kept so that it stays whatever becomes of the secret and of the solver.
dailies = Table(
    "dailies",
    metadata,
    Column("rules", String(16), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("seed", String(64), nullable=False),
)

# What the solver found out, by position; nothing else depends on it, and it can be thrown away.
verdicts = Table(
    "verdicts",
    metadata,
    # SHA-256 of the position's text.
    Column("position", String(64), primary_key=True),
    Column("winnable", Boolean, nullable=False),
    # A winning line, moves between spaces, and whether it is one of fewest moves.
    Column("line", Text),
    Column("fewest", Boolean, nullable=False),
    # The later it was found out, the higher; the oldest make room for new ones.
    Column("number", BigInteger, nullable=False, server_default="0", index=True),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
)

# What was lately charged to players and networks for what is dear: a rate, or wrong guesses. It can be thrown away.
limits = Table(
    "limits",
    metadata,
    # SHA-256 of what is counted and whose it is.
    Column("key", String(64), primary_key=True),
    # In microseconds: until when a rate is used up, or when the last wrong guess was.
    Column("at", BigInteger, nullable=False),
    # How many wrong guesses.
    Column("count", Integer, nullable=False, server_default="0"),
)
