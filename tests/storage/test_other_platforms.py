"""The main cases of storage and play hold for ids of other platforms: the same tests, in a process with such ids."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from play.ids import Platform
from tests.people import VARIABLE

CASES = (
    *("banned_players", "careers", "challenges", "leagues", "matches", "predictions", "privacy", "ratings"),
    *("role_rewards", "tournaments", "transfer", "votes", "web"),
)
"""Files of tests beside this one. Each names people, servers or both."""

ROOT = Path(__file__).parents[2]


@pytest.mark.process
@pytest.mark.parametrize("platform", [each for each in Platform if each is not Platform.DISCORD])
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_the_core_keeps_its_promises_with_ids_of_another_platform(platform: Platform, engine: str) -> None:
    files = [f"tests/storage/test_{name}.py" for name in CASES]
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", engine, *files]
    told = subprocess.run(  # noqa: S603 - our own tests
        asked, cwd=ROOT, env={**os.environ, VARIABLE: platform.name}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout[-3000:]
