"""The daily: runs, streaks, and posts on servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.create_table(
        "daily_run",
        sa.Column("day", sa.String, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("moves", sa.JSON, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("results", sa.JSON, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("day", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_daily_run_user", "daily_run", ["user"])
    op.create_table(
        "daily_member",
        sa.Column("day", sa.String, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "guild", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_daily_member_user", "daily_member", ["user"])
    op.create_table(
        "daily_streak",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("longest", sa.Integer, nullable=False),
        sa.Column("last", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_table(
        "daily_place",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String),
        sa.Column("choices", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("compared", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("due", sa.BigInteger),
        sa.Column("trouble", sa.String),
        sa.Column("failing", sa.BigInteger),
        sa.PrimaryKeyConstraint("guild"),
    )
    has_due = sa.text("due IS NOT NULL")
    op.create_index("ix_daily_place_due", "daily_place", ["due"], sqlite_where=has_due, postgresql_where=has_due)
    op.create_table(
        "daily_post",
        sa.Column("day", sa.String, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("recapped", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("day", "guild"),
        sqlite_with_rowid=False,
    )
