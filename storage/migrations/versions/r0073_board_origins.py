"""Origins of players' own boards, and the addresses at which others read them."""

import sqlalchemy as sa
from alembic import op

revision = "0073"
down_revision = "0072"


def upgrade() -> None:
    op.add_column("own_board", sa.Column("origin", sa.String, nullable=False, server_default="empty"))
    op.add_column("own_board", sa.Column("match", sa.BigInteger))
    op.add_column("own_board", sa.Column("link", sa.String))
    op.create_index("uq_own_board_link", "own_board", ["link"], unique=True)
