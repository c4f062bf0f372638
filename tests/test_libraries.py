"""The table of libraries in docs/libraries.md, and that the program uses only what they promise."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.python_texts import PROGRAM, parsed, python_files
from tests.test_arrows import HOMES

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NPM = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]

OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
"""The names that named tuples have beside their fields."""

KNOWN_PRIVATE = {
    ("bot/request.py", "interaction._integration_owners"),  # what Discord sends, which discord.py has by no other name
    ("bot/services/drawing_pool.py", "self._work_queue"),  # an executor tells by no other name how much waits
    ("bot/settings.py", "_secrets_dir="),  # documented by pydantic-settings
    ("bot/telemetry/loop_watch.py", "sys._current_frames"),  # documented by Python
    ("storage/sqlite_writer.py", "in_thread._thread"),  # as SQLAlchemy does, since aiosqlite has no other name for it
}
"""Private names of others which the program needs, by file."""


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required(lines: list[str]) -> set[str]:
    return {normalised(re.split(r"[\[<>=;! ]", line)[0]) for line in lines}


def rows() -> dict[str, str]:
    """Returns the extra in which each library of the table is; "npm" for packages of npm, "" for what everybody has."""
    lines = re.findall(r"^\| ([^|]+?) \| [^|]+ \| [^|]+ \|$", (ROOT / "docs" / "libraries.md").read_text("utf-8"), re.M)
    found: dict[str, str] = {}
    for line in lines:
        names, _, mark = line.partition(" (")
        found |= dict.fromkeys(map(normalised, names.split(", ")), mark.rstrip(")"))
    return found


def test_every_direct_dependency_has_a_reason_in_the_table_and_no_other_has() -> None:
    direct = required(PROJECT["dependencies"])
    others = {name for lines in PROJECT["optional-dependencies"].values() for name in required(lines)}
    table = {name: mark for name, mark in rows().items() if name != "library"}
    assert {name for name, mark in table.items() if not mark} == direct
    assert {name for name, mark in table.items() if mark not in {"", "npm"}} == others - direct
    assert {name for name, mark in table.items() if mark == "npm"} == set(NPM)


def test_every_library_that_has_one_home_is_in_the_table() -> None:
    imports = {"discord": "discord-py", "markdown-it": "markdown-it-py", "pil": "pillow"}
    assert {imports.get(name, name) for name in map(normalised, map(str.lower, HOMES))} <= rows().keys()


def private_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yields the private names that a module uses: each, and the text in which it is used."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()):
                used = [(name, ast.unparse(node))] if name.startswith("_") else []  # to write each takes seconds
            case ast.keyword(arg=str(name)):
                used = [(name, f"{name}=")]
            case ast.Import() | ast.ImportFrom():
                path = [*(getattr(node, "module", None) or "").split("."), *(each.name for each in node.names)]
                used = [(name, ast.unparse(node)) for each in path for name in each.split(".")]
            case _:
                continue
        yield from ((name, text) for name, text in used if re.match("_(?!_)", name) and name not in OF_TUPLES)


def own_names(tree: ast.AST) -> Iterator[str]:
    """Yields the names that a module gives: to functions, classes, parameters, variables and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name


def foreign_privates(sources: dict[str, str]) -> set[tuple[str, str]]:
    """Returns the private names that modules use and none of them gives, by file. Only `self`, or a class of the same
    file, has private names of ours."""
    trees = {file: parsed(source) for file, source in sources.items()}
    given = {file: set(own_names(tree)) for file, tree in trees.items()}
    ours = set().union(*given.values())
    return {
        (file, text)
        for file, tree in trees.items()
        for name, text in private_names(tree)
        if name not in (ours if text in (f"self.{name}", f"cls.{name}") else given[file])
    }


def test_the_program_uses_the_public_names_of_libraries_alone() -> None:
    sources = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in python_files(*PROGRAM)}
    assert foreign_privates(sources) == KNOWN_PRIVATE


@pytest.mark.parametrize(
    "line",
    [
        "statement._compile_w_cache(dialect)",
        "compiled.construct_params(_check=False)",
        "self._sql._sql",
        "from sqlalchemy.engine._row_cy import BaseRow",
        "import sqlalchemy.engine._row_cy",
    ],
)
def test_a_private_name_of_a_library_is_found(line: str) -> None:
    own = "class A:\n    def __init__(self, sql):\n        self._sql = sql\n        assert self._sql is A(sql)._sql"
    assert foreign_privates({"own.py": own}) == set()
    assert len(foreign_privates({"own.py": own, "new.py": line})) == 1
