"""Boards that the answer to a click may bring: until when only the process that took the click may deliver them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("answer_until", sa.BigInteger))
