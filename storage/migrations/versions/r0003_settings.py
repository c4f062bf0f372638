"""The settings of people and of servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("language", sa.String),
        sa.Column("theme", sa.String, nullable=False),
        sa.Column("confirm_live", sa.Boolean, nullable=False),
        sa.Column("confirm_days", sa.Boolean, nullable=False),
        sa.Column("reminders", sa.String, nullable=False),
        sa.Column("night", sa.String),
        sa.Column("zone", sa.String),
        sa.Column("terms", sa.JSON),
        sa.PrimaryKeyConstraint("user"),
    )
    op.create_table(
        "server",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("terms", sa.JSON),
        sa.Column("channels", sa.JSON, nullable=False),
        sa.Column("roles", sa.JSON, nullable=False),
        sa.Column("threads", sa.Boolean, nullable=False),
        sa.Column("language", sa.String),
        sa.Column("theme", sa.String, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("dot_dash", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild"),
    )
