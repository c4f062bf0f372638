"""Leagues: members, seasons, and who plays whom in them."""

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

from storage.schema.base import COUNTED, HAS_DUE, metadata

UNSHOWN = text("shown < changed")
_undecided = text("first_points IS NULL")

league = Table(
    "league",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, nullable=False),
    Column("keeper", BigInteger, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("begins", BigInteger, nullable=False),  # the next season
    Column("season", BigInteger),  # the present one
    Column("seasons", Integer, nullable=False),
    Column("pins", Boolean, nullable=False, server_default=false()),
    Column("closed", Boolean, nullable=False, server_default=false()),
    Column("message", BigInteger),
    Column("pinned", BigInteger),  # the message that is
    Column("version", Integer, nullable=False),
    Column("changed", Integer, nullable=False),  # the version in which the message changed last
    Column("shown", Integer, nullable=False),  # the version of the league that the message shows
    Column("edits", BigInteger, nullable=False),  # when the message may be edited next
    Column("notices", JSON, nullable=False),  # kinds, seasons and versions
    Column("announced", Integer, nullable=False),
    Column("due", BigInteger),
    Index("ix_league_keeper", "keeper"),
    Index("ix_league_due", "due", sqlite_where=HAS_DUE, postgresql_where=HAS_DUE),
    Index("ix_league_edits_unshown", "edits", sqlite_where=UNSHOWN, postgresql_where=UNSHOWN),
)

league_member = Table(
    "league_member",
    metadata,
    Column("guild", BigInteger, ForeignKey("league.guild"), nullable=False),
    Column("number", Integer, nullable=False),  # in the order of the league
    Column("user", BigInteger, nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("presence", String, nullable=False),
    Column("division", Integer),
    PrimaryKeyConstraint("guild", "number"),
    Index("ix_league_member_user", "user"),
    sqlite_with_rowid=False,
)

league_season = Table(
    "league_season",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger, ForeignKey("league.guild"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("begins", BigInteger, nullable=False),
    Column("ends", BigInteger, nullable=False),
    Column("levels", JSON, nullable=False),  # of the computer, by division
    Index("uq_league_season_guild_number", "guild", "number", unique=True),
    sqlite_autoincrement=True,
)

league_seat = Table(
    "league_seat",
    metadata,
    Column("season", BigInteger, ForeignKey("league_season.id"), nullable=False),
    Column("number", Integer, nullable=False),  # the best seed first
    Column("division", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("left", BigInteger),  # when they dropped out
    PrimaryKeyConstraint("season", "number"),
    Index("ix_league_seat_user", "user"),
    sqlite_with_rowid=False,
)

league_game = Table(
    "league_game",
    metadata,
    Column("season", BigInteger, ForeignKey("league_season.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("division", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("second", BigInteger, nullable=False),
    Column("begins", BigInteger, nullable=False),
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("first_points", Double),  # null until it is decided
    Column("second_points", Double),
    Column("taken", BigInteger),  # the player in whose place the computer plays
    Column("unplayed", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("season", "number"),
    Index("ix_league_game_undecided", "season", sqlite_where=_undecided, postgresql_where=_undecided),
    sqlite_with_rowid=False,
)
