"""Positions that were set up, as exercises are made of them."""

from __future__ import annotations

from play.boards.own_board import set_up
from rules.dots import Dots
from rules.game import Point, Seat

AT_ONCE = """
    .......
    ..RR...
    .RBBR..
    .RBBR..
    ..R....
    ...BB..
    ...BB.."""
"""Red, to move, captures four dots by D3 alone."""

TOO_MANY = """
    ..R.R..
    .RB.BR.
    ..RRR..
    .......
    ......."""
"""Red, to move, captures both dots whatever is played first."""


def game_of(text: str, begins: int = 0, preset: str = "zagram") -> Dots:
    """Returns the game that begins with the dots of a text, from the top row."""
    rows = [row.strip() for row in text.split()]
    stones = tuple(
        (Seat("RB".index(sign)), Point(x, len(rows) - 1 - y))
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign in "RB"
    )
    return set_up(preset, f"{len(rows[0])}x{len(rows)}", stones, (), Seat(begins))
