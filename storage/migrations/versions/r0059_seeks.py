"""Searches for a stranger, reports of those met, and what players and servers have chosen about that."""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"

_goes_on = sa.text("state IN ('waiting', 'called')")


def upgrade() -> None:
    op.add_column("person", sa.Column("alias", sa.String))
    op.add_column("server", sa.Column("strangers", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "seek",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("speed", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("flexible", sa.Boolean, nullable=False),
        sa.Column("weekly", sa.Boolean, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("partner", sa.BigInteger),
        sa.Column("met", sa.BigInteger),
        sa.Column("call", sa.BigInteger),
        sa.Column("ready", sa.Boolean, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("version", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    partial = {"sqlite_where": _goes_on, "postgresql_where": _goes_on}
    op.create_index("uq_seek_user_speed", "seek", ["user", "speed"], unique=True, **partial)  # type: ignore[arg-type]
    op.create_index("ix_seek_user", "seek", ["user", "since"])
    op.create_index("ix_seek_since", "seek", ["since"], **partial)  # type: ignore[arg-type]
    op.create_index("ix_seek_speed_met", "seek", ["speed", "met"])
    op.create_index("ix_seek_match", "seek", ["match"])
    op.create_table(
        "report",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "by"),
    )
    op.create_index("ix_report_user", "report", ["user", "at"])
    op.create_index("ix_report_by", "report", ["by"])
