"""Games in which a server plays, and the votes of its members."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

_COUNTED = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "side",
        sa.Column("id", _COUNTED, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("seat", sa.Integer),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("role", sa.BigInteger),
        sa.Column("period", sa.BigInteger, nullable=False),
        sa.Column("quorum", sa.Integer, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("closed", sa.Integer, nullable=False, server_default="-1"),
        sa.Column("prolonged", sa.Integer, nullable=False, server_default="-1"),
        sa.Column("seen", sa.Integer, nullable=False, server_default="-1"),
        sa.Column("due", sa.BigInteger),
        sa.Column("done", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    open_ones = sa.text("NOT done")
    op.create_index("ix_side_match", "side", ["match"])
    for name, columns in (
        ("ix_side_guild_open", ["guild"]),
        ("ix_side_due_open", ["due"]),
        ("ix_side_match_open", ["match", "seen"]),
    ):
        op.create_index(name, "side", columns, sqlite_where=open_ones, postgresql_where=open_ones)
    op.create_table(
        "vote",
        sa.Column("id", _COUNTED, nullable=False),
        sa.Column("side", sa.BigInteger, sa.ForeignKey("side.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger),
        sa.Column("choice", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("source", sa.BigInteger),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_vote_side_version_user", "vote", ["side", "version", "user"], unique=True)
    op.create_index("ix_vote_user_side_version", "vote", ["user", "side", "version"])
