"""Restrictions, announcements and the log of the bot's operator."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    String,
    Table,
    false,
    text,
)

from storage.schema.base import COUNTED, metadata

_waits = text("outcome IS NULL")

restriction = Table(
    "restriction",
    metadata,
    Column("kind", String, nullable=False),
    Column("subject", BigInteger, nullable=False),  # a server or a user; 0 for new games
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("reason", String, nullable=False),
    PrimaryKeyConstraint("kind", "subject"),
    sqlite_with_rowid=False,
)

operator_act = Table(
    "operator_act",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", String, nullable=False),  # the name of an account of the machine
    Column("name", String, nullable=False),
    Column("subject", BigInteger, nullable=False),  # a server or a user; 0 without one
    Column("detail", String, nullable=False),
    Index("ix_operator_act_subject", "subject"),
    sqlite_autoincrement=True,
)

announcement = Table(
    "announcement",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("texts", JSON, nullable=False),  # by language
    Column("known", BigInteger, nullable=False),  # the last of its servers so far
    Column("listed", Boolean, nullable=False),  # whether that was the last one
    Column("withdrawn", Boolean, nullable=False, server_default=false()),
    sqlite_autoincrement=True,
)

delivery = Table(
    "delivery",
    metadata,
    Column("announcement", BigInteger, ForeignKey("announcement.id"), nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("tried", BigInteger),  # when its message was sent first
    Column("outcome", String),  # null while it waits
    PrimaryKeyConstraint("announcement", "guild"),
    Index("ix_delivery_announcement_waits", "announcement", "guild", sqlite_where=_waits, postgresql_where=_waits),
    sqlite_with_rowid=False,
)
