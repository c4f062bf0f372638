"""Role rewards, news, home posts, and who has left a server."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, PrimaryKeyConstraint, String, Table

from storage.schema.base import COUNTED, OUTDATED, metadata

# Role rewards of a server's leaderboard: the roles of place 1, of places 2 and 3, and of places 4 to 10.
podium = Table(
    "podium",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("pool", String, nullable=False),
    Column("seasonal", Boolean, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("version", Integer, nullable=False),  # the number of changes of the settings and of the places
    Column("shown", Integer, nullable=False),  # the version by which roles were given
    Column("until", BigInteger),  # when the season ends
    Column("trouble", String),
    Index("ix_podium_guild_behind", "guild", sqlite_where=OUTDATED, postgresql_where=OUTDATED),
    Index("ix_podium_until", "until"),
)

honour = Table(
    "honour",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("role", BigInteger, nullable=False),
    Column("given", Boolean, nullable=False),  # false: it was about to be
    PrimaryKeyConstraint("guild", "user", "role"),
    Index("ix_honour_user", "user"),
    sqlite_with_rowid=False,
)

# Users who were found to be no members of a server any more: its tables pass over them.
absence = Table(
    "absence",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    PrimaryKeyConstraint("guild", "user"),
    Index("ix_absence_user", "user"),
    sqlite_with_rowid=False,
)

# Channel announcements beside the boards: decided duels, and matches that were annulled after their end.
news = Table(
    "news",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("kind", String, nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("about", BigInteger, nullable=False),  # the challenge, or the match
    Column("place", Integer, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("ending", String),  # of a duel
    Column("action", String),  # of an entry of a server's log, as are the columns below
    Column("by", BigInteger),
    Column("subject", BigInteger),
    Column("detail", JSON(none_as_null=True)),
    Index("ix_news_by", "by"),
    Index("ix_news_subject", "subject"),
    sqlite_autoincrement=True,
)

# The releases, and the years in dots, of which servers were told.
release = Table("release", metadata, Column("name", String, primary_key=True), sqlite_with_rowid=False)

# The home post of a server: a message that is edited through the day and posted anew each day.
home = Table(
    "home",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, nullable=False),
    Column("zone", String),
    Column("role", BigInteger),  # is pinged for open challenges
    Column("message", BigInteger),
    Column("former", BigInteger),  # an earlier message, to be deleted, and its channel
    Column("former_channel", BigInteger),
    Column("posts", Integer, nullable=False),
    Column("posted", BigInteger),
    Column("edited", BigInteger),
    Column("fingerprint", String, nullable=False),  # of what the message shows
    Column("due", BigInteger, nullable=False),  # when it is looked at again
    Column("ping", BigInteger),  # the message that pings the role, to be deleted
    Column("pinged", BigInteger),
    Column("announced", BigInteger, nullable=False),  # the newest challenge that it told of
    Column("version", Integer, nullable=False),
    Index("ix_home_due", "due"),
)

# The places of a server's main list when its home was last posted.
home_place = Table(
    "home_place",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("latest", Boolean, nullable=False),  # false: of the day before
    Column("number", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    PrimaryKeyConstraint("guild", "latest", "number"),
    Index("ix_home_place_user", "user"),
    sqlite_with_rowid=False,
)
