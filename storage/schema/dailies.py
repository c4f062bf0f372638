"""The daily: the ways of users through it, streaks, and its posts on servers."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    false,
    text,
)

from storage.schema.base import HAS_DUE, metadata

daily_run = Table(
    "daily_run",
    metadata,
    Column("day", String, nullable=False),  # as 2026-11-26, in UTC
    Column("user", BigInteger, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("moves", JSON, nullable=False),  # of the present step
    Column("missed", Integer, nullable=False),
    Column("results", JSON, nullable=False),  # of the steps before
    Column("tries", Integer, nullable=False),  # counts the changes
    Column("ended", BigInteger),
    Column("solved", Integer, nullable=False),  # steps and points, for sums
    Column("points", Integer, nullable=False),
    Column("first", Integer, nullable=False, server_default=text("0")),  # of the first days; 0: the list of the day
    Column("plain", Boolean, nullable=False, server_default=false()),  # without STOP
    PrimaryKeyConstraint("day", "user"),
    Index("ix_daily_run_user", "user"),
    sqlite_with_rowid=False,
)

# The servers on which a user has opened the daily of a day, which count and name them there.
daily_member = Table(
    "daily_member",
    metadata,
    Column("day", String, nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    PrimaryKeyConstraint("day", "guild", "user"),
    Index("ix_daily_member_user", "user"),
    sqlite_with_rowid=False,
)

daily_streak = Table(
    "daily_streak",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("days", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    Column("last", String, nullable=False),
)

daily_place = Table(
    "daily_place",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger),  # where it is posted, if anywhere
    Column("hour", Integer, nullable=False),
    Column("zone", String),
    Column("choices", Boolean, nullable=False, server_default=false()),
    Column("compared", Boolean, nullable=False, server_default=false()),
    Column("due", BigInteger),
    Index("ix_daily_place_due", "due", sqlite_where=HAS_DUE, postgresql_where=HAS_DUE),
)

daily_post = Table(
    "daily_post",
    metadata,
    Column("day", String, nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),  # none until it is known to be posted
    Column("streak", Integer, nullable=False),  # days in a row with a solver, up to the day before
    Column("recapped", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("day", "guild"),
    sqlite_with_rowid=False,
)
