"""Ratings, their history, and the leaderboards."""

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
)

from storage.schema.base import metadata

rating = Table(
    "rating",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("pool", String, nullable=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("games", Integer, nullable=False),  # rated ones: the number of rows in `change`
    PrimaryKeyConstraint("user", "pool"),
    sqlite_with_rowid=False,
)

change = Table(
    "change",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("guild", BigInteger),
    Column("pool", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("result", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("reasons", JSON, nullable=False),  # why it weighs less than 1
    Column("level", Integer),  # of the computer, where that was the opponent
    *(
        column
        for moment in ("before", "after")
        for column in (
            Column(f"{moment}_value", Double, nullable=False),
            Column(f"{moment}_deviation", Double, nullable=False),
            Column(f"{moment}_volatility", Double, nullable=False),
        )
    ),
    Column("before_at", BigInteger),  # null in the first rated game
    Column("offset", Double, nullable=False, server_default="0"),  # points by which a handicap made the player stronger
    Column("moved", Double),  # deviations by which earlier games against the opponent moved the rating; null: no bound
    PrimaryKeyConstraint("match", "seat"),
    Index("ix_change_user_pool_at", "user", "pool", "at"),
    Index("ix_change_pool_at_match", "pool", "at", "match"),
    sqlite_with_rowid=False,
)

# A finished match that a moderator annulled, with the former change of each player's rating, if it was rated.
annulment = Table(
    "annulment",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("by", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("pool", String),
    Column("before", Double),
    Column("after", Double),
    PrimaryKeyConstraint("match", "seat"),
    Index("ix_annulment_user", "user"),
    Index("ix_annulment_by", "by"),
    sqlite_with_rowid=False,
)

# The same ratings for each server on which a user was rated, and for everywhere (0), in the order of the leaderboards:
# a page is read without a look at all other lines.
standing = Table(
    "standing",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("pool", String, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("value", Double, nullable=False),
    Column("listed", Boolean, nullable=False),  # has a place: enough games, or a sure rating; others follow
    PrimaryKeyConstraint("guild", "pool", "user"),
    Index("ix_standing_user_pool", "user", "pool"),
    Index("ix_standing_guild_pool_listed", "guild", "pool", "listed", "value", "user"),
    sqlite_with_rowid=False,
)

season = Table(
    "season",
    metadata,
    Column("guild", BigInteger, nullable=False),  # 0 is everywhere
    Column("season", String, nullable=False),
    Column("pool", String, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("points", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("guild", "season", "pool", "user"),
    Index("ix_season_guild_season_pool_points", "guild", "season", "pool", "points", "wins", "user"),
    Index("ix_season_user", "user"),
    sqlite_with_rowid=False,
)
