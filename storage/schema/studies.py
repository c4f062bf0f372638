"""Studies: their chapters, members and strokes."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table

from storage.schema.base import COUNTED, metadata
from storage.schema.own_boards import board_columns

study = Table(
    "study",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("user", BigInteger, nullable=False),  # who has begun it
    Column("code", String, nullable=False, unique=True),  # of its address
    Column("name", String, nullable=False),
    Column("link", String),  # lets others in
    Column("lends", String, nullable=False),  # the role of those
    Column("public", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("guild", BigInteger),  # the server that owns it; null for one of a user
    Column("drawers", BigInteger),  # the role of those of the server who draw
    Index("ix_study_user", "user"),
    Index("ix_study_guild", "guild"),
    sqlite_autoincrement=True,
)

study_member = Table(
    "study_member",
    metadata,
    Column("study", BigInteger, primary_key=True, autoincrement=False),
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("role", String, nullable=False),
    Index("ix_study_member_user", "user"),
)

study_chapter = Table(
    "study_chapter",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("study", BigInteger, nullable=False),
    *board_columns(),
    Index("ix_study_chapter_study", "study"),
    sqlite_autoincrement=True,
)

study_stroke = Table(
    "study_stroke",
    metadata,
    Column("chapter", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, primary_key=True, autoincrement=False),  # that the stroke has made
    Column("key", BigInteger, nullable=False),
    Column("user", BigInteger),  # null once they are deleted
    Index("ix_study_stroke_key", "chapter", "key", unique=True),
    Index("ix_study_stroke_user", "user"),
)
