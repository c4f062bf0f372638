"""The boards that are drawn in advance."""

from __future__ import annotations

from renderer import brush
from renderer.board import draw, forget, pictures, warm
from renderer.header import Header, Plate
from renderer.theme import PAPER
from renderer.tile import Tile
from rules.game import Picture, Point, Seat, Stone


def test_every_column_and_row_is_the_last_move_s_once_for_either_seat() -> None:
    found = [
        (stone.seat, stone.point) for drawn in pictures(7, 5) for stone in drawn.stones if stone.point in drawn.last
    ]
    assert {(seat, point.x) for seat, point in found} == {(seat, x) for seat in range(2) for x in range(7)}
    assert {(seat, point.y) for seat, point in found} == {(seat, y) for seat in range(2) for y in range(5)}


def test_a_first_board_after_warming_draws_no_tile() -> None:
    warm([(9, 9)], [PAPER])
    forget()
    picture = Picture(9, 9, (Stone(Point(4, 4), Seat(1)),), last=(Point(4, 4),))
    drawn: list[object] = []
    original = brush.Brush._lines

    def counted(self: brush.Brush, tile: Tile) -> brush.Lines:
        drawn.append(tile)
        return original(self, tile)

    brush.Brush._lines = counted  # type: ignore[method-assign]
    try:
        draw(picture, Header((Plate("Ola", "0"), Plate("Max", "0"))))
    finally:
        brush.Brush._lines = original  # type: ignore[method-assign]
    assert drawn == []
