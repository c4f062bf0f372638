"""The site of a process without a Discord client: the web board, home, puzzles and public pages by signed links."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.web.lone_site import play_a_match


async def test_a_match_is_played_on_a_site_of_what_every_platform_has(sqlite_url: str) -> None:
    seen = await play_a_match(sqlite_url)
    assert seen["answers"] == ["done", "done", "done"]
    assert "Anna" in seen["line"]
    assert seen["chat"] is None
    for path in ("front", "home", "home.json", "help", "daily"):
        status, text = seen[path]
        assert status == 200, (path, text)
    assert "Matrix" in seen["front"][1]
    assert "Discord" not in seen["home.json"][1]


@pytest.mark.process
@pytest.mark.smoke
def test_a_match_is_played_on_the_web_board_without_the_library_of_discord(sqlite_url: str) -> None:
    run = [sys.executable, "-m", "tests.web.lone_site", sqlite_url]
    done = subprocess.run(run, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['done', 'done', 'done']")
