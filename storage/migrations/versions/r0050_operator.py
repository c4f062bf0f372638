"""The operator: restrictions, announcements with their deliveries, and a log."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    counted, waits = sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.text("outcome IS NULL")
    op.create_table(
        "restriction",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("subject", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("reason", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "operator_act",
        sa.Column("id", counted, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("subject", sa.BigInteger, nullable=False),
        sa.Column("detail", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_operator_act_subject", "operator_act", ["subject"])
    op.create_table(
        "announcement",
        sa.Column("id", counted, primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("texts", sa.JSON, nullable=False),
        sa.Column("known", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "delivery",
        sa.Column("announcement", sa.BigInteger, sa.ForeignKey("announcement.id"), nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("tried", sa.BigInteger),
        sa.Column("outcome", sa.String),
        sa.PrimaryKeyConstraint("announcement", "guild"),
        sqlite_with_rowid=False,
    )
    names = ["announcement", "guild"]
    op.create_index("ix_delivery_announcement_waits", "delivery", names, sqlite_where=waits, postgresql_where=waits)
