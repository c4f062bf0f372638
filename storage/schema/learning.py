"""The path of lessons, and the mistakes of players that come back to them."""

from sqlalchemy import JSON, BigInteger, Column, Double, ForeignKey, Index, Integer, PrimaryKeyConstraint, String, Table

from storage.schema.base import metadata

# How far each user is with a lesson.
lesson = Table(
    "lesson",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("lesson", String, nullable=False),
    Column("done", BigInteger),  # when its dot was first found; null if it was not
    Column("puzzles", Integer, nullable=False),  # of its kind that were played to their end
    PrimaryKeyConstraint("user", "lesson"),
    sqlite_with_rowid=False,
)

# Users who have opened their mistakes: their games are reviewed.
learner = Table(
    "learner",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
)

# The games that were reviewed for each player.
reviewed = Table(
    "reviewed",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("lost", Double, nullable=False),  # points, by the biggest mistakes
    Column("causes", JSON(none_as_null=True)),  # those by the kind of exercise that trains it; null: not told apart
    PrimaryKeyConstraint("user", "match"),
    Index("ix_reviewed_user_at", "user", "at"),
    sqlite_with_rowid=False,
)

mistake = Table(
    "mistake",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("number", Integer, nullable=False),  # of the move
    Column("line", JSON, nullable=False),
    Column("good", JSON, nullable=False),  # the names of the moves that are as good as the better one
    Column("value", Double, nullable=False),  # the expected lead after those
    Column("lost", Double, nullable=False),
    Column("day", Integer),  # when it returns, counted from 1 January of the year 1; null when it is learned
    Column("stage", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was last answered, or found
    PrimaryKeyConstraint("user", "match", "number"),
    Index("ix_mistake_user_day", "user", "day"),
    Index("ix_mistake_user_at", "user", "at"),
    sqlite_with_rowid=False,
)
