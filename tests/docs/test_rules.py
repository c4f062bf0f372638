"""The rules pages: a short one, a reference with every rule set and option, and pictures that the program draws."""

from __future__ import annotations

import re

import pytest

from bot.features.help.diagrams import Diagram
from bot.markup import spoken
from docs.pictures import FOLDER, diagrams
from presentation.terms import read_options
from rules.dots import Dots
from rules.dots.options import CHOICES
from rules.game import IllegalMove
from rules.registry import GAMES
from tests.docs.pages import headings, read_page
from tests.renderer.page import decode

SHORT, REFERENCE = read_page("docs/rules.md"), read_page("docs/rules-reference.md")
PAGES = SHORT + REFERENCE
SHOWN = re.findall(r'<img src="rules/([\w-]+)\.png" width="\d+" alt="[^"]+">', PAGES)
DIAGRAMS = dict(diagrams())
MAX_BYTES = 600_000
"""Bytes of all pictures together."""
MAX_WORDS = 520
"""Words of the short page: two minutes for a quick reader."""
CLOSINGS = {"automatically": "automatic", "you draw": "drawn", "you paint": "painted"}
CHAINS = {"area": "smallest area", "length": "fewest dots"}
ENDS = {
    "–": ("full", "off", "none"),
    "STOP, played out": ("play-out", "off", "none"),
    "STOP, decided at once": ("ground", "off", "none"),
    "landing": ("full", "on", "none"),
    "five captured dots": ("full", "off", "5 captured"),
}
"""The words of the table of rule sets for option values."""


def test_the_short_page_is_read_in_two_minutes() -> None:
    seen = re.sub(r"<img[^>]*>|\]\([^)]*\)|[^\w\s'’-]", " ", SHORT)
    assert 200 < len(re.findall(r"\w[\w'’-]*", seen)) <= MAX_WORDS


def test_every_picture_of_the_pages_is_written_in_one_way() -> None:
    assert len(SHOWN) == PAGES.count("<img") > 30
    assert "![" not in PAGES


def test_every_diagram_is_shown_once() -> None:
    assert sorted(SHOWN) == sorted(DIAGRAMS)


def test_every_picture_comes_from_a_diagram() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(DIAGRAMS)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_picture_is_what_the_diagram_plays(name: str) -> None:
    kept = decode((FOLDER / f"{name}.png").read_bytes())
    assert decode(DIAGRAMS[name].png()) == kept, "python -m docs.pictures draws the pictures anew"


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < MAX_BYTES


def test_every_rule_set_has_a_section_and_a_row() -> None:
    assert set(GAMES) <= {heading.strip("`") for heading in headings(REFERENCE) if heading.startswith("`")}
    rows = re.findall(r"\[`([\w-]+)`\]\(#", REFERENCE.partition("### ")[0])
    assert rows == list(GAMES)


def test_the_lines_at_a_glance_are_those_of_the_menus() -> None:
    words = spoken().of()
    glance = re.findall(r"^\| \*\*(.+)\*\*, `([\w-]+)` \| (.+) \|$", REFERENCE, re.MULTILINE)
    assert glance == [(words(f"preset.{key}.name"), key, words(f"preset.{key}.line")) for key in GAMES]


def test_a_row_says_what_the_rule_set_is() -> None:
    for row in re.findall(r"^\| \[`.+\]\(#.+$", REFERENCE, re.MULTILINE):
        keys, names, board, start, closing, chain, end = row.strip("| ").split(" | ")
        presets = re.findall(r"\[`([\w-]+)`\]", keys)
        assert names == ", ".join(spoken().of()(f"preset.{key}.name") for key in presets)
        for key in presets:
            options = GAMES[key].options
            assert board.replace("×", "x") == options["size"], key
            if isinstance(GAMES[key], Dots):
                said = CLOSINGS[closing], ENDS[end], start, chain.partition(",")[0]
                drawn = options["closing"] == "drawn"
                assert said == (
                    options["closing"],
                    (options["ending"], options["landing"], options["win"]),
                    options["start"],
                    "your choice" if drawn else CHAINS[options["chain"]],
                ), key


def test_the_short_page_advises_rule_sets_with_their_boards() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| (\d+×\d+) \|", SHORT, re.MULTILINE)
    advised = [(key, board) for keys, board in rows for key in re.findall(r"\[`([\w-]+)`\]", keys)]
    assert len(advised) > 5
    for key, board in advised:
        assert board.replace("×", "x") == GAMES[key].options["size"]


def test_the_table_of_options_has_every_value() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([^|]+) \|", REFERENCE, re.MULTILINE))
    values = {option: tuple(re.findall(r"`([^`]+)`", row)) for option, row in rows.items() if option in CHOICES}
    assert {option: set(row) for option, row in values.items()} == {
        option: set(choices) for option, choices in CHOICES.items()
    }
    assert {"size", "win"} <= set(rows)


@pytest.mark.parametrize("tag", ["en", "ru"])
def test_options_can_be_typed_as_the_table_spells_them_in_any_language(tag: str) -> None:
    typed = {f"{option} {value}": {option: value} for option, values in CHOICES.items() for value in values}
    typed |= {f"{value}": {"win": value} for value in ("5 captured", "15 ahead")}
    for text, changes in typed.items():
        assert read_options(text, spoken().of(tag), spoken().of("en")) == changes


def test_a_diagram_of_an_illegal_turn_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Diagram.parse("preset: classic\n\n.....\n..R..\n.....\n.....\n.....\n\nBlue C4").png()


def test_a_diagram_of_an_unknown_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="Mauve"):
        Diagram.parse("preset: classic\n\n.....\n.....\n.....\n.....\n.....\n\nMauve C4")
