"""Studies: their chapters, members and strokes."""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0063"

_COUNTED = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "study",
        sa.Column("id", _COUNTED, primary_key=True),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("code", sa.String, nullable=False, unique=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("link", sa.String),
        sa.Column("lends", sa.String, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_study_user", "study", ["user"])
    op.create_table(
        "study_member",
        sa.Column("study", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("role", sa.String, nullable=False),
    )
    op.create_index("ix_study_member_user", "study_member", ["user"])
    op.create_table(
        "study_chapter",
        sa.Column("id", _COUNTED, primary_key=True),
        sa.Column("study", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("note", sa.String, nullable=False),
        sa.Column("marks", sa.JSON, nullable=False),
        sa.Column("next_id", sa.Integer, nullable=False),
        sa.Column("turns", sa.JSON, nullable=False),
        sa.Column("removed", sa.JSON, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_study_chapter_study", "study_chapter", ["study"])
    op.create_table(
        "study_stroke",
        sa.Column("chapter", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger),
    )
    op.create_index("ix_study_stroke_key", "study_stroke", ["chapter", "key"], unique=True)
    op.create_index("ix_study_stroke_user", "study_stroke", ["user"])
