"""The shapes of a board on request: crops, previews, offers, numbers, houses; and the shapes of Dot Dash."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.board import draw
from renderer.sheet import extras
from renderer.theme import DARK, PAPER, THEMES, blend
from renderer.tile import strokes
from rules.game import Area, Bar, Line, Number, Picture, Point, Seat, Stone, Trail, Zone
from tests.renderer.page import INKS, NOBODY, TINTS, Page, diamond, dots

WINDOW = Zone(Point(8, 4), Point(16, 12))
LIGHT = [blend(PAPER.paper, ink, PAPER.house) for ink in INKS]
FIELD = Picture(39, 32, dots(diamond(0, 12, 8)), (diamond(0, 12, 8),))


def page(**shapes: object) -> Page:
    return Page(replace(Picture(13, 13), **shapes))  # type: ignore[arg-type]


def test_a_window_shows_its_part_of_the_field_larger() -> None:
    whole, part = Page(FIELD), Page(FIELD, window=WINDOW)
    assert part.layout.cell > 2 * whole.layout.cell
    assert part.at(13, 8) == part.at(12, 9) == INKS[0]
    assert part.ground(12, 8, 0.25, 0.25) == TINTS[0]


def test_a_window_carries_the_names_of_its_own_columns_and_rows() -> None:
    part = Page(Picture(39, 32), window=WINDOW)
    assert [x + 1 for x in range(8, 17) if PAPER.text in part.square(x, 13)] == [10, 15]
    assert [y + 1 for y in range(4, 13) if PAPER.text in part.square(7, y)] == [5, 10]


def test_a_window_has_the_frame_only_where_the_field_ends() -> None:
    assert PAPER.frame not in Page(Picture(39, 32), window=WINDOW).square(8, 8)
    assert PAPER.frame in Page(Picture(39, 32), window=Zone(Point(0, 4), Point(8, 12))).square(0, 8)


def test_shapes_outside_a_window_are_not_seen() -> None:
    beside = Picture(39, 32, (Stone(Point(7, 8), Seat(0)), Stone(Point(17, 13), Seat(1))))
    assert Page(beside, window=WINDOW).file == Page(Picture(39, 32), window=WINDOW).file


def test_a_picture_without_a_header_is_the_board_alone() -> None:
    assert Page(FIELD).image.height - Page(FIELD).layout.header == _height(draw(FIELD, None))


def _height(file: bytes) -> int:
    return int.from_bytes(file[20:24], "big")


@pytest.mark.parametrize("window", [Zone(Point(30, 0), Point(39, 8)), Zone(Point(-1, 0), Point(8, 8))])
def test_a_window_that_leaves_the_field_is_refused(window: Zone) -> None:
    with pytest.raises(ValueError, match="does not lie in"):
        draw(FIELD, NOBODY, PAPER, window)


def test_a_number_stands_on_its_crossing_in_a_box() -> None:
    drawn = page(numbers=(Number(Point(4, 6), 12),))
    assert {PAPER.text, PAPER.frame, PAPER.paper} <= drawn.square(4, 6)
    assert PAPER.text not in drawn.square(5, 6)


def test_outside_the_focus_everything_fades() -> None:
    stones = (Stone(Point(4, 6), Seat(0)), Stone(Point(8, 6), Seat(0)))
    drawn = page(stones=stones, focus=Zone(Point(2, 4), Point(6, 8)))
    assert drawn.at(4, 6) == INKS[0]
    assert INKS[0] not in drawn.square(8, 6)
    assert drawn.at(8, 6) == blend(PAPER.paper, INKS[0], PAPER.distant)


def test_the_focus_has_a_border() -> None:
    drawn = page(focus=Zone(Point(2, 4), Point(6, 8)))
    border = [(2, 6, -0.47, 0.2), (6, 6, 0.47, 0.2), (4, 8, 0.2, 0.47), (4, 4, 0.2, -0.47)]
    assert [drawn.at(*place) for place in border] == [PAPER.last] * 4


def test_a_ghost_is_a_pale_dot_with_a_rim_and_names_its_column_and_row() -> None:
    drawn = page(ghost=Stone(Point(4, 6), Seat(1)), stones=(Stone(Point(1, 1), Seat(0)),), last=(Point(1, 1),))
    assert drawn.at(4, 6) == blend(PAPER.paper, INKS[1], PAPER.ghost)
    assert drawn.at(4, 6, 0.34) == INKS[1]
    assert INKS[1] in drawn.square(4, -1) & drawn.square(-1, 6)
    assert INKS[0] not in drawn.square(1, -1)


def test_a_planned_area_is_light_with_an_amber_line_and_no_pen_lines() -> None:
    drawn = page(plans=(diamond(0, 6, 6, 2),))
    assert drawn.ground(6, 6, 0.3, 0.3) == LIGHT[0]
    assert drawn.at(7, 7, 0, 0) == PAPER.last
    assert INKS[0] not in drawn.square(7, 7)


def test_a_stone_that_would_fall_is_crossed_out() -> None:
    stones = (Stone(Point(4, 6), Seat(0)), Stone(Point(6, 6), Seat(0)))
    drawn = page(stones=stones, falling=(Point(4, 6),))
    assert drawn.at(4, 6) == PAPER.text
    assert drawn.at(6, 6) == INKS[0]


def test_offers_are_numbered_each_inside_its_own_area() -> None:
    drawn = page(offers=(diamond(0, 3, 3), diamond(1, 8, 8)))
    assert PAPER.text in drawn.square(3, 3) & drawn.square(8, 8)


def test_the_order_of_offers_decides_their_numbers() -> None:
    forth, back = page(offers=(diamond(0, 3, 3), diamond(0, 8, 8))), page(offers=(diamond(0, 8, 8), diamond(0, 3, 3)))
    assert forth.file != back.file


def test_two_offers_round_the_same_dot_have_numbers_on_two_crossings() -> None:
    drawn = page(offers=(diamond(0, 6, 6), diamond(0, 6, 6, 3)))
    crossings = [(x, y) for x in range(3, 10) for y in range(3, 10)]
    assert len([place for place in crossings if PAPER.text in drawn.square(*place)]) == 2


def test_a_house_is_light_and_has_neither_line_nor_pen_lines() -> None:
    drawn = page(stones=dots(diamond(0, 6, 6, 2)), houses=(diamond(0, 6, 6, 2),))
    assert drawn.ground(6, 6, 0.3, 0.3) == LIGHT[0]
    assert INKS[0] not in drawn.square(6, 6)


def test_blocks_are_squares_and_credited_ones_diamonds() -> None:
    stones = (Stone(Point(3, 3), Seat(0)), Stone(Point(6, 3), Seat(0), credited=True), Stone(Point(9, 3), Seat(1)))
    drawn = page(stones=stones, blocks=True)
    assert drawn.at(3, 3, 0.32, 0.32) == INKS[0]
    assert drawn.at(6, 3, 0.32, 0.32) not in INKS
    assert drawn.at(6, 3, 0.44) == INKS[0]
    assert drawn.at(9, 3, 0, 0.15) == INKS[1]


def test_the_pips_of_blocks_tell_the_seats() -> None:
    drawn = page(stones=(Stone(Point(3, 3), Seat(0)), Stone(Point(9, 3), Seat(1))), blocks=True)
    assert (drawn.at(3, 3, 0.14), drawn.at(3, 3, 0, 0.08)) == (INKS[0], blend(PAPER.paper, INKS[0], 0.2))
    assert (drawn.at(9, 3, 0.14), drawn.at(9, 3, 0, 0.08)) == (blend(PAPER.paper, INKS[1], 0.2), INKS[1])


@pytest.mark.parametrize(
    ("first", "last"), [((3, 3), (7, 3)), ((3, 3), (7, 7)), ((3, 3), (3, 7)), ((7, 3), (3, 7)), ((7, 7), (3, 3))]
)
def test_a_bar_runs_through_its_five(first: tuple[int, int], last: tuple[int, int]) -> None:
    drawn = page(bars=(Bar(Seat(0), Point(*first), Point(*last)),))
    middle = (first[0] + last[0]) // 2, (first[1] + last[1]) // 2
    assert {drawn.at(*place) for place in (first, middle, last)} == {blend(PAPER.paper, INKS[0], PAPER.bar)}


def test_a_trail_leads_from_a_ring_to_the_stone() -> None:
    drawn = page(
        stones=(Stone(Point(9, 1), Seat(1)),),
        trail=Trail(Seat(1), Point(9, 5), Point(9, 1)),
        last=(Point(9, 1),),
        blocks=True,
    )
    assert drawn.at(9, 3, 0, 0.2) == PAPER.last
    assert (drawn.at(9, 5), drawn.at(9, 5, 0.25)) == (PAPER.paper, PAPER.last)
    assert drawn.at(9, 1, 0.43) == PAPER.last


def test_a_line_that_is_not_straight_is_refused() -> None:
    with pytest.raises(ValueError, match="no straight line"):
        strokes([(1, Point(0, 0), Point(4, 3))])


@pytest.mark.parametrize("key", THEMES)
def test_every_view_can_be_drawn_in_every_theme(key: str) -> None:
    theme = THEMES[key]
    everything = Picture(
        13,
        13,
        (*dots(diamond(0, 3, 3)), Stone(Point(3, 3), Seat(1), captured=True)),
        (diamond(0, 3, 3),),
        (Point(3, 4),),
        Zone(Point(4, 4), Point(8, 8)),
        houses=(diamond(1, 9, 9),),
        ghost=Stone(Point(6, 6), Seat(1)),
        plans=(diamond(1, 6, 5),),
        falling=(Point(3, 4),),
        offers=(diamond(0, 9, 3),),
        numbers=(Number(Point(1, 1), 1),),
        focus=Zone(Point(1, 1), Point(10, 10)),
    )
    assert theme.inks[0].colour in Page(everything, theme=theme).square(2, 3)


def test_a_dark_board_has_dark_paper() -> None:
    assert Page(Picture(13, 13), theme=DARK).at(4, 4, 0.3, 0.3) == DARK.paper


def test_an_area_that_may_still_be_painted_is_outlined_by_a_double_line() -> None:
    drawn = page(stones=dots(diamond(0, 6, 6, 2)), open=(diamond(0, 6, 6, 2),))
    assert drawn.at(7, 7, -0.5, 0.5) == drawn.at(7, 7, 0.5, -0.5) == PAPER.paper, "hollow"
    assert INKS[0] in drawn.square(5, 5)
    assert drawn.ground(6, 6, 0.3, 0.3) == LIGHT[0]


def test_only_the_offer_that_is_taken_has_an_amber_number() -> None:
    shapes = {"offers": (diamond(0, 3, 3), diamond(1, 8, 8)), "taken": frozenset({2})}
    drawn = page(**shapes)
    assert PAPER.last in drawn.square(8, 8)
    assert PAPER.last not in drawn.square(3, 3)


def test_a_taken_offer_is_drawn_over_its_outline() -> None:
    area = diamond(0, 6, 6, 2)
    drawn = page(stones=dots(area), offers=(area,), taken=frozenset({1}), plans=(area,))
    assert drawn.at(7, 7, -0.5, 0.5) == PAPER.last


@pytest.mark.parametrize("points", [((3, 3), (4, 4), (5, 4)), ((3, 3), (4, 5), (6, 5))])
def test_a_chain_drawn_by_hand_is_an_open_line(points: tuple[tuple[int, int], ...]) -> None:
    drawn = page(line=Line(Seat(0), tuple(Point(x, y) for x, y in points)))
    (x1, y1), (x2, y2), (x3, y3) = points
    assert drawn.at(x1, y1, (x2 - x1) / 2, (y2 - y1) / 2) == PAPER.last
    assert drawn.at(x2, y2, (x3 - x2) / 2, (y3 - y2) / 2) == PAPER.last
    assert drawn.at(x3, y3, (x1 - x3) / 2, (y1 - y3) / 2) != PAPER.last, "it is not closed"


def test_the_next_dots_of_a_chain_are_ringed_and_carry_their_number() -> None:
    stones = (Stone(Point(4, 4), Seat(0)), Stone(Point(6, 6), Seat(0)), Stone(Point(8, 8), Seat(0)))
    drawn = page(stones=stones, choices=frozenset({Point(4, 4), Point(6, 6)}), numbers=(Number(Point(4, 4), 7),))
    assert drawn.at(4, 4, 0.45) == drawn.at(6, 6, 0.45) == PAPER.last
    assert drawn.at(4, 4, 0, 0.33) == INKS[0]
    assert PAPER.paper in drawn.square(4, 4), "the number"
    assert PAPER.last not in drawn.square(8, 8)


def test_a_chain_in_progress_does_not_fade_outside_the_focus() -> None:
    line = Line(Seat(0), tuple(Point(x, 6) for x in range(2, 8)))
    stones = tuple(Stone(point, Seat(0)) for point in line.points)
    drawn = page(stones=stones, line=line, focus=Zone(Point(5, 4), Point(9, 8)))
    assert drawn.at(2, 6) == INKS[0]


def test_the_number_of_a_far_chain_leaves_the_dot_to_be_placed_free() -> None:
    ring = (Point(3, 3), Point(4, 5), Point(5, 3))
    area = Area(Seat(0), ring)
    middle = Picture(9, 9, offers=(area,))
    nearest = next(point for point, extra in extras(middle, far=True).items() if extra.offer)
    shown = extras(replace(middle, ghost=Stone(nearest, Seat(0))), far=True)
    assert [point for point, extra in shown.items() if extra.offer] != [nearest]
