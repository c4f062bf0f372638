"""A recorded game of Dots as a value, and its replay by the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from rules.dots import Setup, Turn
from rules.game import IllegalMove, Point, Seat
from rules.notation import point_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.dots import Dots, DotsPosition


class BadRecord(Exception):
    """The record cannot be read, or breaks the rules: a reason key and the details that its sentence needs.

    Where one dot is to blame, `details` have it as the record writes it (`dot`, as in B[cc]), its number among the
    moves from 1 (`number`, not for set-up) and its name (`point`, as in C5, if it lies on the field).
    """

    def __init__(self, key: str, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


class Dot(NamedTuple):
    """A dot of a record: `point` may lie outside the field; `source` is how the record writes it, as in B[cc]."""

    seat: Seat
    point: Point
    source: str


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game: the set-up and the moves in the record's order, several dots of one player in a row allowed.

    `players` are names by seat and `result` is as SGF writes it (B+12, W+R, 0); all three may be empty.
    """

    width: int
    height: int
    stones: tuple[Dot, ...]
    moves: tuple[Dot, ...]
    players: tuple[str, str] = ("", "")
    result: str = ""

    def game(self, preset: Dots) -> Dots:
        """The rules of `preset` on this record's field, from its set-up. Raises BadOption."""
        stones = tuple((dot.seat, dot.point) for dot in self.stones)
        return replace(preset, width=self.width, height=self.height, setup=Setup.STONES, stones=stones)

    def replay(self, preset: Dots) -> Iterator[DotsPosition]:
        """The position of the set-up, then that after each move, by the rules of `preset`.

        Raises BadRecord at the first move that breaks a rule, with the rule's key; BadOption as `game`.
        """
        position = self.game(preset).start(seed=0)
        yield position
        for number, dot in enumerate(self.moves, start=1):
            try:
                position = position.with_to_act(dot.seat).play(Turn(dot.point))
            except IllegalMove as error:
                raise BadRecord(error.key, number=number, **self.blame(dot)) from error
            yield position

    def blame(self, dot: Dot) -> dict[str, str]:
        """The details of a BadRecord that name `dot`."""
        on_field = 0 <= dot.point.x < self.width and 0 <= dot.point.y < self.height
        return {"dot": dot.source} | ({"point": point_name(dot.point)} if on_field else {})
