"""The settings of players and servers, their own rule sets, and the greetings of servers."""

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
    true,
)

from storage.schema.base import COUNTED, HAS_DUE, UNPOSTED, metadata

person = Table(
    "person",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),  # the number of changes
    Column("language", String),
    Column("theme", String, nullable=False),
    Column("confirm_live", Boolean, nullable=False),
    Column("confirm_days", Boolean, nullable=False),
    Column("reminders", String, nullable=False),
    Column("night", String),  # quiet hours as 22:00-07:00, in `zone`
    Column("zone", String),  # the IANA name
    Column("terms", JSON(none_as_null=True)),  # what challenges offer
    Column("steps", Integer),  # steps of a turn that bring reminders; null: the default
    Column("steps_since", BigInteger),  # when they were chosen
    Column("digest", Integer),  # the hour of the digest, in `zone` or else in UTC; null without one
    Column("digest_closed", Boolean),  # whether closed direct messages have ended it
    Column("dm", BigInteger),  # the channel of the direct messages that the player has asked for
    Column("opens_next", Boolean, nullable=False, server_default=false()),  # whether a move opens the next game
    Column("named", Boolean, nullable=False, server_default=true()),  # whether others read who watches a game
    Column("milestones", Boolean, nullable=False, server_default=true()),  # whether the player is told of them
    Column("alias", String),  # what players of other servers call them; empty: a number, null: their display name
    Column("watchable", Boolean, nullable=False, server_default=false()),  # whether all see games with strangers
    Column("explored", String),  # what the explorer of openings shows: rules, size, start and whose games
)

# When each player who has or had a digest gets the next one.
digest = Table(
    "digest",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("due", BigInteger),  # null while there is none
    Column("day", Integer, nullable=False),  # the last local day that is done, counted from 1 January of the year 1
    Column("told", BigInteger, nullable=False),  # ends of matches up to then were told
    Column("tried", BigInteger),  # when the digest that is due was first sent; null if it was not, or was refused
    Index("ix_digest_due", "due", sqlite_where=HAS_DUE, postgresql_where=HAS_DUE),
)

server = Table(
    "server",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),  # the number of changes
    Column("terms", JSON(none_as_null=True)),
    Column("channels", JSON, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("threads", Boolean, nullable=False),
    Column("language", String),
    Column("theme", String, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("dot_dash", Boolean, nullable=False),
    Column("log_channel", BigInteger),
    Column("log_lost", Boolean, nullable=False, server_default=false()),  # the last entry could not be posted
    Column("pages", Boolean, nullable=False, server_default=false()),
    Column("events", Boolean, nullable=False, server_default=false()),  # in the chat, for what begins on the server
    Column("news", Boolean, nullable=False, server_default=true()),  # what is new in a release is told
    Column("strangers", Boolean, nullable=False, server_default=true()),  # members may meet players of other servers
)

# Users who let the chat know their figures, for roles: the token of that, and what the chat was told last.
linked_account = Table(
    "linked_account",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("refresh", String, nullable=False),  # useless without the client secret, which is not stored
    Column("pushed", JSON, nullable=False),
    Column("withdrawn", Boolean, nullable=False),  # to be taken back at the chat
    Column("tries", Integer, nullable=False),  # the attempts to tell the chat
    Column("held", BigInteger),  # until when the last attempt owns the row
    Column("due", BigInteger, nullable=False),
    Column("asked", Boolean, nullable=False, server_default=false()),  # the token was sent, the answer isn't known
    Column("ended", Boolean, nullable=False, server_default=false()),  # by that: the user has to link again
    Index("ix_linked_account_due", "due"),
)

# What users have reached, and were told of.
milestone = Table(
    "milestone",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("key", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "key"),
    sqlite_with_rowid=False,
)

# Players who do not want to play others.
block = Table(
    "block",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("blocked", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "blocked"),
    Index("ix_block_blocked", "blocked"),
    sqlite_with_rowid=False,
)

# Members whom the moderators of a server keep from playing on it.
ban = Table(
    "ban",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("by", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),  # null: until it is lifted
    Column("reason", String, nullable=False),
    PrimaryKeyConstraint("guild", "user"),
    Index("ix_ban_user", "user"),
    Index("ix_ban_by", "by"),
    Index("ix_ban_until", "until"),
    sqlite_with_rowid=False,
)

# The newest greeting of each server that the bot has joined.
greeting = Table(
    "greeting",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, nullable=False),
    Column("joined", BigInteger, nullable=False),  # when the bot joined the server
    Column("posted", Boolean, nullable=False),  # or never can be
    Index("ix_greeting_joined_unposted", "joined", sqlite_where=UNPOSTED, postgresql_where=UNPOSTED),
)

# Rules with a name, of a user or of a server.
rule_set = Table(
    "rule_set",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("user", BigInteger),  # one of the two is null
    Column("guild", BigInteger),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False),  # the name without upper case: an owner has it once
    Column("game", String, nullable=False),  # the key of the preset
    Column("options", JSON, nullable=False),
    Column("control", String),  # the clock that comes with the rules; null if none does
    Index("uq_rule_set_user_folded", "user", "folded", unique=True),
    Index("uq_rule_set_guild_folded", "guild", "folded", unique=True),
    sqlite_autoincrement=True,
)

# The link by which a user shows parts of their figures to those who have it.
shared_figures = Table(
    "shared_figures",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("link", String, nullable=False, unique=True),
    Column("parts", JSON, nullable=False),
)
