"""Boards of players' own."""

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision = "0062"


def upgrade() -> None:
    op.create_table(
        "own_board",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("note", sa.String, nullable=False),
        sa.Column("marks", sa.JSON, nullable=False),
        sa.Column("next_id", sa.Integer, nullable=False),
        sa.Column("turns", sa.JSON, nullable=False),
        sa.Column("removed", sa.JSON, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_own_board_user", "own_board", ["user", "changed"])
