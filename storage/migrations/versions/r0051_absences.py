"""Who has left a server, so that its tables pass over them."""

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
