"""By how much the games against one opponent have moved a rating."""

import sqlalchemy as sa
from alembic import op

revision = "0075"
down_revision = "0073"


def upgrade() -> None:
    op.add_column("change", sa.Column("moved", sa.Double))
