"""Positions in the first moves of finished games, for the explorer of openings."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, PrimaryKeyConstraint, Table

from storage.schema.base import metadata

# A game has each position once: dots are only added.
opening = Table(
    "opening",
    metadata,
    Column("position", BigInteger, nullable=False),  # play.records.openings.Opening.key
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("next", Integer),  # the place of the dot that followed; null where none did
    PrimaryKeyConstraint("position", "match"),
    sqlite_with_rowid=False,
)

# One row while games are left that ended before their positions were stored: those with numbers below `before`.
opening_backlog = Table(
    "opening_backlog",
    metadata,
    Column("before", BigInteger, primary_key=True, autoincrement=False),
)
