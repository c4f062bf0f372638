"""The card of a milestone, in each theme and alphabet."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from renderer.milestone import SIZE, Medal, draw_milestone
from renderer.theme import THEMES

LATIN = Medal("100", "games finished", "Ola", "26 November 2026")


def pixels(medal: Medal, theme: str = "paper", fallback: str = "A player") -> bytes:
    return Image.open(BytesIO(draw_milestone(medal, fallback, THEMES[theme]))).convert("RGB").tobytes()


@pytest.mark.sample(3)
@pytest.mark.parametrize("theme", THEMES)
def test_each_theme_has_a_card_of_its_own(theme: str) -> None:
    png = draw_milestone(LATIN, "A player", THEMES[theme])
    assert Image.open(BytesIO(png)).size == SIZE
    assert len(png) < 60_000
    assert {each for each in THEMES if pixels(LATIN, each) == pixels(LATIN, theme)} == {theme}


def test_a_name_that_the_font_lacks_has_a_word_in_its_place() -> None:
    assert pixels(LATIN._replace(name="王小明")) == pixels(LATIN._replace(name="A player"))
    assert pixels(LATIN._replace(name="Максим")) != pixels(LATIN._replace(name="A player"))


def test_no_text_runs_over_the_edge() -> None:
    long = Medal("500", "слов " * 40, "Имя " * 40, "день " * 40)
    image = Image.open(BytesIO(draw_milestone(long, "A player"))).convert("RGB")
    edge = image.crop((SIZE[0] - 20, 0, *SIZE))
    assert len(edge.getcolors() or ()) == 1
