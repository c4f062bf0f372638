"""By how many points a handicap made a player stronger in a rated match. Matches of before had none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("change", sa.Column("offset", sa.Double, nullable=False, server_default="0"))
