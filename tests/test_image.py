"""The image: what a build gets, and what it copies. tests/test_package.py builds the program from that."""

from __future__ import annotations

import re

import pytest

from tests.build_context import ROOT, Rule, is_sent
from tests.test_arrows import ARROWS

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")

SOURCES = {"LICENSE", "README.md", "pyproject.toml", "setup.py", "requirements/runtime.txt", "tools/licences.py"}
"""Files that build the program, beside its packages."""


@pytest.mark.parametrize(
    ("line", "inside", "outside"),
    [
        ("*", ["bot", ".env", "bot/app.py"], []),
        ("!bot/**", ["bot/app.py", "bot/cli/doctor.py"], ["bots/app.py", "robot/app.py"]),
        ("!setup.py", ["setup.py"], ["bot/setup.py", "setupxpy"]),
        ("**/__pycache__", ["__pycache__/a.pyc", "bot/cli/__pycache__/a.pyc"], ["bot/__pycache__.py"]),
        ("*/?.py", ["bot/a.py"], ["bot/ab.py", "bot/cli/a.py"]),
    ],
)
def test_a_line_of_dockerignore_stands_for_the_files_that_docker_says(
    line: str, inside: list[str], outside: list[str]
) -> None:
    rule = Rule.read(line)
    assert rule.takes_out is not line.startswith("!")
    assert [path for path in inside + outside if rule.pattern.fullmatch(path)] == inside


def copied() -> set[str]:
    """Returns what the stages of the image copy from the repository."""
    lines = re.findall(r"^COPY +(?!--from=)(.+)$", DOCKERFILE, re.MULTILINE)
    return {source for line in lines for source in line.split()[:-1]}


def test_a_build_gets_each_thing_that_the_image_copies() -> None:
    assert "." in copied()
    assert [source for source in copied() - {"."} if not (ROOT / source).exists() or not is_sent(source)] == []


@pytest.mark.parametrize("package", ARROWS)
def test_a_build_gets_every_package_of_the_program(package: str) -> None:
    assert is_sent(f"{package}/__init__.py")


def test_a_build_gets_what_it_needs_and_nothing_else() -> None:
    given = {path.name for path in ROOT.iterdir() if is_sent(f"{path.name}/any") or is_sent(path.name)}
    assert given == {*ARROWS, *SOURCES} - {"requirements/runtime.txt", "tools/licences.py"}
    assert all(map(is_sent, SOURCES))


@pytest.mark.parametrize(
    "private", [".env", "secrets/kropka_token", "data/kropka.db", ".git/config", "bot/__pycache__/app.pyc"]
)
def test_a_build_gets_nothing_private(private: str) -> None:
    assert not is_sent(private)
