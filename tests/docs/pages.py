"""The pages of the repository in Markdown, the anchors of their headings, and their code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TRANSLATED = re.compile(r"[a-z]{2}")
"""The folder of a language."""

PAGES = {
    str(path.relative_to(ROOT)): path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if not TRANSLATED.fullmatch(path.parent.name)
}
"""Each page in English by its path from the root."""

INDENTED = re.compile(r"(?<=\n\n)(?: {4,}\S[^\n]*\n(?:\n(?= {4}))?)+")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")


@cache
def full_text(name: str) -> str:
    return PAGES[name].read_text(encoding="utf-8")


@cache
def read_page(name: str) -> str:
    """Returns the text of a page without its fenced blocks of code."""
    return FENCED.sub("", full_text(name))


def code_blocks(name: str) -> list[str]:
    """Returns the indented blocks of code, without their indentation."""
    return [re.sub(r"^ +", "", block, flags=re.MULTILINE) for block in INDENTED.findall(read_page(name))]


def code(name: str) -> list[str]:
    """Returns everything that is written as code: each line of a block without its comment, and inline code."""
    lines = [line.partition("  #")[0].strip() for block in code_blocks(name) for line in block.splitlines()]
    return [*filter(None, lines), *INLINE.findall(INDENTED.sub("\n", read_page(name)))]


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", page, re.MULTILINE)


@cache
def anchors(page: str) -> list[str]:
    """Returns the anchors of a page: those that it writes out, and those that renderers of Markdown make of headings,
    where a repeated heading gets a number."""
    found: list[str] = re.findall(r'<a id="([\w-]+)"></a>', page)
    for heading in headings(page):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w -]", "", text).lower().replace(" ", "-")
        count = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
        found.append(f"{anchor}-{count}" if count else anchor)
    return found
