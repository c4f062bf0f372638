"""Ratings with their history, leaderboards, seasons and podiums; tournaments, ladders and their news."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "rating",
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user", "pool"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "change",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("result", sa.Double, nullable=False),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("reasons", sa.JSON, nullable=False),
        sa.Column("level", sa.Integer),
        sa.Column("before_value", sa.Double, nullable=False),
        sa.Column("before_deviation", sa.Double, nullable=False),
        sa.Column("before_volatility", sa.Double, nullable=False),
        sa.Column("after_value", sa.Double, nullable=False),
        sa.Column("after_deviation", sa.Double, nullable=False),
        sa.Column("after_volatility", sa.Double, nullable=False),
        sa.Column("before_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("match", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_change_user_pool_at", "change", ["user", "pool", "at"])
    op.create_index("ix_change_pool_at_match", "change", ["pool", "at", "match"])
    op.create_table(
        "annulment",
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("pool", sa.String),
        sa.Column("before", sa.Double),
        sa.Column("after", sa.Double),
        sa.PrimaryKeyConstraint("match", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_annulment_user", "annulment", ["user"])
    op.create_index("ix_annulment_by", "annulment", ["by"])
    op.create_table(
        "standing",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild", "pool", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_standing_user_pool", "standing", ["user", "pool"])
    op.create_index("ix_standing_guild_pool_listed", "standing", ["guild", "pool", "listed", "value", "user"])
    op.create_table(
        "season",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("season", sa.String, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("points", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guild", "season", "pool", "user"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_season_guild_season_pool_points", "season", ["guild", "season", "pool", "points", "user"])
    op.create_index("ix_season_user", "season", ["user"])
    op.create_table(
        "podium",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("seasonal", sa.Boolean, nullable=False),
        sa.Column("roles", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("trouble", sa.String),
    )
    behind, undecided = sa.text("shown < version"), sa.text("first_points IS NULL")
    op.create_index("ix_podium_guild_behind", "podium", ["guild"], sqlite_where=behind, postgresql_where=behind)
    op.create_index("ix_podium_until", "podium", ["until"])
    op.create_table(
        "honour",
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("role", sa.BigInteger, nullable=False),
        sa.Column("given", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild", "user", "role"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_honour_user", "honour", ["user"])
    op.create_index("ix_challenge_match", "challenge", ["match"])
    for column in (
        sa.Column("ended", sa.BigInteger),
        sa.Column("score", sa.Double),
        sa.Column("capture", sa.Integer),
        sa.Column("quit", sa.Boolean),
    ):
        op.add_column("seat", column)
    op.create_index("ix_seat_user_ended_match", "seat", ["user", "ended", "match"])
    op.create_table(
        "tournament",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("host", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("format", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("pace", sa.BigInteger),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("shown", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_channel", "tournament", ["channel"])
    op.create_index("ix_tournament_host", "tournament", ["host"])
    op.create_index("ix_tournament_until", "tournament", ["until"])
    op.create_index("ix_tournament_id_behind", "tournament", ["id"], sqlite_where=behind, postgresql_where=behind)
    op.create_table(
        "entrant",
        sa.Column("tournament", sa.BigInteger, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("left", sa.Integer),
        sa.PrimaryKeyConstraint("tournament", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entrant_user", "entrant", ["user"])
    op.create_table(
        "bout",
        sa.Column("tournament", sa.BigInteger, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("second", sa.BigInteger),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("first_points", sa.Double),
        sa.Column("second_points", sa.Double),
        sa.Column("replays", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bout_undecided", "bout", ["tournament"], sqlite_where=undecided, postgresql_where=undecided)
    op.create_table(
        "ladder",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table(
        "rung",
        sa.Column("guild", sa.BigInteger, sa.ForeignKey("ladder.guild"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("played", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("guild", "place"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rung_user", "rung", ["user"])
    op.create_table(
        "duel",
        sa.Column("challenge", sa.BigInteger, sa.ForeignKey("challenge.id"), nullable=False),
        sa.Column("guild", sa.BigInteger, sa.ForeignKey("ladder.guild"), nullable=False),
        sa.Column("challenger", sa.BigInteger, nullable=False),
        sa.Column("defender", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("challenge"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_duel_guild", "duel", ["guild"])
    op.create_table(
        "news",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("about", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
