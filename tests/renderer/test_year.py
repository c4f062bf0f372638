"""The card of a year, in each theme, with long words and with names that the font lacks."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from renderer.theme import THEMES
from renderer.year import COLUMN, SIZE, TOP, Diagram, Fact, YearCard, draw_year

OPENING = Diagram((8, 8, 3, 3), ((9, 9, 0), (10, 9, 1), (9, 10, 1), (10, 10, 0)))
FACTS = (
    Fact("Results", "41 won, 3 drawn, 28 lost", wide=True),
    Fact("Wins in a row", "8"),
    Fact("Biggest capture", "14 dots"),
    Fact("Most games with", "24", wide=True, names=("Żółta Kropka",)),
)
CARD = YearCard("Ola", "2026 in dots", "72", "games", FACTS, OPENING, "Favourite opening, games: 9")
WIDE = "W" * 32
EDGE = SIZE[0] - 20


def image(card: YearCard, theme: str = "paper", fallback: str = "A player") -> Image.Image:
    return Image.open(BytesIO(draw_year(card, fallback, THEMES[theme]))).convert("RGB")


def pixels(card: YearCard, theme: str = "paper", fallback: str = "A player") -> bytes:
    return image(card, theme, fallback).tobytes()


def is_clean(found: Image.Image, box: tuple[int, int, int, int]) -> bool:
    """Returns whether a part of a picture has one colour."""
    return len(found.crop(box).getcolors() or ()) == 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("theme", THEMES)
def test_each_theme_has_a_card_of_its_own(theme: str) -> None:
    png = draw_year(CARD, "A player", THEMES[theme])
    assert Image.open(BytesIO(png)).size == SIZE
    assert len(png) < 60_000
    assert {each for each in THEMES if pixels(CARD, each) == pixels(CARD, theme)} == {theme}


def test_a_name_that_the_font_lacks_has_a_word_in_its_place() -> None:
    assert pixels(CARD._replace(name="王小明")) == pixels(CARD._replace(name="A player"))
    assert pixels(CARD._replace(name="Максим")) != pixels(CARD._replace(name="A player"))


def test_a_name_in_a_fact_that_the_font_lacks_has_a_word_in_its_place() -> None:
    lacking, plain = ((Fact("With", "3", wide=True, names=(name,)),) for name in ("王小明", "A player"))
    assert pixels(CARD._replace(facts=lacking)) == pixels(CARD._replace(facts=plain))


@pytest.mark.parametrize("letters", ["слов ", "W", "Ж"])
def test_no_text_runs_over_the_edge(letters: str) -> None:
    long = letters * 60
    facts = (
        Fact(long, long, wide=True),
        Fact(long, long),
        Fact(long, long),
        Fact(long, long, wide=True, names=(long, long)),
    )
    found = image(YearCard(long, long, long, long, facts, OPENING, long))
    assert is_clean(found, (EDGE, 0, *SIZE))
    middle = (COLUMN[0] + COLUMN[1]) // 2
    pairs = TOP + 92
    assert is_clean(found, (middle - 10, pairs + 5, middle + 10, pairs + 70)), "the two of a line do not touch"
    assert is_clean(found, (COLUMN[0] - 25, TOP + 5, COLUMN[0] - 5, SIZE[1])), "nothing crosses into the facts"


@pytest.mark.parametrize("names", [(WIDE,), (WIDE, WIDE), (WIDE, "Ola")])
def test_a_value_is_written_in_full_behind_names_that_are_too_long(names: tuple[str, ...]) -> None:
    one, other = (
        image(CARD._replace(facts=(Fact("Met most often", value, wide=True, names=names),))) for value in ("61", "62")
    )
    difference = ImageChops.difference(one, other).getbbox()
    assert difference is not None
    assert difference[0] > COLUMN[0] + 300


def test_both_names_of_a_pair_are_seen() -> None:
    def pair(*names: str) -> bytes:
        return pixels(CARD._replace(facts=(Fact("Met", "6", wide=True, names=names),)))

    assert pair(WIDE, WIDE) != pair(WIDE, "M" * 32) != pair("M" * 32, WIDE)


@pytest.mark.parametrize("count", range(8))
def test_the_last_line_is_on_the_page(count: int) -> None:
    facts = tuple(Fact("Won a cup", "yyy", wide=True) for _ in range(count))
    found = image(CARD._replace(facts=facts))
    assert is_clean(found, (COLUMN[0] - 20, SIZE[1] - 18, *SIZE))


def test_a_year_without_an_opening_has_squares_in_its_place() -> None:
    with_it, without = image(CARD), image(CARD._replace(opening=None))
    changed = ImageChops.difference(with_it, without).getbbox()
    assert changed is not None
    assert changed[2] < COLUMN[0]


@pytest.mark.parametrize("dots", [((0, 0, 0),), ((0, 0, 0), (19, 0, 1), (0, 38, 2), (19, 38, 3))])
def test_an_opening_of_any_extent_is_drawn(dots: tuple[tuple[int, int, int], ...]) -> None:
    across, up = max(x for x, _, _ in dots) + 2, max(y for _, y, _ in dots) + 2
    assert pixels(CARD._replace(opening=Diagram((-1, -1, across, up), dots))) != pixels(CARD._replace(opening=None))
