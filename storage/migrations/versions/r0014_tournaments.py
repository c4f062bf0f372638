"""When a tournament begins by itself, its computer, and the notices that it still has to post."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("begins", sa.BigInteger))
    op.add_column("tournament", sa.Column("postponed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournament", sa.Column("reminded", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournament", sa.Column("computer", sa.Integer))
    op.add_column("tournament", sa.Column("due", sa.BigInteger))
    op.add_column("tournament", sa.Column("notices", sa.JSON))
    op.add_column("tournament", sa.Column("announced", sa.Integer, nullable=False, server_default="0"))
    op.create_index("ix_tournament_due", "tournament", ["due"])
