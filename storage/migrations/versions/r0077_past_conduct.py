"""Conduct with strangers that stays for a month when its player deletes their data."""

import sqlalchemy as sa
from alembic import op

revision = "0077"
down_revision = "0076"


def upgrade() -> None:
    op.create_table(
        "past_conduct",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("strikes", sa.Integer, nullable=False),
        sa.Column("strikes_of_week", sa.Integer, nullable=False),
        sa.Column("reported", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user", "at"),
    )
    op.create_index("ix_past_conduct_at", "past_conduct", ["at"])
