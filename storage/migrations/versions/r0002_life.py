"""Notices, conditional moves, vacations, and the heartbeat of the bot with its downtimes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "notice",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "user", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_notice_user", "notice", ["user"])
    op.create_table(
        "plan",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("line", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat"),
    )
    op.create_table(
        "vacation",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("start", sa.BigInteger, nullable=False),
        sa.Column("end", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "start"),
    )
    op.create_table(
        "downtime",
        sa.Column("start", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("end", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("start"),
    )
    op.create_index("ix_downtime_end", "downtime", ["end"])
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
