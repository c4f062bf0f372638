"""Positions of Dots with a known answer. Red (`R`) is to move; `*` marks the free crossings that are right.

`python -m tests.opponent.dots.problems` gives all of them, in all their views, to the strongest level with
all its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from opponent.choice import HARDEST, level_of
from opponent.dots.player import Searcher
from opponent.dots.skill import FULL
from rules.dots import Dots, DotsPosition, Setup
from rules.game import Point, Seat, point_name

Player = Callable[[DotsPosition], str]


class Problem(NamedTuple):
    """A position, the moves that solve it, and how many dots are then to be captured against every defence."""

    position: DotsPosition
    answers: frozenset[str]
    captures_needed: int

    def is_solved(self, choose: Player) -> bool:
        """Returns whether `choose` finds an answer."""
        return choose(self.position) in self.answers

    def captured(self, choose: Player) -> bool:
        """Returns whether `choose`, playing against itself, captures enough dots before the field is full."""
        position, mover = self.position, self.position.to_act
        while position.outcome is None and position.score[mover] < self.captures_needed:
            position = position.play(position.rules.parse(choose(position)))
        return position.score[mover] >= self.captures_needed


class Diagram(NamedTuple):
    """A problem as it is drawn, rows from the top."""

    text: str
    captures_needed: int = 0

    @property
    def problem(self) -> Problem:
        return _problem(self.text.split(), Seat(0), self.captures_needed)

    def views(self) -> Iterator[Problem]:
        """Lists the problem in all eight symmetries; in the mirrored ones the colours are changed as well."""
        rows = self.text.split()
        for _ in range(4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
            yield _problem(rows, Seat(0), self.captures_needed)
            yield _problem([row[::-1] for row in rows], Seat(1), self.captures_needed)


def _problem(rows: list[str], mover: Seat, captures_needed: int) -> Problem:
    height = len(rows)
    marks = {Point(x, height - 1 - y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
    seats = {"R": mover, "B": Seat(1 - mover)}
    stones = tuple((seats[letter], point) for point, letter in marks.items() if letter in seats)
    game = Dots("problem", len(rows[0]), height, Setup.STONES, stones=stones)
    answers = frozenset(point_name(point) for point, letter in marks.items() if letter == "*")
    return Problem(game.start(seed=0).with_to_act(mover), answers, captures_needed)


CAPTURE = Diagram("""
    ...........
    ...........
    ....B......
    ....RR.....
    ...RBB*....
    ....RR.B...
    ......B....
    ...........
    ...........
""")
"""One dot captures two."""

ESCAPE = Diagram("""
    ...........
    ...........
    .....B.R...
    ....BRB....
    ....BR*R...
    ....BRB....
    .....B.R...
    ...........
    ...........
""")
"""Three dots of Red's would be captured."""

NET = Diagram(
    """
    ............
    ............
    ...RRRR.....
    ...R...**...
    ...RBBB**...
    ...R...**...
    ...RRRR.....
    ............
    ............
""",
    3,
)
"""No dot captures at once: the three dots must be captured from ahead, against every defence."""

LADDER = Diagram(
    """
    ...............
    ..R............
    .RBR*..........
    .RB**..........
    ..R*...........
    ...............
    ...............
    ...............
    ...............
    ..........R....
    ...............
    ...............
""",
    1,
)
"""Each step threatens, and at the end of the way is a dot of Red's."""

ACROSS_THE_WALL = Diagram("""
    ...........
    ...........
    ....RB.....
    ...RB*B....
    ....RB.....
    ...........
    ...........
    ...........
""")
"""A dot in Blue's house is lost unless it captures: here a dot of the wall itself."""

PROBLEMS = {
    "capture": CAPTURE,
    "escape": ESCAPE,
    "net": NET,
    "ladder": LADDER,
    "across-the-wall": ACROSS_THE_WALL,
}


def main() -> None:
    searcher, budget = Searcher(), level_of(HARDEST).compiled

    def choose(position: DotsPosition) -> str:
        return searcher.choose(position, budget, 0, FULL).move

    for name, diagram in PROBLEMS.items():
        views = [*diagram.views()]
        solved = sum(view.is_solved(choose) and view.captured(choose) for view in views)
        print(f"{name:16} solved in {solved} of {len(views)} views, {budget.millis} ms a move", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
