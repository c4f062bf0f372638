"""Pairs of tournaments that were decided without a game, and the wins in tables of seasons.

Pairs that were decided before count as played.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0028"

INDEX = "ix_season_guild_season_pool_points"


def upgrade() -> None:
    op.add_column("bout", sa.Column("unplayed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("season", sa.Column("wins", sa.Integer, nullable=False, server_default="0"))
    connection = op.get_bind()
    for (season,) in connection.execute(sa.text("SELECT DISTINCT season FROM season")).all():
        begins, ends = _bounds(season)
        connection.execute(_WINS, {"season": season, "begins": begins, "ends": ends})
    op.drop_index(INDEX, "season")
    op.create_index(INDEX, "season", ["guild", "season", "pool", "points", "wins", "user"])


_WINS = sa.text(
    """
    UPDATE season SET wins = (
        SELECT count(*) FROM change
        WHERE change."user" = season."user" AND change.pool = season.pool AND change.result = 1
        AND change.at >= :begins AND change.at < :ends AND (season.guild = 0 OR change.guild = season.guild)
    ) WHERE season.season = :season
    """
)


def _bounds(season: str) -> tuple[int, int]:
    """Returns the first moment of a quarter, `2026q4`, and of the next one."""
    year, quarter = map(int, season.split("q"))
    begins, ends = (divmod(year * 12 + months, 12) for months in (quarter * 3 - 3, quarter * 3))
    first, next_ = (datetime(year, month + 1, 1, tzinfo=UTC) for year, month in (begins, ends))
    return int(first.timestamp()) * 1000, int(next_.timestamp()) * 1000
