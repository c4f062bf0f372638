"""The checks of the pages' scripts and styles: which files they see, and that they find what they are there for."""

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
BROWSERS: Final = ROOT / "tools" / "browsers.js"


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


TOO_NEW: Final = (
    ("js", "view.checkVisibility();", "checkVisibility"),
    ("js", "view.showPopover();", "showPopover"),
    ("js", "Promise.try(() => 1);", "try"),
    ("js", "new Set().union(new Set());", "union"),
    ("js", "new URLPattern('');", "URLPattern"),
    ("css", "a { user-select: none; }", "user-select"),
    ("css", "a { color: light-dark(red, blue); }", "light-dark()"),
    ("css", "a::after { content: 'x' / ''; }", "content: … / …"),
    ("css", "a:user-valid { color: red; }", ":user-valid"),
    ("css", "@starting-style { a { opacity: 0; } }", "@starting-style"),
)
"""Lines with a name that a browser of 2023 lacks."""

OLD_OR_ASKED_FOR: Final = (
    ("js", "view.checkVisibility?.();"),
    ("js", "const near = /(?<=a)b/;"),
    ("js", "[].findLast(Boolean);"),
    ("css", "a { -webkit-user-select: none; user-select: none; }"),
    ("css", "a::after { content: 'x'; content: 'x' / ''; }"),
    ("css", "@supports (anchor-name: --a) { a { anchor-name: --a; } }"),
    ("css", "a { height: 5dvh; }"),
)


def test_the_lint_of_browsers_finds_what_the_oldest_lack(tmp_path: Path) -> None:
    for number, (kind, text, _) in enumerate(TOO_NEW):
        (tmp_path / f"{number}.{kind}").write_text(text, "utf-8")
    found = re.findall(r"(\d+)\.\w+:1: (.+), not in", said(BROWSERS, str(tmp_path)))
    assert sorted(found) == [(str(number), name) for number, (_, _, name) in enumerate(TOO_NEW)]


def test_the_lint_of_browsers_lets_pass_what_all_have_and_what_is_asked_for_first(tmp_path: Path) -> None:
    for number, (kind, text) in enumerate(OLD_OR_ASKED_FOR):
        (tmp_path / f"{number}.{kind}").write_text(text, "utf-8")
    assert said(BROWSERS, str(tmp_path)) == ""


def test_the_docs_name_the_oldest_browsers() -> None:
    lint = BROWSERS.read_text("utf-8")
    page, tryout = (
        [re.search(rf"'{folder}': .*\b{name}: ([\d.]+)", lint)[1] for name in ("safari", "chrome", "firefox")]  # type: ignore[index]
        for folder in ("web", "loopback/page")
    )
    docs = " ".join((ROOT / "docs" / "faq.md").read_text("utf-8").split())
    assert "Safari {}, Chrome {} and Firefox {}".format(*page) in docs
    docs = " ".join((ROOT / "docs" / "stand-in.md").read_text("utf-8").split())
    assert "Safari {}, Chrome {} and Firefox {}".format(*tryout) in docs
