"""Calls of searches until their messages say what came of them, games of strangers, and when a phrase was said."""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    op.add_column("notice", sa.Column("at", sa.BigInteger))
    op.add_column("match", sa.Column("strangers", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE match SET strangers = TRUE WHERE id IN (SELECT seek.match FROM seek WHERE seek.match IS NOT NULL)"
    )
    op.create_table(
        "seek_call",
        sa.Column("message", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("seek", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("told", sa.String),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("at", sa.BigInteger),
    )
    op.create_index("ix_seek_call_seek", "seek_call", ["seek"])
    op.create_index("ix_seek_call_user", "seek_call", ["user"])
    op.create_index("ix_seek_call_at", "seek_call", ["at"])
