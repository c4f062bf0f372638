"""Games of strangers that everybody may watch, by the players' choice."""

import sqlalchemy as sa
from alembic import op

revision = "0068"
down_revision = "0067"

_played = sa.text("ended IS NULL AND strangers")


def upgrade() -> None:
    op.add_column("person", sa.Column("watchable", sa.Boolean, nullable=False, server_default=sa.false()))
    partial = {"sqlite_where": _played, "postgresql_where": _played}
    op.create_index("ix_match_strangers_open", "match", ["turned"], **partial)  # type: ignore[arg-type]
