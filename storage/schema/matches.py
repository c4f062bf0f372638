"""Matches and their events. `event` holds the history; other columns of a match are derived from it, for queries."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    false,
    text,
)

from storage.schema.base import COUNTED, HAS_BY, metadata

_open = text("ended IS NULL")
_strangers_open = text("ended IS NULL AND strangers")
_waiting = text("ended IS NULL AND reminder IS NOT NULL")
_kept = text("ended IS NULL AND reopen IS NOT NULL")
_open_away = text("ended IS NULL AND away_channel IS NOT NULL")
_away = text("away_channel IS NOT NULL")
_kept_away = text("ended IS NULL AND away_reopen IS NOT NULL")

match = Table(
    "match",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("parent", BigInteger),
    Column("game", String, nullable=False),  # the key of the preset
    Column("options", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("control", String, nullable=False),
    Column("agreement", String, nullable=False),  # the players' time agreement
    Column("started", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # the number of events
    Column("to_act", Integer),  # a seat; null when the match is over
    Column("turned", BigInteger, nullable=False),  # since when it is that seat's turn
    Column("deadline", BigInteger),
    Column("reminder", BigInteger),  # when the seat is reminded; null if it is not, or was
    Column("reminded", BigInteger),  # of the last turn of which a player was reminded: when it began
    Column("known", BigInteger, nullable=False),  # the end of the last downtime that the two reckon with
    Column("ended", BigInteger),  # null while the match is open
    Column("reason", String),
    Column("winners", JSON(none_as_null=True)),  # seats
    Column("board", BigInteger),  # the newest posted message, and the version that it shows
    Column("board_version", Integer),
    Column("lost", Boolean, nullable=False),  # nothing can be posted where it is played
    Column("rule_set", String),  # the name of the own rule set that it is played by; null without one
    Column("steps", Integer),  # of the turn of `reminded`: the steps that are done; null: all of them
    Column("language", String),  # of its boards on a server that has none; null until it is known
    Column("reopen", BigInteger),  # when its thread is opened for another week; null where that is in vain
    Column("away_guild", BigInteger),  # this and the rest: the second place, if the match has one
    Column("away_channel", BigInteger),
    Column("away_parent", BigInteger),
    Column("away_seat", Integer),  # the seat that is at home there
    Column("away_board", BigInteger),
    Column("away_board_version", Integer),
    Column("away_lost", Boolean),
    Column("away_language", String),
    Column("away_reopen", BigInteger),
    Column("predictable", Boolean, nullable=False, server_default=false()),  # by those who do not play it
    Column("extra", JSON(none_as_null=True)),  # time of each seat beside that of the control; null without any
    Column("strangers", Boolean, nullable=False, server_default=false()),  # whose search has made it
    Index("ix_match_strangers_open", "turned", sqlite_where=_strangers_open, postgresql_where=_strangers_open),
    Index("ix_match_deadline_open", "deadline", sqlite_where=_open, postgresql_where=_open),
    Index("ix_match_reminder_open", "reminder", sqlite_where=_waiting, postgresql_where=_waiting),
    Index("ix_match_reopen_open", "reopen", sqlite_where=_kept, postgresql_where=_kept),
    Index("uq_match_channel_open", "channel", unique=True, sqlite_where=_open, postgresql_where=_open),
    Index("ix_match_channel_ended", "channel", "ended"),
    Index("ix_match_guild_ended", "guild", "ended"),
    Index("uq_match_away_open", "away_channel", unique=True, sqlite_where=_open_away, postgresql_where=_open_away),
    Index("ix_match_away_parent", "away_parent", sqlite_where=_open_away, postgresql_where=_open_away),
    Index("ix_match_away_ended", "away_channel", "ended", sqlite_where=_away, postgresql_where=_away),
    Index("ix_match_away_reopen", "away_reopen", sqlite_where=_kept_away, postgresql_where=_kept_away),
    sqlite_autoincrement=True,
)

seat = Table(
    "seat",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("zone", String),  # the player's time zone, if the match's clock follows it
    Column("night", String),
    Column("ended", BigInteger),  # this and the rest follow from the match's events, once it is over
    Column("score", Double),
    Column("capture", Integer),  # the most that it captured with one turn
    Column("quit", Boolean),  # whether this seat abandoned the match
    Column("quiet", Boolean),  # whether the match does not ping this seat; null: it does
    PrimaryKeyConstraint("match", "seat"),
    Index("uq_seat_user_match", "user", "match", unique=True),
    Index("ix_seat_user_ended_match", "user", "ended", "match"),
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
    Column("source", BigInteger, unique=True),  # the interaction or message; null without one
    Column("by", BigInteger),  # a moderator, who has no seat
    Column("lost", BigInteger),  # milliseconds in which the bot turned its player away; null for none
    PrimaryKeyConstraint("match", "seq"),
    Index("ix_event_by", "by", sqlite_where=HAS_BY, postgresql_where=HAS_BY),
    sqlite_with_rowid=False,
)

plan = Table(
    "plan",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("line", JSON, nullable=False),  # pairs of what is expected and the reply
    PrimaryKeyConstraint("match", "seat"),
)

sheet = Table(
    "sheet",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("next_id", Integer, nullable=False),
    Column("turns", JSON, nullable=False),  # the fields of each: id, parent, after, seat, text, note
    Column("removed", JSON, nullable=False),  # those that were removed last
    Column("published", Boolean, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("barred", Boolean, nullable=False, server_default=false()),  # moderators have taken it off
    PrimaryKeyConstraint("match", "user"),
    Index("ix_sheet_user", "user"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("answer_until", BigInteger),  # until then the answer to its player's click may bring this board; else null
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)

away_outbox = Table(  # as `outbox`, of the second places
    "away_outbox",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("answer_until", BigInteger),
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)

ruling = Table(  # that one of two servers has proposed
    "ruling",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), primary_key=True, autoincrement=False),
    Column("guild", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("seat", Integer),
    Column("time", BigInteger),
    Column("made", BigInteger, nullable=False),
)

notice = Table(
    "notice",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("steps", Integer),  # of a reminder
    Column("at", BigInteger),  # of a phrase: when it was said
    PrimaryKeyConstraint("match", "user", "kind"),
    Index("ix_notice_user", "user"),
    sqlite_with_rowid=False,
)
