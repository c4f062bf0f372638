"""Puzzles, the answers to them, puzzle ratings and rushes."""

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
    text,
    true,
)

from storage.schema.base import COUNTED, metadata

puzzle = Table(
    "puzzle",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("day", String, nullable=False),  # as 2026-11-21, in UTC
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("number", Integer, nullable=False),  # of the move that was no solution
    Column("answers", JSON, nullable=False),
    Column("solution", JSON, nullable=False),  # a line
    Column("captures", Double, nullable=False),
    Column("channel", BigInteger),  # where it was posted, and in which message
    Column("message", BigInteger),
    Column("exercise", Integer),  # the number of a built-in puzzle, which has no match
    Column("made", BigInteger),  # the exercise that was made for the day
    Index("uq_puzzle_guild_day", "guild", "day", unique=True),
    Index("ix_puzzle_match", "match"),
    Index("ix_puzzle_made", "made"),
    sqlite_autoincrement=True,
)

# Exercises that were made for servers: lessons, and puzzles of coming days.
made_exercise = Table(
    "made_exercise",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("lesson", Boolean, nullable=False),  # or the puzzle of a coming day
    Column("name", String, nullable=False),
    Column("text", String, nullable=False),
    Column("game", String, nullable=False),
    Column("options", JSON, nullable=False),
    Column("kind", String, nullable=False),
    Column("points", Integer, nullable=False),
    Column("answers", JSON, nullable=False),
    Column("tree", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_made_exercise_guild", "guild"),
    Index("ix_made_exercise_user", "user"),
    sqlite_autoincrement=True,
)

attempt = Table(
    "attempt",
    metadata,
    Column("puzzle", BigInteger, ForeignKey("puzzle.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("answer", Integer, nullable=False),  # its place among the answers, of former versions
    Column("right", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("scored", Boolean, nullable=False, server_default=true()),  # false: by a player of the match
    Column("streak", Integer, nullable=False, server_default=text("0")),  # in a row, of former versions
    PrimaryKeyConstraint("puzzle", "user"),
    Index("ix_attempt_user", "user"),
    sqlite_with_rowid=False,
)

# Puzzle ratings of users, and of what they have solved: `task` is e12, a built-in exercise, or p12, a daily puzzle.
solver = Table(
    "solver",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("began", BigInteger),  # the first answer; null before there was the column
)

# How users do with each kind of exercise.
kind_figure = Table(
    "kind_figure",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("solved", Integer, nullable=False),  # at the first try
    Column("tried", Integer, nullable=False),
    PrimaryKeyConstraint("user", "kind"),
    sqlite_with_rowid=False,
)

# How many exercises users have solved at the first try, by year.
solved_year = Table(
    "solved_year",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("year", Integer, nullable=False),  # by UTC, as the days of puzzles
    Column("solved", Integer, nullable=False),
    PrimaryKeyConstraint("user", "year"),
    sqlite_with_rowid=False,
)

grade = Table(
    "grade",
    metadata,
    Column("task", String, primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    sqlite_with_rowid=False,
)

tried = Table(
    "tried",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("task", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "task"),
    sqlite_with_rowid=False,
)

# The last run of a user through ten tasks.
rush = Table(
    "rush",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("guild", BigInteger),
    Column("begun", BigInteger, nullable=False),
    Column("tasks", JSON, nullable=False),
    Column("before", Double, nullable=False),  # the user's puzzle rating
    Column("answers", JSON, nullable=False),
    Column("right", JSON, nullable=False),
)

# A member's best rush of the last week in which they ended one.
best_rush = Table(
    "best_rush",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("week", String, nullable=False),  # as 2026-w47, in UTC
    Column("solved", Integer, nullable=False),
    PrimaryKeyConstraint("guild", "user"),
    Index("ix_best_rush_guild_week", "guild", "week", "solved"),
    Index("ix_best_rush_user", "user"),
    sqlite_with_rowid=False,
)
