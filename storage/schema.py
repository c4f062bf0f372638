"""The tables. What happened stands in `event`; the rest of a match's row is derived from it, for queries.

Times are milliseconds since the UTC epoch. People are ids: names are never stored.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite counts ids by itself only in a column whose type is exactly INTEGER; it holds 64 bits all the same.
_counted = BigInteger().with_variant(Integer, "sqlite")
_open = text("ended IS NULL")

match = Table(
    "match",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("parent", BigInteger),
    Column("game", String, nullable=False),  # the key of the preset
    Column("options", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("control", String, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # the number of events
    Column("to_act", Integer),  # a seat; null when the match is over
    Column("deadline", BigInteger),
    Column("ended", BigInteger),  # null while the match is open
    Column("reason", String),
    Column("winners", JSON(none_as_null=True)),  # seats
    Column("board", BigInteger),  # the newest posted message, and the version that it shows
    Column("board_version", Integer),
    Index("ix_match_deadline_open", "deadline", sqlite_where=_open, postgresql_where=_open),
    Index("uq_match_channel_open", "channel", unique=True, sqlite_where=_open, postgresql_where=_open),
    Index("ix_match_channel_ended", "channel", "ended"),
    sqlite_autoincrement=True,
)

seat = Table(
    "seat",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "seat"),
    Index("uq_seat_user_match", "user", "match", unique=True),
    sqlite_with_rowid=False,
)

event = Table(
    "event",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seq", Integer, nullable=False),  # the version of the match after it
    Column("kind", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("source", BigInteger, unique=True),  # the interaction or message; null if nobody did it
    PrimaryKeyConstraint("match", "seq"),
    sqlite_with_rowid=False,
)

challenge = Table(
    "challenge",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("challenger", BigInteger, nullable=False),
    Column("opponent", BigInteger),
    Column("game", String, nullable=False),
    Column("options", JSON, nullable=False),
    Column("control", String, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("state", String, nullable=False),
    Column("match", BigInteger, ForeignKey("match.id")),
    sqlite_autoincrement=True,
)

outbox = Table(
    "outbox",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)
