"""What pyproject.toml cannot say: the commit, the guides, and the README for a package index, whose pages know no other
file.

Everything else about the package is in pyproject.toml.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
COMMIT = "bot/commit"
"""The file that tells an installation of which commit it was made. A checkout asks git instead: see bot/version.py."""

GUIDES = ROOT / "docs" / "guides"
"""What the site shows under Help. An installation has them beside web/pages/guides.py; a checkout, where they are."""

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


def commit() -> str:
    """Returns the commit of this source: that of COMMIT, of git, or of the archive; "" if none of them knows it."""
    if given := os.environ.get("COMMIT"):
        return given
    if (ROOT / ".git").exists():
        asked = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=12", "--dirty", "--exclude=*"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    archived = ROOT / COMMIT
    return archived.read_text("ascii").strip() if archived.exists() else ""


def write_commit(tree: str) -> None:
    """Writes the commit into a tree that is built, if it is known."""
    if known := commit():
        (Path(tree) / COMMIT).write_text(f"{known}\n", "ascii")


class BuildWithOthers(build_py):
    """The command that makes the packages of a wheel, with what has its place elsewhere in a checkout."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            write_commit(self.build_lib)
            shutil.copytree(GUIDES, Path(self.build_lib) / "web" / "pages" / "help", dirs_exist_ok=True)


class ArchiveWithCommit(sdist):
    """The command that makes the source archive."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_commit(base_dir)


if __name__ == "__main__":
    setup(
        long_description=long_description(),
        long_description_content_type="text/markdown",
        cmdclass={"build_py": BuildWithOthers, "sdist": ArchiveWithCommit},
    )
