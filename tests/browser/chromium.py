"""The path of Chromium on this machine, and the message if there is none."""

from __future__ import annotations

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "browser tests did not run: no Chromium; install it with `apt-get install chromium`"


def find_chromium() -> str | None:
    """Returns the path of the first Chromium on PATH."""
    return next(filter(None, map(shutil.which, NAMES)), None)
