"""The rules page: every preset has its section, and its pictures are those that the program draws."""

from __future__ import annotations

import re

import pytest

from bot.features.help.diagrams import Diagram
from docs.pictures import FOLDER, diagrams
from rules.game import IllegalMove
from rules.registry import GAMES
from tests.renderer.page import decode

PAGE = FOLDER.with_suffix(".md").read_text(encoding="utf-8")
SHOWN = re.findall(r'<img src="rules/([\w-]+)\.png" width="\d+" alt="[^"]+">', PAGE)
DIAGRAMS = dict(diagrams())
MAX_BYTES = 600_000
"""Bytes of all pictures together."""


def test_every_picture_of_the_page_is_written_in_one_way() -> None:
    assert len(SHOWN) == PAGE.count("<img") > 30
    assert "![" not in PAGE


def test_every_diagram_is_shown_once() -> None:
    assert sorted(SHOWN) == sorted(DIAGRAMS)


def test_every_picture_comes_from_a_diagram() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(DIAGRAMS)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_picture_is_what_the_diagram_plays(name: str) -> None:
    kept = decode((FOLDER / f"{name}.png").read_bytes())
    assert decode(DIAGRAMS[name].png()) == kept, "python -m docs.pictures draws the pictures anew"


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < MAX_BYTES


def test_every_preset_has_a_section() -> None:
    assert set(GAMES) <= set(re.findall(r"^### `([\w-]+)`$", PAGE, re.MULTILINE))


def test_every_link_leads_to_a_heading() -> None:
    """Makes anchors as renderers of Markdown do: a repeated heading gets a number."""
    anchors: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
        anchors.append(f"{anchor}-{anchors.count(anchor)}" if anchor in anchors else anchor)
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= set(anchors)


def test_a_diagram_of_an_illegal_turn_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Diagram.parse("preset: classic\n\n.....\n..R..\n.....\n.....\n.....\n\nBlue C4").png()


def test_a_diagram_of_an_unknown_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="Mauve"):
        Diagram.parse("preset: classic\n\n.....\n.....\n.....\n.....\n.....\n\nMauve C4")
