"""The channels of direct messages that players have asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("person", sa.Column("dm", sa.BigInteger))
