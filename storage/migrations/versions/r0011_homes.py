"""The home posts of servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "home",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("zone", sa.String),
        sa.Column("role", sa.BigInteger),
        sa.Column("message", sa.BigInteger),
        sa.Column("former", sa.BigInteger),
        sa.Column("former_channel", sa.BigInteger),
        sa.Column("posts", sa.Integer, nullable=False),
        sa.Column("posted", sa.BigInteger),
        sa.Column("edited", sa.BigInteger),
        sa.Column("fingerprint", sa.String, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("ping", sa.BigInteger),
        sa.Column("pinged", sa.BigInteger),
        sa.Column("announced", sa.BigInteger, nullable=False),
        sa.Column("trouble", sa.String),
        sa.Column("failing", sa.BigInteger),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guild"),
    )
    op.create_index("ix_home_due", "home", ["due"])
    op.create_table(
        "home_place",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("latest", sa.Boolean, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guild", "latest", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_home_place_user", "home_place", ["user"])
    offered = sa.text("state = 'open'")
    op.create_index("ix_challenge_guild_open", "challenge", ["guild"], sqlite_where=offered, postgresql_where=offered)
    op.create_index("ix_tournament_guild", "tournament", ["guild"])
