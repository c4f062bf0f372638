"""The links by which users show parts of their figures, and how many exercises they have solved by year."""

import sqlalchemy as sa
from alembic import op

revision = "0071"
down_revision = "0070"


def upgrade() -> None:
    op.create_table(
        "shared_figures",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("link", sa.String, nullable=False, unique=True),
        sa.Column("parts", sa.JSON, nullable=False),
    )
    op.create_table(
        "solved_year",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("year", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user", "year"),
        sqlite_with_rowid=False,
    )
