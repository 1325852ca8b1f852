"""Pauses, which no clock counts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("paused_at", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("paused_for", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("games", "paused_for")
    op.drop_column("games", "paused_at")
