"""Notes of releases: each is told to a server once, unless that has switched it off."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0052"


def upgrade() -> None:
    op.create_table("release", sa.Column("name", sa.String, primary_key=True), sqlite_with_rowid=False)
    op.add_column("server", sa.Column("news", sa.Boolean, nullable=False, server_default=sa.true()))
