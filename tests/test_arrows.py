"""Imports point one way (DESIGN section 1), and each foreign library has one home."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ARROWS = {
    "rules": set[str](),
    "opponent": {"rules"},
    "play": {"rules"},
    "storage": {"play", "rules"},
    "renderer": {"rules"},
    "loopback": set[str](),
    "bot": {"loopback", "opponent", "play", "renderer", "rules", "storage"},
}
"""What each package may import of ours."""

HOMES = {
    "discord": "bot",
    "prometheus_client": "bot",
    "sentry_sdk": "bot",
    "numba": "opponent",
    "sgfmill": "play",
    "networkx": "play",
    "openskill": "play",
    "PIL": "renderer",
    "sqlalchemy": "storage",
    "alembic": "storage",
}
"""The one package that may import a library."""


def modules(package: str) -> Iterator[Path]:
    return (ROOT / package).rglob("*.py")


def imported(module: Path) -> Iterator[str]:
    """The top-level names that a module imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            assert node.module is not None
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("package", ARROWS)
def test_a_package_imports_of_ours_only_what_the_arrows_allow(package: str) -> None:
    for module in modules(package):
        wrong = set(imported(module)) & {*ARROWS, "tests"} - ARROWS[package] - {package}
        assert not wrong, f"{module.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_in_one_package_alone(library: str) -> None:
    users = {package for package in ARROWS for module in modules(package) if library in imported(module)}
    assert users <= {HOMES[library]}


def test_rules_needs_nothing_but_the_standard_library() -> None:
    for module in modules("rules"):
        assert set(imported(module)) <= sys.stdlib_module_names | {"rules"}, module


def test_every_package_of_the_project_stands_in_the_table() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {*ARROWS, "tests"}


def test_the_environment_is_read_in_the_settings_alone() -> None:
    for package in ARROWS:
        for module in modules(package):
            if module != ROOT / "bot" / "settings.py":
                text = module.read_text(encoding="utf-8")
                assert "os.environ" not in text, module
                assert "getenv" not in text, module
