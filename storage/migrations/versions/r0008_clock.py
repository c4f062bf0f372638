"""Evidence of a wrong clock: the time when the machine booted, and the end of a downtime by that clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("downtime", sa.Column("claimed", sa.BigInteger))
    op.add_column("heartbeat", sa.Column("boot", sa.String))
    op.add_column("heartbeat", sa.Column("origin", sa.BigInteger))
