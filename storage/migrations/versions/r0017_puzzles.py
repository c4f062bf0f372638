"""Built-in puzzles as daily ones, streaks, puzzle ratings and rushes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    with op.batch_alter_table("puzzle", table_kwargs={"sqlite_autoincrement": True}) as puzzle:
        puzzle.alter_column("match", existing_type=sa.BigInteger, nullable=True)
        puzzle.add_column(sa.Column("exercise", sa.Integer))
    op.add_column("attempt", sa.Column("scored", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("attempt", sa.Column("streak", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "solver",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_table(
        "grade",
        sa.Column("task", sa.String, primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("task"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tried",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("task", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "task"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rush",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("tasks", sa.JSON, nullable=False),
        sa.Column("before", sa.Double, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("right", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_table(
        "best_rush",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("week", sa.String, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guild", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_best_rush_guild_week", "best_rush", ["guild", "week", "solved"])
    op.create_index("ix_best_rush_user", "best_rush", ["user"])
