"""Fingers on pages: two quick taps are two presses, and enlarge no page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def text_of(page: Path) -> str:
    """Returns the source of a page, with that of the loader which brings the styles of the Activity."""
    loader = page.with_name("loader.js")
    return (ROOT / page).read_text() + ((ROOT / loader).read_text() if (ROOT / loader).exists() else "")


PAGES = sorted(
    path.relative_to(ROOT)
    for folder in ("web", "loopback")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".html", ".py") and "<!doctype html>" in path.read_text()
)
SHEETS = {page: sheets for page in PAGES if (sheets := re.findall(r"/(?:static|page)/[\w/]+\.css", text_of(page)))}
"""The addresses of the style sheets of each page that has some."""

FOLDERS = {"/static/": "web/static/", "/page/": "loopback/page/"}
"""The folders of the addresses that begin so."""

RULE = re.compile(r"^html, body \{[^}]*touch-action: manipulation;", re.MULTILINE)
"""Without it Safari enlarges a page at the second of two quick taps. A `touch-action` counts for all that is inside."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("page", SHEETS, ids=str)
def test_two_quick_taps_enlarge_no_page(page: Path) -> None:
    files = [re.sub(r"^/\w+/", lambda found: FOLDERS[found[0]], address) for address in SHEETS[page]]
    assert any(RULE.search((ROOT / file).read_text()) for file in files), files


def test_only_pages_without_styles_are_left_out() -> None:
    assert [str(page) for page in PAGES if page not in SHEETS] == ["loopback/page/locked.html"]
