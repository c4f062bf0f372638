"""Absences: a server's tables pass over members who have left it."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.create_table(
        "absence",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("guild", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_absence_user", "absence", ["user"])
