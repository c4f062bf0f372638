"""Happenings on servers, and whether their managers want events on Discord that show it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.add_column("server", sa.Column("events", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "happening",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("event", sa.BigInteger),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("held", sa.BigInteger),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_happening_guild_kind_key", "happening", ["guild", "kind", "key"], unique=True)
    op.create_index("ix_happening_due", "happening", ["due"])
