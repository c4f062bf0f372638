"""Studies of servers, and exercises that are made for them."""

import sqlalchemy as sa
from alembic import op

revision = "0070"
down_revision = "0069"

_COUNTED = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("study", sa.Column("guild", sa.BigInteger))
    op.add_column("study", sa.Column("drawers", sa.BigInteger))
    op.create_index("ix_study_guild", "study", ["guild"])
    op.create_table(
        "made_exercise",
        sa.Column("id", _COUNTED, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("lesson", sa.Boolean, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("tree", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_made_exercise_guild", "made_exercise", ["guild"])
    op.create_index("ix_made_exercise_user", "made_exercise", ["user"])
    op.add_column("puzzle", sa.Column("made", sa.BigInteger))
    op.create_index("ix_puzzle_made", "puzzle", ["made"])
