"""Contests of two servers, their players and boards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

# SQLite counts ids only in a column whose type is exactly INTEGER; it holds 64 bits all the same.
COUNTED = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    behind = sa.text("home_shown < version OR guest_shown < version")
    undecided = sa.text("home_points IS NULL")
    due = sa.text("due IS NOT NULL")
    op.create_table(
        "contest",
        sa.Column("id", COUNTED, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("period", sa.BigInteger),
        sa.Column("sign_up", sa.BigInteger),
        sa.Column("closes", sa.BigInteger),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("cause", sa.String),
        sa.Column("proposed_by", sa.Integer),
        sa.Column("proposed", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("source", sa.BigInteger),
        sa.Column("due", sa.BigInteger),
        sa.Column("home_guild", sa.BigInteger, nullable=False),
        sa.Column("home_channel", sa.BigInteger, nullable=False),
        sa.Column("home_manager", sa.BigInteger, nullable=False),
        sa.Column("home_message", sa.BigInteger),
        sa.Column("home_gone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("home_warned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("home_told", sa.String, nullable=False, server_default=""),
        sa.Column("home_shown", sa.Integer, nullable=False),
        sa.Column("home_shown_at", sa.BigInteger),
        sa.Column("guest_guild", sa.BigInteger),
        sa.Column("guest_channel", sa.BigInteger),
        sa.Column("guest_manager", sa.BigInteger),
        sa.Column("guest_message", sa.BigInteger),
        sa.Column("guest_gone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("guest_warned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("guest_told", sa.String, nullable=False, server_default=""),
        sa.Column("guest_shown", sa.Integer, nullable=False),
        sa.Column("guest_shown_at", sa.BigInteger),
        sa.Column("home_boards", sa.Double),
        sa.Column("guest_boards", sa.Double),
        sa.Column("home_dots", sa.Double),
        sa.Column("guest_dots", sa.Double),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_contest_due", "contest", ["due"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_contest_ended", "contest", ["ended"])
    op.create_index("ix_contest_guest_channel", "contest", ["guest_channel"])
    op.create_index("ix_contest_guest_guild", "contest", ["guest_guild"])
    op.create_index("ix_contest_guest_manager", "contest", ["guest_manager"])
    op.create_index("ix_contest_home_channel", "contest", ["home_channel"])
    op.create_index("ix_contest_home_guild", "contest", ["home_guild"])
    op.create_index("ix_contest_home_manager", "contest", ["home_manager"])
    op.create_index("ix_contest_id_behind", "contest", ["id"], sqlite_where=behind, postgresql_where=behind)
    op.create_index("uq_contest_code", "contest", ["code"], unique=True)
    op.create_index("uq_contest_source", "contest", ["source"], unique=True)
    op.create_table(
        "contest_player",
        sa.Column("contest", sa.BigInteger, sa.ForeignKey("contest.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("left", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("contest", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_contest_player_user", "contest_player", ["user"])
    op.create_table(
        "contest_board",
        sa.Column("contest", sa.BigInteger, sa.ForeignKey("contest.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("home", sa.Integer),
        sa.Column("guest", sa.Integer),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("home_call", sa.BigInteger),
        sa.Column("guest_call", sa.BigInteger),
        sa.Column("waits_since", sa.BigInteger),
        sa.Column("home_points", sa.Double),
        sa.Column("guest_points", sa.Double),
        sa.Column("home_dots", sa.Double, nullable=False),
        sa.Column("guest_dots", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("unplayed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("contest", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_contest_board_undecided", "contest_board", ["contest"], sqlite_where=undecided, postgresql_where=undecided
    )
    op.create_table(
        "contest_listing",
        sa.Column("guild", sa.BigInteger, nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("guild"),
    )
