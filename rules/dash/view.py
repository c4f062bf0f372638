"""Stones of Dot Dash as players see them: as shapes, and in letters."""

from __future__ import annotations

from rules.dash.board import Board
from rules.dash.fives import Five
from rules.picture import Bar, Picture, Stone, Trail
from rules.point import Point, Seat

SEATS = (Seat(0), Seat(1))


def picture(
    board: Board,
    stones: tuple[int, int],
    fives: tuple[frozenset[Five], frozenset[Five]],
    last: tuple[Point, ...],
    trail: Trail | None,
) -> Picture:
    """Returns the stones and credited fives of both seats, and the last turn."""
    credited = [{point for five in fives[seat] for point in five.points} for seat in SEATS]
    shapes = [
        Stone(point, seat, credited=point in credited[seat]) for seat in SEATS for point in board.members(stones[seat])
    ]
    return Picture(
        board.size,
        board.size,
        stones=tuple(sorted(shapes, key=lambda stone: (stone.point.y, stone.point.x))),
        bars=tuple(Bar(seat, five.points[0], five.points[-1]) for seat in SEATS for five in sorted(fives[seat])),
        trail=trail,
        last=last,
        blocks=True,
    )


def rows(board: Board, stones: tuple[int, int]) -> list[str]:
    """Returns the field in letters, rows from the top: `.` free, `R` and `B` the stones of seats 0 and 1."""
    letters = [["."] * board.size for _ in range(board.size)]
    for letter, own in zip("RB", stones, strict=True):
        for x, y in board.members(own):
            letters[board.size - 1 - y][x] = letter
    return ["".join(row) for row in letters]
