"""Chromium on this machine, and the message if there is none."""

from __future__ import annotations

import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "browser tests did not run: no Chromium; install it with `apt-get install chromium`"

UNUSED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,LocalNetworkAccessChecks"
"""Features of Chromium that no test looks at. The last one asks before a page elsewhere frames one of this machine."""


def find_chromium() -> str | None:
    """Returns the path of the first Chromium on PATH."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a script that starts Chromium without the suggestions below its address bar.

    They are pages in a process of their own for each window, and take as long as a test. Playwright switches features
    off, too, and Chromium obeys the last switch alone; so the script adds to Playwright's.
    """
    program = find_chromium()
    if program is None:
        pytest.skip(MISSING)
    script = tmp_path_factory.mktemp("chromium") / "chromium"
    script.write_text(f'#!/bin/bash\nexec {program} "${{@/#--disable-features=/--disable-features={UNUSED},}}"\n')
    script.chmod(0o700)
    return str(script)
