"""Challenges, and who has joined them."""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, String, Table, text

from storage.schema.base import COUNTED, HAS_BY, OUTDATED, metadata

_offered = text("state = 'open'")
_unmet = text('"match" IS NULL')
_addressed = text("opponent IS NOT NULL")
_again = text("rematch IS NOT NULL")

challenge = Table(
    "challenge",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("challenger", BigInteger, nullable=False),
    Column("opponent", BigInteger),
    Column("terms", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("state", String, nullable=False),
    Column("by", BigInteger),
    Column("first", JSON(none_as_null=True)),
    Column("changes", Integer, nullable=False),
    Column("instead", BigInteger, ForeignKey("challenge.id")),
    Column("rematch", BigInteger, ForeignKey("match.id")),  # of what
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("version", Integer, nullable=False),
    Column("message", BigInteger),  # the card, and the version that it shows
    Column("shown", Integer),
    Column("source", BigInteger),  # the interaction that made it; null without one
    Column("language", String),  # of its card on a server that has none; null until it is known
    Index("uq_challenge_source", "source", unique=True),
    Index("ix_challenge_match", "match"),
    Index("ix_challenge_challenger", "challenger"),
    Index("ix_challenge_challenger_open", "challenger", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_guild_open", "guild", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_channel_open", "channel", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_opponent_made_unmet", "opponent", "made", sqlite_where=_unmet, postgresql_where=_unmet),
    Index("ix_challenge_opponent", "opponent", sqlite_where=_addressed, postgresql_where=_addressed),
    Index("ix_challenge_by", "by", sqlite_where=HAS_BY, postgresql_where=HAS_BY),
    Index("uq_challenge_rematch_open", "rematch", unique=True, sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_rematch", "rematch", sqlite_where=_again, postgresql_where=_again),
    Index("ix_challenge_expires_open", "expires", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_id_outdated", "id", sqlite_where=OUTDATED, postgresql_where=OUTDATED),
    sqlite_autoincrement=True,
)

joiner = Table(
    "joiner",
    metadata,
    Column("challenge", BigInteger, ForeignKey("challenge.id"), nullable=False),
    Column("number", Integer, nullable=False),  # in the order in which they joined
    Column("user", BigInteger, nullable=False),
    PrimaryKeyConstraint("challenge", "number"),
    Index("ix_joiner_user", "user"),
    sqlite_with_rowid=False,
)
