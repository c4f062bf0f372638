"""The places of machine code."""

from __future__ import annotations

import os
import subprocess
import sys
from stat import S_IWUSR
from typing import TYPE_CHECKING

import pytest

from opponent.dots.compiled import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

PLAYERS = ["tests/opponent/dots/test_player.py", "-k", "fleeing or whole_game"]
"""Tests that reach most of the compiled code, with chases that are played through."""


def test_each_state_of_the_sources_has_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1", encoding="utf-8")
    before = cache_folder("", tmp_path / "beside", tmp_path)
    (tmp_path / "a.py").write_text("2", encoding="utf-8")
    assert cache_folder("", tmp_path / "beside", tmp_path) != before
    assert before.parent == tmp_path / "beside"


def test_shipped_code_is_copied_to_a_place_that_can_be_written(tmp_path: Path) -> None:
    shipped = cache_folder("", tmp_path / "shipped", tmp_path) / "sub"
    shipped.mkdir(parents=True)
    (shipped / "code.nbi").write_text("machine code", encoding="utf-8")
    shipped.chmod(0o555)
    for _ in range(2):
        place = cache_folder(str(tmp_path / "chosen"), tmp_path / "shipped", tmp_path)
    assert (place / "sub" / "code.nbi").read_text(encoding="utf-8") == "machine code"
    assert (place / "sub").stat().st_mode & S_IWUSR
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def test_without_anything_shipped_the_chosen_place_begins_empty(tmp_path: Path) -> None:
    place = cache_folder(str(tmp_path / "chosen"), tmp_path / "shipped", tmp_path)
    assert place.parent == tmp_path / "chosen"
    assert not place.exists()


@pytest.mark.process
def test_no_index_lies_outside_of_its_array(tmp_path: Path) -> None:
    """Compiled code does not check that, unless numba is told to."""
    checks = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PLAYERS]
    run = subprocess.run(command, env=os.environ | checks, capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 0, run.stdout
    assert [folder.name.endswith("-checked") for folder in tmp_path.iterdir()] == [True]
