"""What the solver found out, and how often a player asked."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("hints", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("hinted_at", sa.Integer(), nullable=True))
    op.create_table(
        "verdicts",
        sa.Column("position", sa.String(64), nullable=False),
        sa.Column("winnable", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Text(), nullable=True),
        sa.Column("fewest", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_verdicts"),
    )


def downgrade() -> None:
    op.drop_table("verdicts")
    # SQLite can drop a column in place; a batch would copy the table, and drop what refers to it.
    op.drop_column("games", "hinted_at")
    op.drop_column("games", "hints")
