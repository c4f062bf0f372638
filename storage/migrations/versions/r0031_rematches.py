"""Finds the rematches of a match, also those that have begun."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    offered = sa.text("rematch IS NOT NULL")
    op.create_index("ix_challenge_rematch", "challenge", ["rematch"], sqlite_where=offered, postgresql_where=offered)
