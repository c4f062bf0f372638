"""The path of lessons, and the mistakes of players that come back to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.create_table(
        "lesson",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("lesson", sa.String, nullable=False),
        sa.Column("done", sa.BigInteger),
        sa.Column("puzzles", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user", "lesson"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "learner",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_table(
        "reviewed",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("lost", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("user", "match"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_reviewed_user_at", "reviewed", ["user", "at"])
    op.create_table(
        "mistake",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("line", sa.JSON, nullable=False),
        sa.Column("good", sa.JSON, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("lost", sa.Double, nullable=False),
        sa.Column("day", sa.Integer),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "match", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mistake_user_day", "mistake", ["user", "day"])
    op.create_index("ix_mistake_user_at", "mistake", ["user", "at"])
