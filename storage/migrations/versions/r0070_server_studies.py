"""Studies of servers."""

import sqlalchemy as sa
from alembic import op

revision = "0070"
down_revision = "0069"


def upgrade() -> None:
    op.add_column("study", sa.Column("guild", sa.BigInteger))
    op.add_column("study", sa.Column("drawers", sa.BigInteger))
    op.create_index("ix_study_guild", "study", ["guild"])
