"""Arenas, and places everywhere by games against strangers."""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"

_EVERYWHERE = sa.text(
    "UPDATE standing SET listed = false WHERE guild = 0 AND pool NOT LIKE 'computer-%' AND pool NOT LIKE 'table-%'"
)
"""A player's next rated game counts the strangers they have met: none is older than the last migration but one."""


def upgrade() -> None:
    op.add_column("seek", sa.Column("arena", sa.BigInteger))
    of_arena = sa.text("arena IS NOT NULL")
    op.create_index("ix_seek_arena", "seek", ["arena"], sqlite_where=of_arena, postgresql_where=of_arena)
    op.execute(_EVERYWHERE)
