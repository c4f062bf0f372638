"""What shows that a clock was wrong: when the machine began to run, and where a downtime was to end by that clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("downtime", sa.Column("claimed", sa.BigInteger))
    op.add_column("heartbeat", sa.Column("boot", sa.String))
    op.add_column("heartbeat", sa.Column("origin", sa.BigInteger))
