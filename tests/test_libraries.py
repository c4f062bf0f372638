"""The table of libraries in docs/libraries.md, and what is written there of each."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from tests.test_arrows import HOMES

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NPM = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]


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
    imports = {"discord": "discord-py", "pil": "pillow"}
    assert {imports.get(name, name) for name in map(normalised, map(str.lower, HOMES))} <= rows().keys()
