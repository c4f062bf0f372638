"""Tournaments, and who plays whom in them."""

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

from storage.schema.base import COUNTED, OUTDATED, metadata

_undecided = text("first_points IS NULL")

tournament = Table(
    "tournament",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("host", BigInteger, nullable=False),
    Column("name", String, nullable=False),
    Column("format", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("pace", BigInteger),  # the time for a round
    Column("stage", String, nullable=False),
    Column("until", BigInteger),  # when the present round ends
    Column("version", Integer, nullable=False),
    Column("message", BigInteger),  # with the standings, and the version that it shows
    Column("shown", Integer, nullable=False),
    Column("source", BigInteger),  # the interaction that made it
    Column("begins", BigInteger),  # by itself
    Column("postponed", Boolean, nullable=False, server_default=false()),
    Column("reminded", Boolean, nullable=False, server_default=false()),
    Column("computer", Integer),  # its level
    Column("due", BigInteger),  # when it begins, or its players are reminded
    Column("notices", JSON),  # kinds and versions
    Column("announced", Integer, nullable=False, server_default="0"),  # the version of the last posted notice
    Index("uq_tournament_source", "source", unique=True),
    Index("ix_tournament_channel", "channel"),
    Index("ix_tournament_guild", "guild"),
    Index("ix_tournament_host", "host"),
    Index("ix_tournament_id_behind", "id", sqlite_where=OUTDATED, postgresql_where=OUTDATED),
    Index("ix_tournament_until", "until"),
    Index("ix_tournament_due", "due"),
    sqlite_autoincrement=True,
)

entrant = Table(
    "entrant",
    metadata,
    Column("tournament", BigInteger, ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),  # once it has begun, the seed
    Column("user", BigInteger, nullable=False),
    Column("rating", Double, nullable=False),
    Column("left", Integer),  # the round in which they withdrew
    PrimaryKeyConstraint("tournament", "number"),
    Index("ix_entrant_user", "user"),
    sqlite_with_rowid=False,
)

bout = Table(
    "bout",
    metadata,
    Column("tournament", BigInteger, ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("second", BigInteger),
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("first_points", Double),  # null until it is decided
    Column("second_points", Double),
    Column("replays", Integer, nullable=False),
    Column("unplayed", Boolean, nullable=False, server_default=false()),  # decided without a game
    PrimaryKeyConstraint("tournament", "number"),
    Index("ix_bout_undecided", "tournament", sqlite_where=_undecided, postgresql_where=_undecided),
    sqlite_with_rowid=False,
)
