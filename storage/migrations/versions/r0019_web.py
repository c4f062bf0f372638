"""Sessions of browsers, used links to them, and the games that users watch there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "web_session",
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_web_session_user", "web_session", ["user"])
    op.create_index("ix_web_session_until", "web_session", ["until"])
    op.create_table(
        "web_link",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_web_link_until", "web_link", ["until"])
    op.create_table(
        "web_watch",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("match", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "match"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_web_watch_until", "web_watch", ["until"])
