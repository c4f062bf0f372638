"""The links by which users show parts of their figures."""

import sqlalchemy as sa
from alembic import op

revision = "0071"
down_revision = "0069"


def upgrade() -> None:
    op.create_table(
        "shared_figures",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("link", sa.String, nullable=False, unique=True),
        sa.Column("parts", sa.JSON, nullable=False),
    )
