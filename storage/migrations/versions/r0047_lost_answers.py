"""Linked accounts: whether the answer to a token was lost, and what has ended by that."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    for name in ("asked", "ended"):
        op.add_column("linked_account", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))
