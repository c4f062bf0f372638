"""Happenings on servers, and the events in the chat that show it."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, false

from storage.schema.base import COUNTED, metadata

happening = Table(
    "happening",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("key", BigInteger, nullable=False),  # the id of a tournament, of a round, ...
    Column("channel", BigInteger, nullable=False),
    Column("name", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("begins", BigInteger, nullable=False),
    Column("ends", BigInteger),
    Column("phase", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("event", BigInteger),  # in the chat, and the version that it shows
    Column("shown", Integer, nullable=False),
    Column("tries", Integer, nullable=False),  # the attempts to bring the event up to date
    Column("held", BigInteger),  # until when the last attempt owns the row
    Column("due", BigInteger, nullable=False),  # when to look at it
    Column("removed", Boolean, nullable=False, server_default=false()),  # a manager has deleted the event
    Index("uq_happening_guild_kind_key", "guild", "kind", "key", unique=True),
    Index("ix_happening_due", "due"),
    sqlite_autoincrement=True,
)
