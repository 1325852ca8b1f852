"""The tables. Times are milliseconds since 1970, UTC; tokens are kept as SHA-256 in hexadecimal only."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Identity, Index, Integer, MetaData, String, Table, Text

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
    Column("token_hash", String(64), nullable=False, unique=True),
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
    Index(None, "player", "touched_at"),
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
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
)
