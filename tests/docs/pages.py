"""The pages of the repository in Markdown, and the anchors of their headings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {str(path.relative_to(ROOT)): path for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])}
"""Each page by its path from the root."""


def read_page(name: str) -> str:
    """Returns the text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", PAGES[name].read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", page, re.MULTILINE)


def anchors(page: str) -> list[str]:
    """Returns the anchors of a page as renderers of Markdown make them: a repeated heading gets a number."""
    found: list[str] = []
    for heading in headings(page):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w -]", "", text).lower().replace(" ", "-")
        count = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
        found.append(f"{anchor}-{count}" if count else anchor)
    return found
