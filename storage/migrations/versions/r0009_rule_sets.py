"""Own rule sets of people and servers, and the name of the one that a match is played by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "rule_set",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("user", sa.BigInteger),
        sa.Column("guild", sa.BigInteger),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("control", sa.String),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_rule_set_user_folded", "rule_set", ["user", "folded"], unique=True)
    op.create_index("uq_rule_set_guild_folded", "rule_set", ["guild", "folded"], unique=True)
    op.add_column("match", sa.Column("rule_set", sa.String))
