"""The checks of the pages' JavaScript: which files they see, and that they find what they are there for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.test_arrows import ARROWS

ROOT: Final = Path(__file__).parents[1]
NODE: Final = str(Path(sys.executable).parent / "node")
OXLINT: Final = ROOT / "node_modules" / "oxlint" / "bin" / "oxlint"
TSC: Final = ROOT / "node_modules" / "typescript" / "bin" / "tsc"


def said(program: Path, *options: str, cwd: Path = ROOT) -> str:
    """Returns what a program of npm prints."""
    assert program.exists(), "the packages of npm are not installed: `make lint` does that"
    command = [NODE, str(program), *options]
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True).stdout  # noqa: S603


@pytest.mark.parametrize(("program", "listing"), [(OXLINT, "--debug=files"), (TSC, "--listFilesOnly")])
def test_every_script_is_checked(program: Path, listing: str) -> None:
    scripts = {file for folder in (*ARROWS, "tests") for file in (ROOT / folder).rglob("*.*js")}
    checked = {ROOT / line for line in said(program, listing).splitlines()}
    assert len(scripts) > 50
    assert scripts - checked == set()


def test_the_linter_finds_circles_of_imports_and_text_that_becomes_markup(tmp_path: Path) -> None:
    (tmp_path / "above.js").write_text(
        "import { below } from './below.js';\nexport const above = () => below;\n", "utf-8"
    )
    (tmp_path / "below.js").write_text(
        "import { above } from './above.js';\n"
        "export function below(name) {\n"
        "  document.body.innerHTML = name;\n"
        "  return above;\n"
        "}\n",
        "utf-8",
    )
    found = said(OXLINT, "--format=unix", "--config", str(ROOT / ".oxlintrc.json"), ".", cwd=tmp_path)
    assert sorted(re.findall(r"^(\w+)\.js:(\d+):.*\(([\w-]+)\)\]$", found, re.MULTILINE)) == [
        ("above", "1", "no-cycle"),
        ("below", "1", "no-cycle"),
        ("below", "3", "no-restricted-properties"),
    ]


def test_the_type_check_knows_other_modules_events_and_the_page(tmp_path: Path) -> None:
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"extends": str(ROOT / "tsconfig.json"), "include": [str(ROOT / "dom.d.ts"), "*.js"]}), "utf-8"
    )
    (tmp_path / "page.js").write_text(
        "import { byId, absent } from '/static/board/elements.js';\n"
        "import { Viewport } from '/static/board/viewport.js';\n"
        "const view = new Viewport(byId('field'));\n"
        "view.revael([1, 2]);\n"
        "view.addEventListener('tap', ({ detial }) => absent(detial));\n"
        "document.body.innerTxt = '';\n",
        "utf-8",
    )
    found = said(TSC, "--project", str(tmp_path))
    assert re.findall(r"page\.js\((\d+),", found) == ["1", "4", "5", "6"]
