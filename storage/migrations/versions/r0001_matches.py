"""Challenges, matches with their seats and events, and the outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_counted = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_open = sa.text("ended IS NULL")


def upgrade() -> None:
    op.create_table(
        "match",
        sa.Column("id", _counted, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("parent", sa.BigInteger),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("control", sa.String, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("to_act", sa.Integer),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("reason", sa.String),
        sa.Column("winners", sa.JSON),
        sa.Column("board", sa.BigInteger),
        sa.Column("board_version", sa.Integer),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_match_deadline_open", "match", ["deadline"], sqlite_where=_open, postgresql_where=_open)
    op.create_index(
        "uq_match_channel_open", "match", ["channel"], unique=True, sqlite_where=_open, postgresql_where=_open
    )
    op.create_index("ix_match_channel_ended", "match", ["channel", "ended"])
    op.create_table(
        "seat",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("uq_seat_user_match", "seat", ["user", "match"], unique=True)
    op.create_table(
        "event",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("source", sa.BigInteger, unique=True),
        sa.PrimaryKeyConstraint("match", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "challenge",
        sa.Column("id", _counted, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("challenger", sa.BigInteger, nullable=False),
        sa.Column("opponent", sa.BigInteger),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("control", sa.String, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "version"),
        sqlite_with_rowid=False,
    )
