"""All Python files as tests read them: their trees, docstrings and comments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = tuple(sorted({file.parent.name for file in ROOT.glob("*/__init__.py")} - {"tests"}))
"""The packages of the program."""

PACKAGES = (*PROGRAM, "benchmarks", "tools", "docs", "tests")

_LITERAL_OR_COMMENT = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<comment>#[^\n]*)''',
    re.DOTALL,
)
"""A string, in which a number sign begins no comment, or a comment. `tokenize` takes ten times as long."""


def python_files(*packages: str) -> Iterator[Path]:
    """Yields the files of packages; without arguments, those of all."""
    for package in packages or PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def python_texts() -> Iterator[tuple[str, str]]:
    """Yields each docstring and each comment, after the place where it begins (`file:line`)."""
    for path in python_files():
        name = path.relative_to(ROOT)
        yield from ((f"{name}:{line}", text) for line, text in (*docstrings(path), *comments(path)))


@cache
def parsed(source: str) -> ast.Module:
    """Returns the tree of a module, which all tests that read the program share: to make it takes longer than to read
    it."""
    return ast.parse(source)


@cache
def docstrings(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the docstrings of a file after their lines, those of constants and fields included."""
    return tuple(
        (node.lineno, node.value.value)
        for node in statements(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


@cache
def comments(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the comments of a file after their lines."""
    text = path.read_text(encoding="utf-8")
    found, line, end = [], 1, 0
    for match in _LITERAL_OR_COMMENT.finditer(text) if "#" in text else ():
        if comment := match["comment"]:
            line, end = line + text.count("\n", end, match.start()), match.start()
            found.append((line, comment))
    return tuple(found)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the statements in a node. Expressions are left out: they are most of a tree."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, part, ()):
            yield each
            yield from statements(each)
