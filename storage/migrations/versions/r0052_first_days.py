"""First days: easier puzzles for newcomers, none with STOP before it is known, figures of each kind of puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.add_column("daily_run", sa.Column("first", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("daily_run", sa.Column("plain", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("solver", sa.Column("began", sa.BigInteger))
    op.create_table(
        "kind_figure",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user", "kind"),
        sqlite_with_rowid=False,
    )
