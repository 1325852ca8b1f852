"""Players, games and the installation's secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("token_hash", name="uq_players_token_hash"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("begin_hash", sa.String(64), nullable=True),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("deal", sa.String(104), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(8), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=True),
        sa.Column("touched_at", sa.BigInteger(), nullable=False),
        sa.Column("won_at", sa.BigInteger(), nullable=True),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("begin_hash", name="uq_games_begin_hash"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_games_player", ondelete="CASCADE"),
    )
    op.create_index("ix_games_player", "games", ["player", "touched_at"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )


def downgrade() -> None:
    op.drop_table("secrets")
    op.drop_table("games")
    op.drop_table("players")
