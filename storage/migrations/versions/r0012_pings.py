"""Morning digests, steps of reminders, and quiet matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("match", sa.Column("steps", sa.Integer))
    op.add_column("seat", sa.Column("quiet", sa.Boolean))
    op.add_column("notice", sa.Column("steps", sa.Integer))
    op.add_column("person", sa.Column("steps", sa.Integer))
    op.add_column("person", sa.Column("steps_since", sa.BigInteger))
    op.add_column("person", sa.Column("digest", sa.Integer))
    op.add_column("person", sa.Column("digest_closed", sa.Boolean))
    op.create_table(
        "digest",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("told", sa.BigInteger, nullable=False),
        sa.Column("tried", sa.BigInteger),
        sa.PrimaryKeyConstraint("user"),
    )
    has_due = sa.text("due IS NOT NULL")
    op.create_index("ix_digest_due", "digest", ["due"], sqlite_where=has_due, postgresql_where=has_due)
