"""Searches that go on, by their speed: SQLite read all that ever were of a speed."""

import sqlalchemy as sa
from alembic import op

revision = "0076"
down_revision = "0075"


def upgrade() -> None:
    goes_on = sa.text("state IN ('waiting', 'called', 'offered')")
    op.drop_index("ix_seek_since", "seek")
    op.create_index("ix_seek_speed_since", "seek", ["speed", "since"], sqlite_where=goes_on, postgresql_where=goes_on)
