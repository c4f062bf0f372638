"""Nothing yet."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """See storage/schema.py."""
