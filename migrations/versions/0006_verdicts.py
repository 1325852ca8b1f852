"""Numbers for what the solver found out, so that the oldest can make room."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_NUMBER = """UPDATE verdicts SET number = numbered.number
FROM (SELECT position, row_number() OVER (ORDER BY position) AS number FROM verdicts) AS numbered
WHERE numbered.position = verdicts.position"""
"""Which is older was not kept: any order will do."""


def upgrade() -> None:
    op.add_column("verdicts", sa.Column("number", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute(_NUMBER)
    op.create_index("ix_verdicts_number", "verdicts", ["number"])


def downgrade() -> None:
    op.drop_index("ix_verdicts_number", "verdicts")
    op.drop_column("verdicts", "number")
