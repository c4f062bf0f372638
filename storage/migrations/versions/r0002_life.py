"""Nothing yet."""

from __future__ import annotations

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """See storage/schema.py."""
