"""More time at the start for one player than for another."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    op.add_column("match", sa.Column("extra", sa.JSON(none_as_null=True)))
