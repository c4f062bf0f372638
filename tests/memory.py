"""A folder in memory, for the files of tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 - for folders with names of their own
MIN_FREE_BYTES = 2**31
"""Bytes that must be free. Tests delete their files as they pass, so two workers need far less."""


def memory_folder() -> str | None:
    """Returns the system's folder in memory if it has one with room: SQLite waits there for no disk."""
    usable = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MIN_FREE_BYTES
    return str(MEMORY) if usable else None
