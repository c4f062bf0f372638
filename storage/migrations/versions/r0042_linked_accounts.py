"""Accounts that are linked for roles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    op.create_table(
        "linked_account",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("refresh", sa.String, nullable=False),
        sa.Column("pushed", sa.JSON, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("held", sa.BigInteger),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_index("ix_linked_account_due", "linked_account", ["due"])
