"""The boards that are kept as pictures; `python -m tests.renderer.goldens` draws them anew, for inspection by eye."""

from __future__ import annotations

from pathlib import Path

from renderer.board import draw
from renderer.header import Header, Mark, Plate
from rules.game import Number, Picture, Point, Seat, Stone, Zone
from tests.renderer.page import diamond, dots

FOLDER = Path(__file__).parent / "golden"

_NESTED = (diamond(1, 4, 6), diamond(0, 4, 6, 3), diamond(1, 10, 6, 2), diamond(0, 8, 2), diamond(0, 10, 2))
_FOUR = (diamond(0, 2, 6), diamond(1, 6, 6), diamond(2, 2, 2), diamond(3, 6, 2))

GOLDENS = {
    "bases": (
        Picture(
            13,
            11,
            (
                *dots(*_NESTED[1:]),
                *(Stone(point, Seat(1), captured=True) for point in _NESTED[0].ring),
                Stone(Point(4, 6), Seat(0)),
                Stone(Point(10, 6), Seat(0), captured=True),
            ),
            _NESTED,
            (Point(12, 6),),
        ),
        Header((Plate("Kasia Wiśniewska-Grzegorzewska", "4", Mark.TO_ACT), Plate("Владимир", "1")), "move 40"),
    ),
    "finished": (
        Picture(5, 5, (*dots(diamond(0, 2, 2)), Stone(Point(2, 2), Seat(1), captured=True)), (diamond(0, 2, 2),)),
        Header((Plate("Ola", "1", Mark.WON), Plate("Максим", "0")), "full field"),
    ),
    "four_seats": (
        Picture(
            9,
            9,
            dots(*_FOUR)
            + tuple(
                Stone(Point(x, y), Seat(seat), captured=True)
                for x, y, seat in ((2, 6, 1), (6, 6, 2), (2, 2, 3), (6, 2, 0))
            ),
            _FOUR,
        ),
        Header(
            (Plate("Ola", "1"), Plate("Max", "1"), Plate("田中", "1", fallback="Green"), Plate("Zoë", "1", Mark.TO_ACT))
        ),
    ),
    "requests": (
        Picture(
            13,
            9,
            (*dots(diamond(0, 4, 4), diamond(1, 8, 4)), Stone(Point(4, 4), Seat(1)), Stone(Point(8, 4), Seat(0))),
            houses=(diamond(1, 11, 2),),
            ghost=Stone(Point(3, 4), Seat(0)),
            plans=(diamond(0, 4, 4),),
            falling=(Point(4, 4),),
            offers=(diamond(1, 8, 4),),
            numbers=(Number(Point(6, 6), 7), Number(Point(7, 6), 18)),
            focus=Zone(Point(2, 1), Point(10, 7)),
        ),
        Header((Plate("Ola", "0", Mark.TO_ACT), Plate("Максим", "0")), "move 9"),
    ),
    "opening_zone": (
        Picture(
            39, 32, (Stone(Point(19, 16), Seat(0)),), last=(Point(19, 16),), zone=Zone(Point(13, 10), Point(25, 21))
        ),
        Header((Plate("Ola", "0"), Plate("Максим", "0", Mark.TO_ACT)), "move 1"),
    ),
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, board in GOLDENS.items():
        (FOLDER / f"{name}.png").write_bytes(draw(*board))
