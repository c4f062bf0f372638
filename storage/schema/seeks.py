"""Searches for a stranger to play with, and reports of those met."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    false,
    text,
)

from storage.schema.base import COUNTED, metadata

_of_arena = text("arena IS NOT NULL")
_goes_on = text("state IN ('waiting', 'called', 'offered')")

seek = Table(
    "seek",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("user", BigInteger, nullable=False),
    Column("guild", BigInteger),  # null: direct messages
    Column("channel", BigInteger, nullable=False),
    Column("speed", String, nullable=False),  # that of the terms
    Column("terms", JSON, nullable=False),
    Column("flexible", Boolean, nullable=False),
    Column("weekly", Boolean, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("state", String, nullable=False),
    Column("partner", BigInteger),  # another search, which may be deleted
    Column("met", BigInteger),
    Column("call", BigInteger),  # the message; null until it is posted
    Column("ready", Boolean, nullable=False),
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("version", Integer, nullable=False),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("meanwhile", BigInteger),  # a match against the computer
    Column("arena", BigInteger),  # that paired it
    Index(
        *("uq_seek_user_speed_private", "user", "speed", "private"),
        unique=True,
        sqlite_where=_goes_on,
        postgresql_where=_goes_on,
    ),
    Index("ix_seek_user", "user", "since"),
    Index("ix_seek_speed_since", "speed", "since", sqlite_where=_goes_on, postgresql_where=_goes_on),
    Index("ix_seek_speed_met", "speed", "met"),
    Index("ix_seek_match", "match"),
    Index("ix_seek_arena", "arena", sqlite_where=_of_arena, postgresql_where=_of_arena),
    sqlite_autoincrement=True,
)

# The code by which a friend takes a search.
friend_code = Table(
    "friend_code",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("seek", BigInteger, nullable=False),  # which may be deleted
    Column("name", String, nullable=False),  # the letters by which it is found
    Column("digest", String, nullable=False),  # of all letters
    Column("until", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),  # with other letters than its own
    Index("uq_friend_code_name", "name", unique=True),
    Index("ix_friend_code_until", "until"),
)

seek_call = Table(
    "seek_call",
    metadata,
    Column("message", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, nullable=False),
    Column("seek", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("guild", BigInteger),  # that of the search
    Column("told", String),  # what has come of the call; null while it is asked
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("at", BigInteger),  # when that came
    Index("ix_seek_call_seek", "seek"),
    Index("ix_seek_call_user", "user"),
    Index("ix_seek_call_at", "at"),
)

report = Table(
    "report",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("user", BigInteger, nullable=False),  # of whom it tells
    Column("by", BigInteger, nullable=False),
    Column("guild", BigInteger),  # where the reporter is at home; null: direct messages
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "by"),
    Index("ix_report_user", "user", "at"),
    Index("ix_report_by", "by"),
)

# What stays for a month of how one who deleted their data had behaved towards strangers.
past_conduct = Table(
    "past_conduct",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),  # when the data were deleted
    Column("games", Integer, nullable=False),
    Column("strikes", Integer, nullable=False),
    Column("strikes_of_week", Integer, nullable=False),
    Column("reported", Integer, nullable=False),  # by members of so many servers
    PrimaryKeyConstraint("user", "at"),
    Index("ix_past_conduct_at", "at"),
)
