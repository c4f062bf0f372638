"""Fingers on pages: two quick taps are two presses, and enlarge no page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

STYLED = sorted(
    path.relative_to(ROOT)
    for folder in ("web", "loopback")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".html", ".py") and "<!doctype html>" in path.read_text() and "stylesheet" in path.read_text()
)
"""The sources of all pages that have a stylesheet."""

FOLDERS = {"/static/": "web/static/", "/page/": "loopback/page/"}
"""The folders of the addresses that begin so."""

RULE = re.compile(r"^html, body \{[^}]*touch-action: manipulation;", re.MULTILINE)
"""Without it Safari enlarges a page at the second of two quick taps. A `touch-action` counts for all that is inside."""


@pytest.mark.parametrize("source", STYLED, ids=str)
def test_two_quick_taps_enlarge_no_page(source: Path) -> None:
    addresses = re.findall(r'rel="stylesheet" href="(/(?:static|page)/[^"]+)"', (ROOT / source).read_text())
    sheets = [re.sub(r"^/\w+/", lambda found: FOLDERS[found[0]], address) for address in addresses]
    assert any(RULE.search((ROOT / sheet).read_text()) for sheet in sheets), sheets


def test_all_pages_are_looked_at() -> None:
    assert len(STYLED) >= 8
