"""Analysis sheets of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "sheet",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("next_id", sa.Integer, nullable=False),
        sa.Column("turns", sa.JSON, nullable=False),
        sa.Column("removed", sa.JSON, nullable=False),
        sa.Column("published", sa.Boolean, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "user"),
    )
    op.create_index("ix_sheet_user", "sheet", ["user"])
