"""When the threads of games are opened again. Those of running games are due a while after their last turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("match", sa.Column("reopen", sa.BigInteger))
    match = sa.table("match", *(sa.column(name) for name in ("reopen", "turned", "ended", "guild")))
    running = match.c.ended.is_(None), match.c.guild.is_not(None)
    op.execute(match.update().where(*running).values(reopen=match.c.turned + 6 * 86_400_000))
    kept = sa.text("ended IS NULL AND reopen IS NOT NULL")
    op.create_index("ix_match_reopen_open", "match", ["reopen"], sqlite_where=kept, postgresql_where=kept)
