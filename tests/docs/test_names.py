"""Names of code that the pages tell are names in the code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import INLINE, PAGES, ROOT, read_page
from tests.test_arrows import ARROWS

DOTTED = re.compile(r"([a-z_]+(?:\.[A-Za-z_]+)+)(?:\(\))?")
CAPITALS = re.compile(r"(?:[A-Z][a-z]+){2,}")
"""A name of two words or more, as classes have them."""

SOURCES = ("*.py", "*.js", "*.ts", "*.toml", "*.json", "*.yml", "*.yaml", "Makefile", "Dockerfile")
OURS = {*ARROWS, "benchmarks", "docs", "tests", "tools"}


@cache
def identifiers() -> frozenset[str]:
    """Returns all words of the sources, those of the libraries that they use among them."""
    files = [file for folder in OURS for kind in SOURCES for file in (ROOT / folder).rglob(kind)]
    files += [file for kind in SOURCES for file in ROOT.glob(kind)]
    files.remove(Path(__file__))  # it has names that are not there
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


def is_known(name: str) -> bool:
    """Returns whether a name in a page's code that looks like one of code is in the sources."""
    if CAPITALS.fullmatch(name):
        return name in identifiers()
    dotted = DOTTED.fullmatch(name)
    if not dotted or dotted[1].partition(".")[0] not in OURS or Path(ROOT / name).exists():
        return True
    parts = dotted[1].split(".")
    for count in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:count])
        file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        if file.exists():
            text = file.read_text(encoding="utf-8")
            return all(re.search(rf"\b{part}\b", text) for part in parts[count:])
    return False


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("play.match.match.Match", True),
        ("play.match.match.Bout", False),
        ("play.bouts", False),
        ("tests.test_arrows", True),
        ("UseCases", True),
        ("ButtonRemover", False),
        ("make test", True),
        ("README.md", True),
    ],
)
def test_a_name_is_known_if_the_sources_have_it(name: str, known: bool) -> None:
    assert is_known(name) is known


def test_every_name_of_code_in_a_page_is_in_the_sources() -> None:
    unknown = [
        f"{page}: {name}"
        for page in PAGES
        if page != "CHANGELOG.md"
        for name in INLINE.findall(read_page(page))
        if not is_known(name)
    ]
    assert not unknown, "\n".join(unknown)
