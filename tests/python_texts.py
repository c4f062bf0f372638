"""The docstrings and comments of all Python files, for tests of their language."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = (
    *("rules", "play", "opponent", "renderer", "presentation", "storage", "bot", "loopback", "web"),
    *("benchmarks", "tools", "docs", "tests"),
)


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
def docstrings(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the docstrings of a file after their lines, those of constants and fields included."""
    return tuple(
        (node.lineno, node.value.value)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


@cache
def comments(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the comments of a file after their lines."""
    text = path.read_bytes()
    tokens = tokenize.tokenize(BytesIO(text).readline) if b"#" in text else ()
    return tuple((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
