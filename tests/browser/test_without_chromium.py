"""A machine without Chromium."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.browser.chromium import MISSING

ROOT = Path(__file__).parents[2]
ARGUMENTS = "-m pytest -n 1 -p no:cacheprovider -p no:warnings"

CONFTEST = "from tests.browser.chromium import chromium\nfrom tests.tiers import *\n"
"""The fixture and the report of the tests of this folder, without a bot."""


def test_the_last_words_are_that_the_browser_tests_did_not_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_page.py").write_text("def test_page(chromium): ...")
    environment = {"PATH": "", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(  # noqa: S603
        [sys.executable, *ARGUMENTS.split()], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.stdout.splitlines()[-2] == MISSING
    assert " 1 skipped in " in run.stdout.splitlines()[-1]
    assert run.returncode == 0
