"""The daily puzzles of servers, and what people answered to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_counted = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "puzzle",
        sa.Column("id", _counted, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("day", sa.String, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("solution", sa.JSON, nullable=False),
        sa.Column("captures", sa.Double, nullable=False),
        sa.Column("channel", sa.BigInteger),
        sa.Column("message", sa.BigInteger),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_puzzle_guild_day", "puzzle", ["guild", "day"], unique=True)
    op.create_index("ix_puzzle_match", "puzzle", ["match"])
    op.create_table(
        "attempt",
        sa.Column("puzzle", sa.BigInteger, sa.ForeignKey("puzzle.id"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.Integer, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("puzzle", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_attempt_user", "attempt", ["user"])
    op.create_index("ix_match_guild_ended", "match", ["guild", "ended"])
