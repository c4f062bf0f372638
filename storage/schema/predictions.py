"""Predictions of games by those who do not play them."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, String, Table, text

from storage.schema.base import metadata

_unsettled = text("season IS NULL")

prediction = Table(
    "prediction",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("window", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("guild", BigInteger, nullable=False),  # where it was made
    Column("pick", Integer, nullable=False),  # a step of the scale of results
    Column("obvious", Integer, nullable=False),  # the step that the board and the ratings said
    Column("at", BigInteger, nullable=False),
    Column("season", String),  # as 2026q4, in which the game ended; null until then
    Column("points", Integer),
    Column("right", Integer),  # 1 if it named the winner
    PrimaryKeyConstraint("match", "user", "window"),
    Index("ix_prediction_guild_season_user", "guild", "season", "user"),
    Index("ix_prediction_user", "user"),
    Index("ix_prediction_unsettled", "match", sqlite_where=_unsettled, postgresql_where=_unsettled),
    sqlite_with_rowid=False,
)
