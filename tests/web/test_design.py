"""The design of the pages: its tokens are in one sheet, and no page's own sheet names a colour, a size or a space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from renderer.theme import PAPER
from web.pages.page import style

STATIC: Final = Path(__file__).parents[2] / "web" / "static"
DESIGN: Final = STATIC / "shared" / "design.css"
SHEETS: Final = sorted(set(STATIC.rglob("*.css")) - {DESIGN})

GIVEN: Final = re.compile(r"var\(--[\w-]+(, env\([\w-]+\))?\)|env\([\w-]+\)|\d+(?:\.\d+)?d?v[hw]|\* -?\d+|-?\d+ \*")
"""Parts of a value that are no size of their own: a token, what the device tells, a part of the window, a factor."""

COLOURED: Final = re.compile(r"color|background|border|outline|fill|stroke|shadow")
SPACED: Final = re.compile(r"margin|padding|gap")
SIZES: Final = ("small", "body", "lead", "heading", "display")
ROLES: Final = ("turn", "mine", "theirs", "primary", "danger")
SPACES: Final = ("space-1", "space-2", "space-3", "space-4")

EXCEPTIONS: Final = frozenset({(".number", "font-size")})
"""Properties that a board in SVG measures in its own cells."""

OUTSIDE: Final = (
    *("color: #123456", "background: rgb(1 2 3)", "border: 1px solid white", "fill: GrayText", "font-size: 17px"),
    *("font: 1.1rem Inter", "font-family: Arial", "margin: .3rem", "padding: 0 12px", "gap: calc(2 * 3px)"),
)
"""Declarations of a colour, a size or a space that is no token."""


class Declaration(NamedTuple):
    """A property with its value, and the selector of its rule."""

    selector: str
    name: str
    value: str


def declarations(sheet: Path) -> Iterator[Declaration]:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{};]+)\{([^{}]*)\}", text):
        for line in filter(str.strip, body.split(";")):
            name, _, value = line.partition(":")
            yield Declaration(selector.strip(), name.strip(), value.strip())


def faults(sheet: Path) -> list[Declaration]:
    """Returns the declarations that name a colour, a size of type or a space which is no token."""
    return [each for each in declarations(sheet) if (each.selector, each.name) not in EXCEPTIONS and _is_outside(each)]


def _is_outside(each: Declaration) -> bool:
    """Returns whether a value has a colour, a size or a space of its own. What the device tells is none, nor is 0."""
    rest = GIVEN.sub(" ", each.value)
    if SPACED.search(each.name):
        return bool(re.search(r"[1-9.]", rest))
    if each.name in ("font", "font-size"):
        return bool(re.search(r"[\d.]+(?:rem|em|px|pt|%)|\b(?:small|large|medium)", rest))
    if COLOURED.search(each.name) and "width" not in each.name:
        return bool(
            re.search(r"#|\b(?:rgb|hsl|white|black|red|gold|gr[ae]y|Gray\w+|Canvas\w*|Button\w+|Highlight)\b", rest)
        )
    return each.name == "font-family" and each.value != "inherit"


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_takes_its_colours_sizes_and_spaces_from_the_design(sheet: Path) -> None:
    assert faults(sheet) == []


@pytest.mark.parametrize("line", OUTSIDE)
def test_what_is_outside_of_the_design_is_found(line: str, tmp_path: Path) -> None:
    sheet = tmp_path / "page.css"
    sheet.write_text(f"@media (max-width: 20rem) {{ a {{ {line}; }} }}", "utf-8")
    assert len(faults(sheet)) == 1


def test_each_page_has_the_design_before_its_own_sheets() -> None:
    pages = [*STATIC.rglob("index.html"), STATIC / "shared" / "notice.html", *STATIC.parent.rglob("base.html")]
    sheets = {page: re.findall(r'rel="stylesheet" href="([^"]+)"', page.read_text("utf-8")) for page in pages}
    assert len(list(filter(None, sheets.values()))) == 6
    framed = [STATIC / "activity" / name for name in ("loader.js", "page.js")]
    first = [found[0] for found in sheets.values() if found]
    first += re.findall(r"\['([^']+\.css)'", "".join(page.read_text("utf-8") for page in framed))
    assert first == ["/static/shared/design.css"] * 10


def test_the_design_has_five_sizes_five_roles_four_spaces_and_one_typeface() -> None:
    text = DESIGN.read_text("utf-8")
    tokens = set(re.findall(r"--([\w-]+):", text))
    assert {*SIZES, *ROLES, *SPACES} <= tokens
    assert len({each for each in tokens if each.startswith("space-")}) == len(SPACES)
    assert re.findall(r"font-family: (\w+)", text) == ["Inter"]


def test_before_a_theme_has_come_pages_have_the_colours_of_the_default_one() -> None:
    assert style(PAPER).splitlines()[0] in DESIGN.read_text("utf-8")
