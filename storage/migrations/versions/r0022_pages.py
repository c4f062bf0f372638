"""Whether finished games of a server have pages on the web. They had none before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("server", sa.Column("pages", sa.Boolean, nullable=False, server_default=sa.false()))
