"""What pyproject.toml cannot say: the README for a package index, whose pages know no other file of the repository.

Everything else about the package is in pyproject.toml.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent

_LINK = re.compile(r'(?P<before>(?:!\[[^][]*)?\]\(|<(?:img|a)\b[^>]*?(?:src|href)=")(?P<target>[^)\s"]+)')
"""A target and what comes before it, from the `!` of a picture on."""


def with_absolute_links(page: str, source: str, tag: str) -> str:
    """Returns the page with links to files of the repository at `source`, as they are at `tag`: pictures raw."""

    def absolute(match: re.Match[str]) -> str:
        before, target = match["before"], match["target"]
        if re.match(r"[a-z]+:|#", target):
            return before + target
        kind = "raw" if before.startswith(("!", "<img")) else "blob"
        return f"{before}{source}/{kind}/{tag}/{target}"

    return _LINK.sub(absolute, page)


def long_description() -> str:
    """Returns the README of this version, with the address of the repository from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = re.search(r'^__version__ = "(.+)"$', (ROOT / "bot" / "__init__.py").read_text("utf-8"), re.MULTILINE)
    assert version is not None, "bot/__init__.py has the version"
    return with_absolute_links((ROOT / "README.md").read_text("utf-8"), project["urls"]["Source"], f"v{version[1]}")


if __name__ == "__main__":
    setup(long_description=long_description(), long_description_content_type="text/markdown")
