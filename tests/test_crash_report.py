"""The report of a test whose worker crashed says what the worker was doing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash_report import UNSEEN

ROOT = Path(__file__).parent.parent

CONFTEST = """
import pytest
from tests.crash_report import register

pytest_configure = pytest.hookimpl(register, trylast=True)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("end", "told"),
    [("faulthandler._sigsegv()", 'test_end.py", line 4 in test_end'), ("os.kill(os.getpid(), 9)", UNSEEN)],
    ids=["crashed", "killed"],
)
def test_a_worker_that_ends_leaves_a_trace(tmp_path: Path, end: str, told: str) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_end.py").write_text(f"import faulthandler, os\n\ndef test_end():\n    {end}\n")
    command = [sys.executable, "-m", "pytest", "-n", "1", "--max-worker-restart", "0", "-p", "no:cacheprovider", "."]
    run = subprocess.run(  # noqa: S603 - the command is above
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert told in run.stdout
