"""Sides of vote games, and the votes for them."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, false

from storage.schema.base import COUNTED, UNDONE, metadata

side = Table(
    "side",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("match", BigInteger, ForeignKey("match.id")),  # null only while it begins
    Column("seat", Integer),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("role", BigInteger),  # null: all members; the server itself: all, since the role was deleted
    Column("period", BigInteger, nullable=False),
    Column("quorum", Integer, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("closed", Integer, nullable=False, server_default="-1"),  # the newest turn that was counted
    Column("prolonged", Integer, nullable=False, server_default="-1"),  # the newest turn that lacked votes
    Column("seen", Integer, nullable=False, server_default="-1"),  # the version at which the counter looked
    Column("due", BigInteger),  # when it looks again; null: when there is another version
    Column("done", Boolean, nullable=False, server_default=false()),
    Index("ix_side_match", "match"),
    Index("ix_side_guild_open", "guild", sqlite_where=UNDONE, postgresql_where=UNDONE),
    Index("ix_side_due_open", "due", sqlite_where=UNDONE, postgresql_where=UNDONE),
    Index("ix_side_match_open", "match", "seen", sqlite_where=UNDONE, postgresql_where=UNDONE),
    sqlite_autoincrement=True,
)

vote = Table(
    "vote",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("side", BigInteger, ForeignKey("side.id"), nullable=False),
    Column("version", Integer, nullable=False),  # with which the turn began
    Column("user", BigInteger),  # null: deleted since
    Column("choice", String, nullable=False),
    Column("text", String, nullable=False),  # the notation of a move
    Column("at", BigInteger, nullable=False),
    Column("source", BigInteger),  # the interaction
    Index("uq_vote_side_version_user", "side", "version", "user", unique=True),
    Index("ix_vote_user_side_version", "user", "side", "version"),
    sqlite_autoincrement=True,
)
