"""The docstrings and comments of all Python files, for tests of their language."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "play", "opponent", "renderer", "storage", "bot", "loopback", "benchmarks", "docs", "tests")


def python_files(*packages: str) -> Iterator[Path]:
    """Yields the files of packages; without arguments, those of all."""
    for package in packages or PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def python_texts(*packages: str) -> Iterator[tuple[str, str]]:
    """Yields each docstring and each comment, after the place where it begins (`file:line`)."""
    for path in python_files(*packages):
        name = path.relative_to(ROOT)
        yield from ((f"{name}:{line}", text) for line, text in docstrings(path))
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type == tokenize.COMMENT:
                    yield f"{name}:{token.start[0]}", token.string


@cache
def docstrings(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the docstrings of a file after their lines, those of constants and fields included."""
    return tuple(
        (node.lineno, node.value.value)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
