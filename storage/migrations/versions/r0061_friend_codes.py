"""Codes by which friends take a search, and games against the computer that last until an opponent is there."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"

_goes_on = sa.text("state IN ('waiting', 'called', 'offered')")


def upgrade() -> None:
    op.add_column("seek", sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seek", sa.Column("meanwhile", sa.BigInteger))
    partial = {"sqlite_where": _goes_on, "postgresql_where": _goes_on}
    op.drop_index("uq_seek_user_speed", "seek")
    op.drop_index("ix_seek_since", "seek")
    op.create_index("uq_seek_user_speed_private", "seek", ["user", "speed", "private"], unique=True, **partial)  # type: ignore[arg-type]
    op.create_index("ix_seek_since", "seek", ["since"], **partial)  # type: ignore[arg-type]
    op.create_table(
        "friend_code",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("seek", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("uq_friend_code_name", "friend_code", ["name"], unique=True)
    op.create_index("ix_friend_code_until", "friend_code", ["until"])
