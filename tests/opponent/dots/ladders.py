"""Ladders: 56 that work, since a dot of the hunter's waits at the end, and the same 56 without it, which fail.

They are made by rule: a prey of one dot or of four, two to ten steps, four directions, half of them mirrored with
colours exchanged. `python -m tests.opponent.dots.ladders --millis 300` lets the strongest level play them.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, replace

from opponent.choice import Budget
from opponent.dots.player import Searcher
from opponent.dots.skill import FULL
from rules.dots import Dots, DotsPosition, Setup
from rules.game import Point, Seat, point_name
from tests.opponent.dots.hunt import Hunt
from tests.opponent.dots.problems import Player

SIDE, MIDDLE = 20, 6
"""Crossings of the field, and column and row where the prey begins, seen from the corner that it does not flee to."""

STEPS = (2, 3, 4, 5, 6, 8, 10)
"""Dots by which the prey flees before it is captured."""

WALLS = {1: ((-1, 0), (0, -1), (1, -1)), 4: ((0, -1), (1, -1), (-1, 0), (-1, 1), (2, 0), (0, 2))}
"""The hunter's dots round a prey of one dot and of four, from its first dot. It flees to the right and down."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A prey of so many dots, to be captured after so many steps by a dot that helps at the end, or not."""

    prey: int
    steps: int
    direction: int
    mirrored: bool
    helped: bool = True

    @property
    def hunter(self) -> Seat:
        return Seat(int(self.mirrored))

    @property
    def first(self) -> Point:
        """The first dot of the prey."""
        return self._view(0, 0)

    @property
    def position(self) -> DotsPosition:
        """The position with the hunter to act."""
        size = 2 if self.prey == 4 else 1
        prey = [(x, y) for x in range(size) for y in range(size)]
        walls = [*WALLS[self.prey], self._helper()] if self.helped else [*WALLS[self.prey]]
        stones = [(self.hunter, self._view(*wall)) for wall in walls]
        stones += [(Seat(1 - self.hunter), self._view(*dot)) for dot in prey]
        game = Dots("ladder", SIDE, SIDE, Setup.STONES, stones=tuple(stones))
        return game.start(seed=0).with_to_act(self.hunter)

    def is_played_through(self, choose: Player) -> bool:
        """Returns whether `choose` captures the prey against the best defence."""
        position, newest = self.position, self.first
        while position.outcome is None:
            position = position.play(position.rules.parse(choose(position)))
            hunt = Hunt.at(position, self.hunter, self.first, newest)
            if hunt.is_over:
                return True
            defence = hunt.best_defence()
            if defence is None or not hunt.steps_after():
                return False
            newest = hunt.point(defence)
            position = position.play(position.rules.parse(point_name(newest)))
        return False

    def is_begun(self, choose: Player) -> bool:
        """Returns whether `choose` threatens the prey twice in a row."""
        position, newest = self.position, self.first
        for _ in range(2):
            position = position.play(position.rules.parse(choose(position)))
            hunt = Hunt.at(position, self.hunter, self.first, newest)
            blows = hunt.blows()
            if not blows:
                return False
            newest = hunt.point(blows[0])
            position = position.play(position.rules.parse(point_name(newest)))
        return True

    def _helper(self) -> tuple[int, int]:
        """Returns where the last step of the prey would lead on: its way goes right and down by turns."""
        corner = 1 if self.prey == 4 else 0
        right, down = (self.steps + 1) // 2, self.steps // 2
        return (corner + right + 1, corner + down) if self.steps % 2 else (corner + right, corner + down + 1)

    def _view(self, x: int, y: int) -> Point:
        """Returns a place by its distance from the first dot, to the right and down, in this ladder's direction."""
        right, down = (y, x) if self.mirrored else (x, y)
        right, down = MIDDLE + right, MIDDLE + down
        for _ in range(self.direction):
            right, down = SIDE - 1 - down, right
        return Point(right, SIDE - 1 - down)


LADDERS = tuple(
    Ladder(prey, steps, direction, mirrored=(direction + number) % 2 == 1)
    for prey in (1, 4)
    for number, steps in enumerate(STEPS)
    for direction in range(4)
)
"""All that work."""

BROKEN = tuple(replace(ladder, helped=False) for ladder in LADDERS)
"""All that fail."""


def with_budget(budget: Budget, seed: int = 0) -> Player:
    """Returns the strongest level with another budget."""
    searcher = Searcher()

    def choose(position: DotsPosition) -> str:
        return searcher.choose(position, budget, seed, FULL).move

    return choose


def budget_parser(what: str | None) -> ArgumentParser:
    """Returns a parser of the budget of a move."""
    parser = ArgumentParser(description=what)
    parser.add_argument("--millis", type=int, help="milliseconds a move")
    parser.add_argument("--playouts", type=int, help="playouts a move, on any machine the same")
    return parser


def budget_of(millis: int | None, playouts: int | None) -> Budget:
    """Returns the budget of a move, 300 milliseconds if nothing else is said."""
    return Budget(playouts, millis if millis or playouts else 300)


def main() -> None:
    given = budget_parser(__doc__).parse_args()
    choose = with_budget(budget_of(given.millis, given.playouts))
    through = sum(ladder.is_played_through(choose) for ladder in LADDERS)
    print(f"{through} of {len(LADDERS)} ladders played through", flush=True)  # noqa: T201
    begun = sum(ladder.is_begun(choose) for ladder in BROKEN)
    print(f"{begun} of {len(BROKEN)} chases begun where the ladder fails", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
