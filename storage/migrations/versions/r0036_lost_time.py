"""The time that players lose while the bot turns them away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.add_column("event", sa.Column("lost", sa.BigInteger))
