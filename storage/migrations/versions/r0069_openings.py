"""Openings of finished games, for their explorer."""

import sqlalchemy as sa
from alembic import op

revision = "0069"
down_revision = "0068"


def upgrade() -> None:
    op.create_table(
        "opening",
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("next", sa.Integer),
        sa.PrimaryKeyConstraint("position", "match"),
        sqlite_with_rowid=False,
    )
