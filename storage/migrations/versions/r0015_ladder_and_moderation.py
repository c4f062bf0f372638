"""The standing of a ladder, why a duel ended, players who are blocked or banned, and the log of a server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("ladder", sa.Column("shown", sa.Integer, nullable=False, server_default="-1"))
    op.add_column("ladder", sa.Column("message", sa.BigInteger))
    behind = sa.text("shown < version")
    op.create_index("ix_ladder_guild_behind", "ladder", ["guild"], sqlite_where=behind, postgresql_where=behind)
    op.create_index("ix_rung_played", "rung", ["played"])
    op.add_column("news", sa.Column("ending", sa.String))
    op.add_column("news", sa.Column("action", sa.String))
    op.add_column("news", sa.Column("by", sa.BigInteger))
    op.add_column("news", sa.Column("subject", sa.BigInteger))
    op.add_column("news", sa.Column("detail", sa.JSON))
    op.create_index("ix_news_by", "news", ["by"])
    op.create_index("ix_news_subject", "news", ["subject"])
    op.add_column("server", sa.Column("log_channel", sa.BigInteger))
    op.add_column("server", sa.Column("log_lost", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "block",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("blocked", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "blocked"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_block_blocked", "block", ["blocked"])
    op.create_table(
        "ban",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("reason", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("guild", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ban_user", "ban", ["user"])
    op.create_index("ix_ban_by", "ban", ["by"])
    op.create_index("ix_ban_until", "ban", ["until"])
