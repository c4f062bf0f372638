"""Places on leaderboards for users whose rated games count as eight whole ones, as games to come give them."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    # No game counts as more than one, so the weights are summed of those alone who have played eight.
    op.execute(
        """
        UPDATE standing SET listed = (1 = 1) WHERE listed = (1 = 0) AND EXISTS (
            SELECT 1 FROM rating
            WHERE rating."user" = standing."user" AND rating.pool = standing.pool AND rating.games >= 8
        ) AND (
            SELECT coalesce(sum(change.weight), 0) FROM change
            WHERE change."user" = standing."user" AND change.pool = standing.pool
        ) >= 8
        """
    )
    op.execute("UPDATE podium SET version = version + 1")  # the best of them are due a role
