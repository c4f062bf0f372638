"""The content of a board, by the pixels of the file."""

from __future__ import annotations

import random

import pytest

from renderer.board import draw, forget
from renderer.brush import brush, forget_tiles
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, blend, palette_of
from rules.game import Area, Picture, Point, Seat, Stone, Zone
from tests.renderer.page import INKS, NOBODY, TINTS, Page, area, diamond, dots

SEATS = [Seat(seat) for seat in range(4)]
SIZES = [(1, 1), (1, 60), (60, 1), (2, 2), (5, 5), (13, 13), (39, 32), (60, 60)]
SQUARE = ((1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2))


def picture(*areas: Area, stones: tuple[Stone, ...] = (), last: tuple[Point, ...] = (), size: int = 13) -> Picture:
    return Picture(size, size, stones=dots(*areas) + stones, areas=areas, last=last)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seat", SEATS)
def test_a_dot_has_the_ink_of_its_seat(seat: Seat) -> None:
    page = Page(picture(stones=(Stone(Point(4, 6), seat),)))
    assert page.at(4, 6, 0, 0.33) == page.at(4, 6, 0.33) == page.at(4, 6, 0, -0.33) == INKS[seat]


def test_a_free_crossing_shows_the_squares_of_the_paper() -> None:
    page = Page(picture())
    assert (page.at(4, 6), page.at(4, 6, 0.25, 0.25)) == (PAPER.grid, PAPER.paper)


def test_lines_of_the_paper_are_crisp() -> None:
    page = Page(picture())
    column, row = page.layout.centre(Point(4, 6))
    across = [page.image.getpixel((column + step, row + 10)) for step in (-1, 0, 1)]
    assert across == [PAPER.paper, PAPER.grid, PAPER.paper]


def test_the_lines_run_on_over_the_margin_but_fainter() -> None:
    assert Page(picture()).at(-1, 6, 0, 0.45) == PAPER.margin_grid


def test_rows_count_from_the_bottom() -> None:
    page = Page(picture(stones=(Stone(Point(0, 0), SEATS[0]),)))
    assert page.layout.centre(Point(0, 0))[1] > page.layout.centre(Point(0, 12))[1]
    assert page.at(0, 0) == INKS[0]


@pytest.mark.parametrize("holder", SEATS)
def test_a_captured_dot_is_smaller_and_faded(holder: Seat) -> None:
    prisoner = SEATS[holder - 1]
    page = Page(picture(diamond(holder, 6, 6), stones=(Stone(Point(6, 6), prisoner, captured=True),)))
    assert page.at(6, 6, 0, 0.24) == blend(TINTS[holder], INKS[prisoner], PAPER.fading)
    assert page.at(6, 6, 0, 0.33) != page.at(6, 6, 0, 0.24)


@pytest.mark.parametrize("seat", SEATS)
def test_a_base_is_tinted_inside_and_not_outside(seat: Seat) -> None:
    page = Page(picture(area(seat, *SQUARE)))
    assert page.ground(2, 2, 0.35, 0.35) == TINTS[seat]
    assert page.ground(3, 3, 0.35, 0.35) == page.ground(1, 2, -0.4, 0.4) == PAPER.paper


def test_a_base_of_diagonal_steps_covers_half_of_the_squares_that_it_crosses() -> None:
    page = Page(picture(diamond(0, 6, 6, 2)))
    assert page.ground(7, 6, 0.35, 0.35) == TINTS[0]
    assert page.ground(7, 7, 0.3, 0.3) == PAPER.paper


@pytest.mark.parametrize("seat", SEATS)
def test_the_chain_is_a_line_of_full_ink(seat: Seat) -> None:
    page = Page(picture(area(seat, *SQUARE), diamond(seat, 8, 8)))
    assert page.at(1, 1, 0.45) == page.at(2, 1, -0.45) == INKS[seat]
    assert page.at(9, 8, -0.5, 0.5) == page.at(8, 9, 0.48, -0.48) == INKS[seat]


def test_the_direction_of_a_ring_does_not_matter() -> None:
    forth, back = area(0, *SQUARE), area(0, *reversed(SQUARE))
    assert Page(picture(forth)).file == Page(picture(back)).file


def test_the_pen_lines_of_no_two_seats_run_the_same_way() -> None:
    patterns = set()
    for seat in SEATS:
        image = Page(picture(area(seat, *SQUARE))).image
        column, row = Page(picture()).layout.centre(Point(2, 2))
        box = image.crop((column - 20, row - 20, column + 21, row + 21))
        patterns.add(tuple(pixel != TINTS[seat] for pixel in box.get_flattened_data()))
    assert len(patterns) == len(SEATS)


def test_a_later_base_covers_the_chain_of_the_one_that_it_swallowed() -> None:
    page = Page(picture(diamond(1, 6, 6), diamond(0, 6, 6, 3)))
    assert INKS[0] not in page.square(6, 6)
    assert page.ground(6, 6, 0.5, 0.5) == TINTS[0]


def test_a_later_base_inside_an_older_one_lies_on_top() -> None:
    page = Page(picture(diamond(0, 6, 6, 3), diamond(1, 6, 6)))
    assert page.ground(6, 6, 0.25, 0.25) == TINTS[1]
    assert page.at(6, 6, 0.5, 0.5) == INKS[1]
    assert page.ground(6, 6, 0.75, 0.75) == TINTS[0]


def test_bases_that_touch_in_a_dot_keep_their_tints_and_chains() -> None:
    page = Page(picture(diamond(0, 4, 6), diamond(0, 6, 6)))
    assert page.ground(4, 6, 0.25, 0.25) == page.ground(6, 6, -0.25, 0.25) == TINTS[0]
    assert page.ground(5, 6, 0, 0.5) == PAPER.paper
    assert page.at(4, 6, 0.5, 0.5) == page.at(6, 6, -0.5, 0.5) == INKS[0]


def test_bases_that_share_a_step_keep_the_line_between_them() -> None:
    page = Page(picture(area(0, *SQUARE), area(0, (3, 1), (4, 1), (5, 1), (5, 2), (5, 3), (4, 3), (3, 3), (3, 2))))
    assert page.at(3, 2, 0, 0.47) == INKS[0]


def test_a_base_with_longer_steps_is_tinted_inside_its_chain_and_not_outside() -> None:
    page = Page(picture(area(0, (3, 4), (4, 6), (6, 7), (8, 6), (9, 4), (6, 3))))
    assert page.ground(6, 5, 0.3, 0.3) == page.ground(5, 4, 0.3, 0.3)
    assert page.ground(6, 5, 0.3, 0.3) not in (PAPER.paper, PAPER.grid)
    assert page.ground(3, 6, 0.3, 0.3) == page.ground(9, 6, -0.3, 0.3) == PAPER.paper
    assert page.at(3, 5, 0.5) == INKS[0]


def test_the_last_move_lies_on_a_disc_that_is_larger_than_its_cell() -> None:
    page = Page(picture(stones=(Stone(Point(4, 6), SEATS[1]),), last=(Point(4, 6),)))
    assert [page.at(4, 6, *way) for way in ((0.55, 0), (-0.55, 0), (0, 0.55), (0, -0.55))] == [PAPER.last] * 4
    assert (page.at(4, 6), page.at(4, 6, 0.33)) == (PAPER.paper, INKS[1])


def test_the_disc_of_a_corner_reaches_over_the_labels() -> None:
    page = Page(picture(stones=(Stone(Point(0, 0), SEATS[0]),), last=(Point(0, 0),)))
    assert page.at(0, 0, -0.55) == page.at(0, 0, 0, -0.55) == PAPER.last


def test_the_labels_of_the_last_move_are_chips_on_all_four_sides_and_no_others() -> None:
    page = Page(picture(stones=(Stone(Point(4, 6), SEATS[1]), Stone(Point(8, 2), SEATS[0])), last=(Point(4, 6),)))
    edge = [(x, y) for x in range(13) for y in (-1, 13)] + [(x, y) for x in (-1, 13) for y in range(13)]
    assert {spot for spot in edge if INKS[1] in page.square(*spot)} == {(4, -1), (4, 13), (-1, 6), (13, 6)}
    assert not [spot for spot in edge if INKS[0] in page.square(*spot)]


def test_every_fifth_label_and_the_first_are_of_full_ink() -> None:
    page = Page(picture(size=20))
    assert [x + 1 for x in range(20) if PAPER.text in page.square(x, 20)] == [1, 5, 10, 15, 20]
    assert [y + 1 for y in range(20) if PAPER.text in page.square(-1, y)] == [1, 5, 10, 15, 20]


def test_the_opening_zone_is_washed_with_half_a_cell_round_it() -> None:
    page = Page(Picture(12, 12, zone=Zone(Point(4, 4), Point(7, 7))))
    assert page.at(4, 4, -0.25, -0.25) == page.at(7, 7, 0.25, 0.25) == PAPER.zone
    assert page.at(3, 4, 0.25, 0.25) == page.at(7, 8, 0.25, -0.25) == PAPER.paper


def test_a_base_covers_the_wash_of_the_opening_zone() -> None:
    page = Page(Picture(12, 12, dots(diamond(0, 6, 6)), (diamond(0, 6, 6),), zone=Zone(Point(4, 4), Point(7, 7))))
    assert page.ground(6, 6, 0.25, 0.25) == TINTS[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_full_field_of_any_size_has_its_dots_in_place(size: tuple[int, int]) -> None:
    width, height = size
    stones = tuple(Stone(Point(x, y), SEATS[(x + y) % 4]) for x in range(width) for y in range(height))
    page = Page(Picture(width, height, stones))
    assert page.image.size == page.layout.size
    assert all(page.at(stone.point.x, stone.point.y, 0, 0.33) == INKS[stone.seat] for stone in stones)


@pytest.mark.parametrize("size", [(61, 5), (5, 61), (0, 5), (5, -1)])
def test_a_field_that_is_too_large_or_none_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="can be drawn"):
        draw(Picture(*size), NOBODY)


def test_drawing_is_pure_after_any_other_drawing() -> None:
    header = Header((Plate("Ola", "1", Mark.TO_ACT), Plate("Максим", "0")), "move 9")
    wanted = picture(diamond(0, 6, 6), stones=(Stone(Point(6, 6), SEATS[1], captured=True),), last=(Point(6, 7),))
    first = draw(wanted, header)
    draw(picture(diamond(1, 6, 6), size=20), header)
    assert draw(wanted, header) == first
    forget()
    forget_tiles()
    brush.cache_clear()
    palette_of.cache_clear()
    assert draw(wanted, header) == first


def test_a_board_is_a_palette_image_with_a_colour_to_spare() -> None:
    assert len(palette_of(PAPER).colours) <= 255
    assert draw(picture(), NOBODY)[25] == 3  # the colour type in the file's header, RFC 2083 section 4.1.1


def test_a_squared_page_in_mid_game_takes_at_most_40_kilobytes() -> None:
    luck = random.Random(350)
    bases = tuple(diamond(n % 2, 3 + 6 * (n % 6), 4 + 8 * (n // 6), 1 + n % 3) for n in range(18))
    spots = luck.sample([(x, y) for x in range(39) for y in range(32)], 270)
    scattered = tuple(Stone(Point(*spot), SEATS[n % 2]) for n, spot in enumerate(spots))
    stones = tuple({stone.point: stone for stone in scattered + dots(*bases)}.values())
    assert 330 <= len(stones) <= 400
    header = Header((Plate("Ola", "17"), Plate("Максим", "13", Mark.TO_ACT)), "move 350")
    assert len(draw(Picture(39, 32, stones, bases, (stones[0].point,)), header)) <= 40_000
