"""The games that ended before their openings were stored, and what a player has explored."""

import sqlalchemy as sa
from alembic import op

revision = "0072"
down_revision = "0071"


def upgrade() -> None:
    op.create_table(
        "opening_backlog",
        sa.Column("before", sa.BigInteger, primary_key=True, autoincrement=False),
    )
    op.execute("INSERT INTO opening_backlog (before) SELECT max(id) + 1 FROM match HAVING max(id) IS NOT NULL")
    op.add_column("person", sa.Column("explored", sa.String))
