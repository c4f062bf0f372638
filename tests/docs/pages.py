"""The pages that people read, and what they name."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"))
}
"""The text of each page by its path."""

CODE_BLOCK = re.compile(r"(?<=\n\n)(?: {4,}\S[^\n]*\n(?:\n(?= {4}))?)+|^```(?s:.*?)^```", re.MULTILINE)
LINK = re.compile(r'\]\(([^)\s]+)\)|<(?:img|a)[^>]* (?:src|href)="([^"]+)"')
INLINE_CODE = re.compile(r"`([^`\n]+)`")


def code_blocks(page: str) -> list[str]:
    """Returns the indented and the fenced blocks of code, without their indentation."""
    return [re.sub(r"^ +", "", block, flags=re.MULTILINE) for block in CODE_BLOCK.findall(page)]


def code(page: str) -> list[str]:
    """Returns everything that is written as code: each line of a block, and what is between backticks."""
    lines = [line.partition("  #")[0].strip() for block in code_blocks(page) for line in block.splitlines()]
    return [*filter(None, lines), *INLINE_CODE.findall(CODE_BLOCK.sub("", page))]


def anchors(page: str) -> set[str]:
    """Returns the anchors of the headings as GitHub makes them: a repeated heading gets a number."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", CODE_BLOCK.sub("", page), re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return set(found)


def links(page: str) -> list[str]:
    """Returns the targets of all links and pictures."""
    plain = INLINE_CODE.sub("", CODE_BLOCK.sub("", page))
    return [written or tagged for written, tagged in LINK.findall(plain)]
