"""Predictions of games, and which games can be predicted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

_unsettled = sa.text("season IS NULL")


def upgrade() -> None:
    op.add_column("match", sa.Column("predictable", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "prediction",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("window", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("pick", sa.Integer, nullable=False),
        sa.Column("obvious", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("season", sa.String),
        sa.Column("points", sa.Integer),
        sa.Column("right", sa.Integer),
        sa.PrimaryKeyConstraint("match", "user", "window"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_prediction_guild_season_user", "prediction", ["guild", "season", "user"])
    op.create_index("ix_prediction_user", "prediction", ["user"])
    op.create_index(
        "ix_prediction_unsettled", "prediction", ["match"], sqlite_where=_unsettled, postgresql_where=_unsettled
    )
