"""Leagues: members, seasons, seats and games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    op.create_table(
        "league",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("keeper", sa.BigInteger, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("season", sa.BigInteger),
        sa.Column("seasons", sa.Integer, nullable=False),
        sa.Column("pins", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("message", sa.BigInteger),
        sa.Column("pinned", sa.BigInteger),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("edits", sa.BigInteger, nullable=False),
        sa.Column("notices", sa.JSON, nullable=False),
        sa.Column("announced", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.PrimaryKeyConstraint("guild"),
    )
    has_due, unshown = sa.text("due IS NOT NULL"), sa.text("shown < changed")
    op.create_index("ix_league_keeper", "league", ["keeper"])
    op.create_index("ix_league_due", "league", ["due"], sqlite_where=has_due, postgresql_where=has_due)
    op.create_index("ix_league_edits_unshown", "league", ["edits"], sqlite_where=unshown, postgresql_where=unshown)
    op.create_table(
        "league_member",
        sa.Column("guild", sa.BigInteger, sa.ForeignKey("league.guild"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("presence", sa.String, nullable=False),
        sa.Column("division", sa.Integer),
        sa.PrimaryKeyConstraint("guild", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_league_member_user", "league_member", ["user"])
    op.create_table(
        "league_season",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("guild", sa.BigInteger, sa.ForeignKey("league.guild"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.Column("levels", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_league_season_guild_number", "league_season", ["guild", "number"], unique=True)
    op.create_table(
        "league_seat",
        sa.Column("season", sa.BigInteger, sa.ForeignKey("league_season.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("division", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("left", sa.BigInteger),
        sa.PrimaryKeyConstraint("season", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_league_seat_user", "league_seat", ["user"])
    op.create_table(
        "league_game",
        sa.Column("season", sa.BigInteger, sa.ForeignKey("league_season.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("division", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("second", sa.BigInteger, nullable=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("first_points", sa.Double),
        sa.Column("second_points", sa.Double),
        sa.Column("taken", sa.BigInteger),
        sa.Column("unplayed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("season", "number"),
        sqlite_with_rowid=False,
    )
    undecided = sa.text("first_points IS NULL")
    op.create_index(
        "ix_league_game_undecided", "league_game", ["season"], sqlite_where=undecided, postgresql_where=undecided
    )
