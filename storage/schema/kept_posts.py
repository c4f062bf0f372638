"""Posts that are kept in channels: who is told of their troubles, and what these are."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, PrimaryKeyConstraint, String, Table, false

from storage.schema.base import metadata

kept_post = Table(
    "kept_post",
    metadata,
    Column("kind", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("side", Integer, nullable=False),
    Column("keeper", BigInteger),  # who has chosen the channel
    Column("problem", String),
    Column("since", BigInteger),
    Column("ended", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("kind", "number", "side"),
    Index("ix_kept_post_keeper", "keeper"),
    sqlite_with_rowid=False,
)
