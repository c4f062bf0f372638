"""Nothing yet."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """See storage/schema.py."""
