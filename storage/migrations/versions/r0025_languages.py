"""The languages of games and of cards, where the server has none. Those of before get one when they are next posted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("match", sa.Column("language", sa.String))
    op.add_column("challenge", sa.Column("language", sa.String))
