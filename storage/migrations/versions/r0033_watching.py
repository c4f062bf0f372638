"""The spectators of games now, and the users who are only counted there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("person", sa.Column("named", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("web_watch", sa.Column("open", sa.BigInteger))
    is_open = sa.text("open IS NOT NULL")
    op.create_index("ix_web_watch_match", "web_watch", ["match"], sqlite_where=is_open, postgresql_where=is_open)
