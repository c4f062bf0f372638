"""The keys of links to the web board, the channels in which games are watched, and notes that moderators have taken
off. No reason why a game counts less shows any more how old an account is.

Links that are out when this runs are void: they lived for ten minutes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "web_key",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )
    op.add_column("web_watch", sa.Column("seen", sa.BigInteger))
    _drop_ages()
    op.add_column("sheet", sa.Column("barred", sa.Boolean, nullable=False, server_default=sa.false()))


def _drop_ages() -> None:
    change = sa.table(
        "change", sa.column("match", sa.BigInteger), sa.column("user", sa.BigInteger), sa.column("reasons", sa.JSON)
    )
    connection = op.get_bind()
    telling = sa.select(change).where(sa.cast(change.c.reasons, sa.String).like("%young_account%"))
    for row in connection.execute(telling).all():
        told = [reason for reason in row.reasons if reason != "young_account"]
        this = change.c.match == row.match, change.c.user == row.user
        connection.execute(sa.update(change).where(*this).values(reasons=told))
