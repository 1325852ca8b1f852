"""Tokens of their own, names and preferences; where games come from; links, daily deals, solutions seen."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_WON, _UNWON = sa.text("won_at IS NOT NULL"), sa.text("won_at IS NULL")
_COUNTED = sa.text("won_at IS NOT NULL AND source != 'onward'")
_INDEXES = {
    "unwon": (["player", "touched_at", "begun_at", "rules", "left_at", "hints", "source", "won_at"], _UNWON),
    "won": (["player", "begun_at", "rules", "won_at", "moves", "won_in", "hints", "fewest", "source"], _WON),
    "history": (["player", "begun_at", "id", "rules"], None),
    "best": (["player", "rules", "moves"], _COUNTED),
    "fastest": (["player", "rules", "won_in"], _COUNTED),
    "deal": (["rules", "deal", "player", "begun_at"], None),
    "board": (["rules", "deal", "moves", "won_in"], _WON),
    "daily": (["player", "rules", "daily", "begun_at", "won_at", "source"], sa.text("daily IS NOT NULL")),
}
_COLUMNS = ("source", "opening", "daily", "challenge", "won_in", "fewest")


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player", ondelete="CASCADE"),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.execute("INSERT INTO tokens (hash, player, created_at) SELECT token_hash, id, created_at FROM players")
    with op.batch_alter_table("players", table_kwargs={"sqlite_autoincrement": True}) as players:
        players.drop_constraint("uq_players_token_hash", type_="unique")
        players.drop_column("token_hash")
        players.add_column(sa.Column("name", sa.String(24), nullable=True))
        players.add_column(sa.Column("recovery_hash", sa.String(64), nullable=True))
        players.add_column(sa.Column("preferences", sa.String(256), nullable=False, server_default=""))
        players.add_column(sa.Column("merged_into", sa.Integer(), nullable=True))
        players.create_unique_constraint("uq_players_recovery_hash", ["recovery_hash"])
        players.create_foreign_key("fk_players_merged_into", "players", ["merged_into"], ["id"], ondelete="SET NULL")
    op.create_index("ix_players_merged_into", "players", ["merged_into"])
    _extend_games()
    _create_others()


def downgrade() -> None:
    for table in ("dailies", "solutions", "links"):
        op.drop_table(table)
    for name in _INDEXES:
        op.drop_index(f"ix_games_{name}", "games")
    for column in _COLUMNS:
        op.drop_column("games", column)
    op.create_index("ix_games_player", "games", ["player", "touched_at"])
    op.drop_index("ix_players_merged_into", "players")
    with op.batch_alter_table("players") as players:
        players.drop_constraint("fk_players_merged_into", type_="foreignkey")
        players.drop_constraint("uq_players_recovery_hash", type_="unique")
        for column in ("name", "recovery_hash", "preferences", "merged_into"):
            players.drop_column(column)
        players.add_column(sa.Column("token_hash", sa.String(64), nullable=True))
    # Of several tokens one stays, and whoever has none can no longer be told from a stranger.
    op.execute("UPDATE players SET token_hash = (SELECT min(hash) FROM tokens WHERE tokens.player = players.id)")
    op.execute("DELETE FROM games WHERE player IN (SELECT id FROM players WHERE token_hash IS NULL)")
    op.execute("DELETE FROM players WHERE token_hash IS NULL")
    op.drop_table("tokens")
    with op.batch_alter_table("players") as players:
        players.alter_column("token_hash", existing_type=sa.String(64), nullable=False)
        players.create_unique_constraint("uq_players_token_hash", ["token_hash"])


def _extend_games() -> None:
    op.add_column("games", sa.Column("source", sa.String(8), nullable=False, server_default="played"))
    op.add_column("games", sa.Column("opening", sa.Text(), nullable=False, server_default=""))
    op.add_column("games", sa.Column("daily", sa.String(10), nullable=True))
    op.add_column("games", sa.Column("challenge", sa.String(43), nullable=True))
    op.add_column("games", sa.Column("won_in", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("fewest", sa.Integer(), nullable=True))
    op.execute("UPDATE games SET won_in = won_at - begun_at WHERE won_at IS NOT NULL AND won_at >= begun_at")
    op.execute("UPDATE games SET won_in = 0 WHERE won_at IS NOT NULL AND won_at < begun_at")
    op.drop_index("ix_games_player", "games")
    for name, (columns, where) in _INDEXES.items():
        op.create_index(f"ix_games_{name}", "games", columns, sqlite_where=where, postgresql_where=where)


def _create_others() -> None:
    op.create_table(
        "links",
        sa.Column("key", sa.String(43), nullable=False),
        sa.Column("kind", sa.String(9), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_links"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_links_game", ondelete="CASCADE"),
        sa.UniqueConstraint("game", "kind", name="uq_links_game"),
    )
    op.create_table(
        "solutions",
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("deal", sa.String(104), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", "rules", "deal", name="pk_solutions"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_solutions_player", ondelete="CASCADE"),
    )
    op.create_table(
        "dailies",
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("rules", "day", name="pk_dailies"),
    )
