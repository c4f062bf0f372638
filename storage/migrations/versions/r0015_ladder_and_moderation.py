"""The standing of a ladder, why a duel ended, players who are blocked or banned, and the log of a server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("ladder", sa.Column("shown", sa.Integer, nullable=False, server_default="-1"))
    op.add_column("ladder", sa.Column("message", sa.BigInteger))
    behind = sa.text("shown < version")
    op.create_index("ix_ladder_guild_behind", "ladder", ["guild"], sqlite_where=behind, postgresql_where=behind)
    op.create_index("ix_rung_played", "rung", ["played"])
    op.add_column("news", sa.Column("ending", sa.String))
