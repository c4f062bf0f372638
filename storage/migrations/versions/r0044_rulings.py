"""Rulings about games of two servers that one of them has proposed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    op.create_table(
        "ruling",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("time", sa.BigInteger),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
