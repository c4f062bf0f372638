"""A machine without Chromium."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.browser.chromium import MISSING

ROOT = Path(__file__).parents[2]
ARGUMENTS = "-m pytest -n 1 -p no:cacheprovider tests/browser/test_fonts.py"


def test_the_last_words_are_that_the_browser_tests_did_not_run() -> None:
    run = subprocess.run(  # noqa: S603
        [sys.executable, *ARGUMENTS.split()], cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True
    )
    assert run.stdout.splitlines()[-2] == MISSING
    assert " 1 skipped in " in run.stdout.splitlines()[-1]
    assert run.returncode == 0
