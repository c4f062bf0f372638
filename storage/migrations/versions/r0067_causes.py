"""Causes of mistakes, for the figures of players."""

import sqlalchemy as sa
from alembic import op

revision = "0067"
down_revision = "0066"


def upgrade() -> None:
    op.add_column("reviewed", sa.Column("causes", sa.JSON))
