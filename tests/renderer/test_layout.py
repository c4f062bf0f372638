"""The sizes of boards."""

from __future__ import annotations

import pytest

from renderer.layout import MAX_SIDE, STILL, WINDOW, Layout
from rules.game import Point

ALL = [(columns, rows) for columns in range(1, MAX_SIDE + 1) for rows in range(1, MAX_SIDE + 1)]


def test_a_row_of_tiles_always_fits_into_the_window_of_deflate() -> None:
    layouts = [Layout.of(*size) for size in ALL]
    assert max(layout.cell * layout.size[0] for layout in layouts) < WINDOW


def test_cells_are_odd_so_that_lines_have_a_middle_pixel() -> None:
    assert {Layout.of(*size).cell % 2 for size in ALL} == {1}


def test_no_board_is_too_narrow_for_names_or_larger_than_a_screen_needs() -> None:
    sizes = [Layout.of(*size, lines=2).size for size in ALL]
    assert min(width for width, _ in sizes) >= STILL.narrowest
    assert max(width for width, _ in sizes) <= 1400
    assert max(height for _, height in sizes) <= 1600


@pytest.mark.parametrize(
    ("size", "cell"), [((39, 32), 25), ((20, 20), 37), ((13, 13), 45), ((5, 5), 59), ((60, 60), 21)]
)
def test_cells_shrink_as_the_field_grows(size: tuple[int, int], cell: int) -> None:
    assert Layout.of(*size).cell == cell


def test_a_small_field_stands_in_the_middle_of_the_page() -> None:
    layout = Layout.of(1, 1)
    assert abs(layout.centre(Point(0, 0))[0] - STILL.narrowest // 2) <= 1
