"""Posts that are kept in channels: who is told of their troubles, and what these are."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    op.create_table(
        "kept_post",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("keeper", sa.BigInteger),
        sa.Column("problem", sa.String),
        sa.Column("since", sa.BigInteger),
        sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("kind", "number", "side"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_kept_post_keeper", "kept_post", ["keeper"])
