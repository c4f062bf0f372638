"""The names of columns and rows: legible on a phone, on boards of every size and in every theme."""

from __future__ import annotations

from itertools import groupby

import pytest
from PIL import Image

from renderer.layout import INLINE_SIZE
from renderer.theme import THEMES, Colour
from rules.game import Picture, Point, Seat, Stone
from tests.renderer.page import Page
from tests.renderer.test_theme import contrast

PHONE_PIXELS = 390
"""The width at which a phone shows a board."""
MIN_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, for letters of any size."""
MIN_DIGIT_PIXELS = 5.5
MIN_LETTER_PIXELS, CAPITAL = 9, 0.727
"""The size of letters on a desktop, and the height of a capital of the font in parts of that."""


def strongest(page: Page, x: int, y: int, paper: Colour) -> float:
    """Returns the contrast of the pixel of a label that stands out most."""
    return max(contrast(colour, paper) for colour in page.square(x, y))


@pytest.mark.parametrize("key", THEMES)
def test_quiet_coordinates_have_a_contrast_of_four_and_a_half(key: str) -> None:
    theme = THEMES[key]
    page = Page(Picture(13, 13), theme=theme)
    quiet = [(1, -1), (2, 13), (-1, 1), (13, 6)]
    assert min(strongest(page, *place, theme.paper) for place in quiet) >= MIN_CONTRAST


@pytest.mark.parametrize("key", THEMES)
def test_quiet_colours_of_decoded_boards_are_those_of_the_theme(key: str) -> None:
    """Tells that the contrast above is that of the letters, and of nothing else in the square."""
    theme = THEMES[key]
    assert theme.quiet_text in Page(Picture(13, 13), theme=theme).square(1, -1)


@pytest.mark.sample(5)
@pytest.mark.parametrize("key", THEMES)
@pytest.mark.parametrize("size", [(31, 31), (39, 32), (47, 60), (60, 60)])
def test_the_labels_of_large_boards_are_legible_on_a_phone(key: str, size: tuple[int, int]) -> None:
    theme = THEMES[key]
    page = Page(Picture(*size), theme=theme)
    scale = PHONE_PIXELS / page.image.width
    shown = page.image.resize((PHONE_PIXELS, round(page.image.height * scale)), Image.Resampling.LANCZOS)
    (x, y), cell = page.layout.centre(Point(-1, 9)), page.layout.cell
    left, top, right, bottom = (round(each * scale) for each in (x - 1.5 * cell, y - cell, x + 0.4 * cell, y + cell))
    part = shown.crop((max(0, left), top, right, bottom))
    inked = [_darkest(part, row, theme.paper) >= MIN_CONTRAST for row in range(part.height)]
    assert max(len([*run]) for ink, run in groupby(inked) if ink) >= MIN_DIGIT_PIXELS


def _darkest(part: Image.Image, row: int, paper: Colour) -> float:
    line = part.crop((0, row, part.width, row + 1)).tobytes()
    return max(contrast(tuple(line[at : at + 3]), paper) for at in range(0, len(line), 3))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(5, 5), (9, 9), (10, 10), (13, 13), (15, 15), (16, 20), (19, 19), (20, 20)])
def test_every_name_has_letters_of_nine_pixels_where_a_message_shows_the_board(size: tuple[int, int]) -> None:
    page = Page(Picture(*size))
    width, height = page.image.size
    scale = min(1.0, INLINE_SIZE[0] / width, INLINE_SIZE[1] / height)
    names = [(-1, row) for row in range(size[1])] + [(column, -1) for column in range(size[0])]
    for place in names:
        assert _ink_height(page, *place) / CAPITAL * scale >= MIN_LETTER_PIXELS, place


def _ink_height(page: Page, x: int, y: int) -> int:
    """Returns the height of what is written on a square outside the field, in pixels."""
    (column, row), half = page.layout.centre(Point(x, y)), page.layout.cell // 2
    inks = (page.theme.text, page.theme.quiet_text)
    rows = [
        line
        for line in range(row - half, row + half + 1)
        if any(page.image.getpixel((each, line)) in inks for each in range(column - half, column + half + 1))
    ]
    return rows[-1] - rows[0] + 1 if rows else 0


def test_the_i_of_a_column_has_serifs() -> None:
    """In the font it is a bare stroke, as are many small l and 1."""
    page = Page(Picture(13, 13))

    def width(column: int, up: float) -> int:
        (x, y), cell = page.layout.centre(Point(column, -1)), page.layout.cell
        line = round(y - up * cell)
        inks = (page.theme.text, page.theme.quiet_text)
        return sum(page.image.getpixel((each, line)) in inks for each in range(x - cell // 2, x + cell // 2 + 1))

    top = next(up / 50 for up in range(25, 0, -1) if width(8, up / 50))
    assert width(8, top - 0.02) >= 2 * width(8, 0.0) > 0


def test_boards_over_twenty_name_every_fifth_line() -> None:
    theme = THEMES["paper"]
    page = Page(Picture(30, 30), theme=theme)
    rows = [row for row in range(30) if theme.text in page.square(-1, row) or theme.quiet_text in page.square(-1, row)]
    assert rows == [0, 4, 9, 14, 19, 24, 29]


def test_boards_up_to_twenty_name_every_line() -> None:
    theme = THEMES["paper"]
    page = Page(Picture(20, 20), theme=theme)
    assert all({theme.text, theme.quiet_text} & page.square(-1, row) for row in range(20))


@pytest.mark.parametrize("size", [(39, 32), (30, 30), (13, 13)])
def test_the_column_and_row_of_the_last_move_are_named_on_every_board(size: tuple[int, int]) -> None:
    theme = THEMES["paper"]
    page = Page(Picture(*size, (Stone(Point(7, 6), Seat(1)),), last=(Point(7, 6),)))
    ink = theme.inks[1].colour
    assert ink in page.square(7, -1) & page.square(7, size[1]) & page.square(-1, 6) & page.square(size[0], 6)


def test_a_name_makes_room_for_that_of_the_last_move() -> None:
    page = Page(Picture(39, 32, (Stone(Point(15, 6), Seat(1)),), last=(Point(15, 6),)))
    theme = THEMES["paper"]
    assert theme.text not in page.square(14, -1), "O gives way to P"
    assert theme.text in page.square(19, -1)
