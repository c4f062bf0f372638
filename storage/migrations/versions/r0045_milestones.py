"""Milestones of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.add_column("person", sa.Column("milestones", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "milestone",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "key"),
        sqlite_with_rowid=False,
    )
