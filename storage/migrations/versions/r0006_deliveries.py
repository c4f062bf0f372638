"""Of each delivery one challenge and one tournament; open challenges counted by person and channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    for table in ("challenge", "tournament"):
        op.add_column(table, sa.Column("source", sa.BigInteger))
        op.create_index(f"uq_{table}_source", table, ["source"], unique=True)
    offered, unmet = sa.text("state = 'open'"), sa.text('"match" IS NULL')
    for column in ("challenger", "channel"):
        name = f"ix_challenge_{column}_open"
        op.create_index(name, "challenge", [column], sqlite_where=offered, postgresql_where=offered)
    unmet_index = "ix_challenge_opponent_made_unmet"
    op.create_index(unmet_index, "challenge", ["opponent", "made"], sqlite_where=unmet, postgresql_where=unmet)
