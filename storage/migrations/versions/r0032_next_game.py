"""Whether a move opens the next game, and the games for which users launch the Activity."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.add_column("person", sa.Column("opens_next", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "web_launch",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_web_launch_until", "web_launch", ["until"])
