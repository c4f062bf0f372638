"""The accounts that one person has on several platforms, and the codes by which they are joined."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    op.create_table(
        "own_account",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("platform", sa.SmallInteger, nullable=False),
    )
    op.create_index("uq_own_account_person_platform", "own_account", ["person", "platform"], unique=True)
    op.create_table(
        "link_code",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("uq_link_code_name", "link_code", ["name"], unique=True)
    op.create_index("ix_link_code_until", "link_code", ["until"])
