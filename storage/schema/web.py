"""Sessions of browsers, the keys of links to them, used links, the games that users watch there, and those for which
they launch the Activity."""

from sqlalchemy import BigInteger, Column, Index, PrimaryKeyConstraint, String, Table, text

from storage.schema.base import metadata

IS_OPEN = text("open IS NOT NULL")

web_session = Table(
    "web_session",
    metadata,
    Column("digest", String, primary_key=True),  # of the secret, which only the browser has
    Column("user", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("ix_web_session_user", "user"),
    Index("ix_web_session_until", "until"),
    sqlite_with_rowid=False,
)

# The links that were exchanged for a session, until a day after they have expired anyway.
web_link = Table(
    "web_link",
    metadata,
    Column("id", String, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Index("ix_web_link_until", "until"),
    sqlite_with_rowid=False,
)

# The key of a user's links. A link with another key, or of a user without one, is void.
web_key = Table(
    "web_key",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("key", String, nullable=False),
    sqlite_with_rowid=False,
)

# Games of others that users may watch.
web_watch = Table(
    "web_watch",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("match", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("seen", BigInteger),  # the channel in which they saw it; null: given by an earlier release
    Column("open", BigInteger),  # until when they count as watching; null while no board of theirs is open
    PrimaryKeyConstraint("user", "match"),
    Index("ix_web_watch_until", "until"),
    Index("ix_web_watch_match", "match", sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    sqlite_with_rowid=False,
)

# The game for which a user has just launched the Activity: the chat tells the page only the channel.
web_launch = Table(
    "web_launch",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("match", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("ix_web_launch_until", "until"),
    sqlite_with_rowid=False,
)
