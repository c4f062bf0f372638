"""The second place of a match, on another server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    for name, kind in (
        ("guild", sa.BigInteger),
        ("channel", sa.BigInteger),
        ("parent", sa.BigInteger),
        ("seat", sa.Integer),
        ("board", sa.BigInteger),
        ("board_version", sa.Integer),
        ("lost", sa.Boolean),
        ("language", sa.String),
        ("reopen", sa.BigInteger),
    ):
        op.add_column("match", sa.Column(f"away_{name}", kind))
    open_away = sa.text("ended IS NULL AND away_channel IS NOT NULL")
    away = sa.text("away_channel IS NOT NULL")
    kept = sa.text("ended IS NULL AND away_reopen IS NOT NULL")
    for name, columns, where, unique in (
        ("uq_match_away_open", ["away_channel"], open_away, True),
        ("ix_match_away_parent", ["away_parent"], open_away, False),
        ("ix_match_away_ended", ["away_channel", "ended"], away, False),
        ("ix_match_away_reopen", ["away_reopen"], kept, False),
    ):
        op.create_index(name, "match", columns, unique=unique, sqlite_where=where, postgresql_where=where)
    op.create_table(
        "away_outbox",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("answer_until", sa.BigInteger),
        sa.PrimaryKeyConstraint("match", "version"),
        sqlite_with_rowid=False,
    )
