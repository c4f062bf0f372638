"""Which servers were greeted, and which still have to be."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "greeting",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("posted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild"),
    )
    unposted = sa.text("NOT posted")
    op.create_index(
        "ix_greeting_joined_unposted", "greeting", ["joined"], sqlite_where=unposted, postgresql_where=unposted
    )
