"""Themes tell players apart, with colour and without."""

from __future__ import annotations

from colorsys import rgb_to_hsv
from dataclasses import replace
from itertools import combinations

import pytest

from renderer.board import draw
from renderer.theme import MAX_COLOURS, THEMES, Colour, Theme, blend, for_seats, palette_of, with_primary_inks
from rules.game import Picture, Point, Seat, Stone
from tests.renderer.page import NOBODY, Page, diamond, dots

SEATS = range(4)
PAIRS = list(combinations(SEATS, 2))


def luminance(colour: Colour) -> float:
    """Returns relative luminance, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Returns the contrast, between 1 and 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest) -> Theme:
    return THEMES[request.param]


@pytest.fixture
def grey(theme: Theme) -> Theme:
    """Returns the theme with one colour for all seats."""
    return replace(theme, inks=tuple(replace(ink, colour=theme.inks[0].colour) for ink in theme.inks))


@pytest.mark.sample(6)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_dots_differ_without_colour(grey: Theme, one: int, other: int) -> None:
    first, second = (Page(Picture(13, 13, (Stone(Point(4, 4), Seat(s)),)), theme=grey) for s in (one, other))
    assert first.image != second.image


@pytest.mark.sample(6)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_bases_differ_without_colour_or_dots(grey: Theme, one: int, other: int) -> None:
    first, second = (Page(Picture(13, 13, (), (diamond(s, 5, 5, 3),)), theme=grey) for s in (one, other))
    assert first.image != second.image


def test_every_ink_stands_out_from_the_paper(theme: Theme) -> None:
    assert min(contrast(ink.colour, theme.paper) for ink in theme.inks) >= 3


def test_words_stand_out_from_the_paper(theme: Theme) -> None:
    assert contrast(theme.text, theme.paper) >= 7
    assert contrast(theme.quiet_text, theme.paper) >= 4.5


@pytest.mark.parametrize("name", ["dark", "high-contrast"])
def test_the_grid_stands_out_from_a_dark_paper(name: str) -> None:
    assert contrast(THEMES[name].grid, THEMES[name].paper) >= 3
    assert contrast(THEMES[name].frame, THEMES[name].grid) > 1.4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_palette_holds_all_flat_colours_and_leaves_one_free(theme: Theme, seats: int) -> None:
    theme = for_seats(theme, seats)
    colours = palette_of(theme).colours
    assert len(colours) <= MAX_COLOURS
    flat = {theme.paper, theme.grid, theme.text, theme.last, *(ink.colour for ink in theme.inks)}
    assert flat <= set(colours)


def test_tints_come_out_as_they_are_meant(theme: Theme) -> None:
    drawn = Page(Picture(13, 13, dots(diamond(0, 6, 6, 3)), (diamond(0, 6, 6, 3),)), theme=theme)
    assert drawn.ground(6, 6, 0.5, 0.5) == blend(theme.paper, theme.inks[0].colour, theme.tint)


def test_a_theme_is_a_value_that_changes_the_picture_and_nothing_else(theme: Theme) -> None:
    picture = Picture(13, 13, dots(diamond(0, 6, 6)), (diamond(0, 6, 6),))
    assert draw(picture, NOBODY, theme) == draw(picture, NOBODY, replace(theme))


def test_every_ink_is_called_by_a_colour_of_its_own(theme: Theme) -> None:
    assert len({ink.name for ink in theme.inks}) == len(theme.inks)


def test_the_names_of_inks_fit_their_colours(theme: Theme) -> None:
    hues = {"red": 355, "orange": 25, "brown": 20, "yellow": 50, "green": 150, "blue": 220, "violet": 295}
    hues |= {"pink": 325, "crimson": 336}
    for ink in theme.inks:
        hue = rgb_to_hsv(*(value / 255 for value in ink.colour))[0] * 360
        assert abs((hue - hues[ink.name] + 180) % 360 - 180) <= 30, ink


def test_pictures_whose_texts_name_colours_have_those_and_the_shapes_of_the_theme(theme: Theme) -> None:
    drawn = with_primary_inks(theme)
    assert [ink.name for ink in drawn.inks] == ["red", "blue", "green", "violet"]
    assert [ink.shape for ink in drawn.inks] == [ink.shape for ink in theme.inks]
    assert min(contrast(ink.colour, drawn.paper) for ink in drawn.inks) >= 3
