"""Pages, docstrings and comments are written in plain English, as far as a rule can tell."""

from __future__ import annotations

import re

from tests.docs.pages import PAGES, read_page
from tests.python_texts import ROOT, docstrings, python_files, python_texts

REFUSED = re.compile(
    r"\b(?:whoever|whomever|whosoever|somebody|he|him|his|himself|at stake|comes to"
    r"|stands(?!\s+(?:for|in|by|out)\b))\b",
    re.IGNORECASE,
)
"""Say player, user or they; and is, is posted, waits or is due."""

WRITTEN = (*(name for name in PAGES if name.startswith("docs/")), "README.md", "CONTRIBUTING.md")
OPENING = re.compile(r"(?:What|Who|Whose|Whom|Where|Whoever)\b")
OPENED_BY_VERBS = ("rules", "opponent", "renderer", "storage", "loopback", "benchmarks", "tools", "docs", "tests")
"""Packages whose docstrings begin with a verb or a noun phrase."""


def test_the_rule_finds_what_it_refuses_and_nothing_else() -> None:
    refused = ("Whoever accepts", "if he plays", "It is his turn", "somebody", "the game stands so", "is at stake")
    allowed = ("the theme", "history", "this", "a stand-in", "stands for a match", "stands\nout", "whenever they")
    assert all(map(REFUSED.search, refused))
    assert not any(map(REFUSED.search, allowed))


def test_a_page_has_no_refused_word() -> None:
    found = [f"{name}: {match[0]}" for name in WRITTEN for match in REFUSED.finditer(_prose(name))]
    assert not found, "\n".join(found)


def test_docstrings_and_comments_have_no_refused_word() -> None:
    found = [f"{where}: {match[0]}" for where, text in python_texts() for match in REFUSED.finditer(text)]
    assert not found, "\n".join(found)


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    opened = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in python_files(*OPENED_BY_VERBS)
        for line, text in docstrings(path)
        if OPENING.match(text)
    ]
    assert not opened, "\n".join(opened)


def _prose(name: str) -> str:
    """Returns a page without what it quotes as code."""
    return re.sub(r"`[^`\n]*`", "", read_page(name))
