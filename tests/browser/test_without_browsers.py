"""A machine without browsers, and without the programs of other projects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.tiers import MISSING

ROOT = Path(__file__).parents[2]
ARGUMENTS = "-m pytest -n 1 -p no:cacheprovider -p no:warnings"

CONFTEST = """from tests.browser.chromium import chromium
from tests.browser.webkit.conftest import webkit
from tests.machine import kubectl, promtool
from tests.tiers import *
"""
"""The fixtures and the report of the tests of this folder, without a bot."""


def test_the_last_words_are_which_tests_did_not_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_page.py").write_text(
        "def test_page(chromium): ...\n"
        "async def test_other(webkit): ...\n"
        "def test_alerts(promtool): ...\n"
        "def test_manifests(kubectl): ...\n"
    )
    environment = {"PATH": "", "PYTHONPATH": str(ROOT)}
    arguments = [*ARGUMENTS.split(), "-o", "asyncio_mode=auto"]
    run = subprocess.run(  # noqa: S603
        [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.stdout.splitlines()[-5:-1] == list(MISSING)
    assert " 4 skipped in " in run.stdout.splitlines()[-1]
    assert run.returncode == 0
