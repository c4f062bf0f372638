"""How far a chat platform was read, and when it was out of reach."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0056"


def upgrade() -> None:
    op.create_table(
        "sync_position",
        sa.Column("platform", sa.SmallInteger, nullable=False),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("position", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("platform", "account"),
    )
    op.create_table(
        "outage",
        sa.Column("platform", sa.SmallInteger, nullable=False),
        sa.Column("start", sa.BigInteger, nullable=False),
        sa.Column("end", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("platform", "start"),
    )
    op.create_index("ix_outage_end", "outage", ["end"])
