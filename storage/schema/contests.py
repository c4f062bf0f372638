"""Contests of two servers, their players and boards."""

from __future__ import annotations

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

from storage.schema.base import COUNTED, metadata

_behind = text("home_shown < version OR guest_shown < version")
_undecided = text("home_points IS NULL")
_has_due = text("due IS NOT NULL")

contest = Table(
    "contest",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("kind", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("code", String, nullable=False),  # the digest of the invite code
    Column("expires", BigInteger, nullable=False),
    Column("size", Integer, nullable=False),
    Column("period", BigInteger),  # the time of one vote
    Column("sign_up", BigInteger),  # how long it is open
    Column("closes", BigInteger),
    Column("stage", String, nullable=False),
    Column("cause", String),
    Column("proposed_by", Integer),
    Column("proposed", BigInteger),
    Column("ended", BigInteger),
    Column("version", Integer, nullable=False),
    Column("source", BigInteger),  # the interaction that made it
    Column("due", BigInteger),
    Column("home_guild", BigInteger, nullable=False),
    Column("home_channel", BigInteger, nullable=False),
    Column("home_manager", BigInteger, nullable=False),
    Column("home_message", BigInteger),
    Column("home_gone", Boolean, nullable=False, server_default=false()),
    Column("home_warned", Boolean, nullable=False, server_default=false()),  # of older versions, as the guest's
    Column("home_told", String, nullable=False, server_default=""),
    Column("home_shown", Integer, nullable=False),  # the version that the message shows
    Column("home_shown_at", BigInteger),
    Column("guest_guild", BigInteger),
    Column("guest_channel", BigInteger),
    Column("guest_manager", BigInteger),
    Column("guest_message", BigInteger),
    Column("guest_gone", Boolean, nullable=False, server_default=false()),
    Column("guest_warned", Boolean, nullable=False, server_default=false()),
    Column("guest_told", String, nullable=False, server_default=""),
    Column("guest_shown", Integer, nullable=False),
    Column("guest_shown_at", BigInteger),
    Column("home_boards", Double),  # the result, once it has ended
    Column("guest_boards", Double),
    Column("home_dots", Double),
    Column("guest_dots", Double),
    Index("uq_contest_code", "code", unique=True),
    Index("uq_contest_source", "source", unique=True),
    Index("ix_contest_home_guild", "home_guild"),
    Index("ix_contest_guest_guild", "guest_guild"),
    Index("ix_contest_home_channel", "home_channel"),
    Index("ix_contest_guest_channel", "guest_channel"),
    Index("ix_contest_home_manager", "home_manager"),
    Index("ix_contest_guest_manager", "guest_manager"),
    Index("ix_contest_ended", "ended"),
    Index("ix_contest_due", "due", sqlite_where=_has_due, postgresql_where=_has_due),
    Index("ix_contest_id_behind", "id", sqlite_where=_behind, postgresql_where=_behind),
    sqlite_autoincrement=True,
)

contest_player = Table(
    "contest_player",
    metadata,
    Column("contest", BigInteger, ForeignKey("contest.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("side", Integer, nullable=False),
    Column("rating", Double, nullable=False),
    Column("left", Boolean, nullable=False),
    PrimaryKeyConstraint("contest", "number"),
    Index("ix_contest_player_user", "user"),
    sqlite_with_rowid=False,
)

contest_board = Table(
    "contest_board",
    metadata,
    Column("contest", BigInteger, ForeignKey("contest.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("home", Integer),  # the numbers of the players; null in a vote game
    Column("guest", Integer),
    Column("first", Integer, nullable=False),  # the side that moves first
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("home_call", BigInteger),  # the messages that call the players
    Column("guest_call", BigInteger),
    Column("waits_since", BigInteger),
    Column("home_points", Double),  # null until it is decided
    Column("guest_points", Double),
    Column("home_dots", Double, nullable=False),
    Column("guest_dots", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("unplayed", Boolean, nullable=False),
    PrimaryKeyConstraint("contest", "number"),
    Index("ix_contest_board_undecided", "contest", sqlite_where=_undecided, postgresql_where=_undecided),
    sqlite_with_rowid=False,
)

contest_listing = Table(
    "contest_listing",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
)
"""The servers that want their names in everybody's table of the season."""
