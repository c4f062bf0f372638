"""The people, places and messages of platforms whose ids are not numbers of ours."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"


def upgrade() -> None:
    op.create_table(
        "identity",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("platform", sa.SmallInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("native", sa.String, nullable=False),
        sa.Column("user", sa.BigInteger),
    )
    op.create_index("uq_identity_platform_kind_native", "identity", ["platform", "kind", "native"], unique=True)
    op.create_index("ix_identity_user", "identity", ["user"])
