"""Challenges, matches with their seats and events, and the outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_counted = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_open = sa.text("ended IS NULL")
_waiting = sa.text("ended IS NULL AND reminder IS NOT NULL")
_offered = sa.text("state = 'open'")
_outdated = sa.text("shown < version")
_addressed = sa.text("opponent IS NOT NULL")
_by_somebody = sa.text('"by" IS NOT NULL')


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
        sa.Column("agreement", sa.String, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("to_act", sa.Integer),
        sa.Column("turned", sa.BigInteger, nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("reminder", sa.BigInteger),
        sa.Column("reminded", sa.BigInteger),
        sa.Column("known", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("reason", sa.String),
        sa.Column("winners", sa.JSON),
        sa.Column("board", sa.BigInteger),
        sa.Column("board_version", sa.Integer),
        sa.Column("lost", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_match_deadline_open", "match", ["deadline"], sqlite_where=_open, postgresql_where=_open)
    op.create_index("ix_match_reminder_open", "match", ["reminder"], sqlite_where=_waiting, postgresql_where=_waiting)
    op.create_index(
        "uq_match_channel_open", "match", ["channel"], unique=True, sqlite_where=_open, postgresql_where=_open
    )
    op.create_index("ix_match_channel_ended", "match", ["channel", "ended"])
    op.create_table(
        "seat",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("zone", sa.String),
        sa.Column("night", sa.String),
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
        sa.Column("by", sa.BigInteger),
        sa.PrimaryKeyConstraint("match", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_by", "event", ["by"], sqlite_where=_by_somebody, postgresql_where=_by_somebody)
    op.create_table(
        "challenge",
        sa.Column("id", _counted, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("challenger", sa.BigInteger, nullable=False),
        sa.Column("opponent", sa.BigInteger),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("by", sa.BigInteger),
        sa.Column("first", sa.JSON),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("instead", sa.BigInteger, sa.ForeignKey("challenge.id")),
        sa.Column("rematch", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("shown", sa.Integer),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_challenge_expires_open", "challenge", ["expires"], sqlite_where=_offered, postgresql_where=_offered
    )
    op.create_index(
        "uq_challenge_rematch_open",
        "challenge",
        ["rematch"],
        unique=True,
        sqlite_where=_offered,
        postgresql_where=_offered,
    )
    op.create_index("ix_challenge_id_outdated", "challenge", ["id"], sqlite_where=_outdated, postgresql_where=_outdated)
    op.create_index("ix_challenge_challenger", "challenge", ["challenger"])
    op.create_index(
        "ix_challenge_opponent", "challenge", ["opponent"], sqlite_where=_addressed, postgresql_where=_addressed
    )
    op.create_index("ix_challenge_by", "challenge", ["by"], sqlite_where=_by_somebody, postgresql_where=_by_somebody)
    op.create_table(
        "joiner",
        sa.Column("challenge", sa.BigInteger, sa.ForeignKey("challenge.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("challenge", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_joiner_user", "joiner", ["user"])
    op.create_table(
        "outbox",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "version"),
        sqlite_with_rowid=False,
    )
