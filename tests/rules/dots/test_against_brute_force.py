"""Random games of the engine against the brute force of tests/rules, compared after every dot."""

from __future__ import annotations

import random

import pytest

from rules.dots import Dots, Setup, Turn
from rules.game import Point, Seat
from tests.rules.brute_force import Base, Crossing, Field, inside
from tests.rules.dots.habits import HABITS, SET_UPS

GAMES = 900
"""Small games in all. Twelve thousand, by hand, take a few minutes."""

SIZES = {
    (1, 1): 1, (1, 2): 1, (1, 8): 1, (9, 1): 1, (2, 2): 1, (2, 9): 2, (10, 2): 2, (3, 3): 4, (3, 12): 6, (14, 3): 6,
    (4, 4): 12, (4, 9): 8, (5, 5): 12, (7, 5): 16, (6, 6): 16, (5, 9): 12, (7, 7): 20, (8, 8): 16, (12, 6): 3,
    (9, 9): 12,
}  # fmt: skip
"""Small fields, and how often each is played."""

LARGE = ((12, 12, 144), (17, 13, 221))
"""Width, height and number of dots of one game each."""

LARGEST = ((20, 20, 400), (20, 20, 250), (39, 32, 260), (39, 32, 330))


class Duel:
    """One random game, played by both and compared after every dot."""

    def __init__(self, seed: int, width: int, height: int) -> None:
        self.chance = random.Random(seed)
        self.field = Field(width, height, seats=self.chance.choices((2, 3, 4), (7, 2, 1))[0])
        self.habits = self.chance.choices(HABITS, k=self.field.seats)
        self.again = self.chance.choice((0, 0, 0.2, 0.5))
        self.position = self.opening().start(seed=0)
        self.compare([])

    def opening(self) -> Dots:
        """Returns the rules, with a set-up that the field gets as well."""
        field, chance = self.field, self.chance
        setup = chance.choices((Setup.EMPTY, Setup.CROSS, Setup.STONES), (1, 1, 3))[0]
        if setup is Setup.CROSS and (field.seats != 2 or min(field.width, field.height) < 2):
            setup = Setup.EMPTY
        stones: list[tuple[int, Crossing]] = []
        if setup is Setup.CROSS:
            x, y = field.width // 2 - 1, field.height // 2 - 1
            stones = [(0, (x, y)), (1, (x + 1, y)), (1, (x, y + 1)), (0, (x + 1, y + 1))]
        elif setup is Setup.STONES:
            stones = chance.choice(SET_UPS)(chance, field)
        for seat, at in stones:
            field.set_up(seat, *at)
        return Dots(
            key="test",
            width=field.width,
            height=field.height,
            setup=setup,
            seats=field.seats,
            stones=tuple((Seat(seat), self.point(at)) for seat, at in stones) if setup is Setup.STONES else (),
        )

    def play(self, dots: int) -> None:
        """Places as many dots, or fewer if the field is full."""
        for _ in range(min(dots, self.field.free)):
            if self.position.outcome:
                break
            if self.chance.random() < self.again:
                self.position = self.position.with_to_act(Seat(self.chance.randrange(self.field.seats)))
            seat, at = self.position.to_act, self.choice()
            bases = self.field.place(seat, *at)
            self.position = self.position.play(Turn(self.point(at)))
            self.compare(bases)

    def choice(self) -> Crossing:
        """Returns a legal crossing, mostly one that the player likes, of a few random ones."""
        seat, legal = self.position.to_act, [self.crossing(turn.dot) for turn in self.position.moves()]
        seen = self.chance.sample(legal, min(len(legal), 12))
        likes = self.habits[seat]
        liked = [at for at in seen if likes(self.field, seat, at)] if self.chance.random() < 0.85 else []
        return self.chance.choice(liked or seen)

    def compare(self, bases: list[Base]) -> None:
        """Compares everything, and `bases`, those that the last dot made."""
        field, position = self.field, self.position
        assert position.rows() == field.rows()
        assert position.score == field.scores
        assert position.free == field.free
        assert (position.outcome is None) == (field.free > 0)
        for seat in range(field.seats):
            assert position.at_risk(Seat(seat)) == field.at_risk(seat)
        latest = position.picture().areas[-len(bases) :] if bases else ()
        chains = [(int(area.seat), tuple(self.crossing(point) for point in area.ring)) for area in latest]
        assert self.enclosed(chains) == self.enclosed([(base.seat, base.chain) for base in bases])

    def enclosed(self, chains: list[tuple[int, tuple[Crossing, ...]]]) -> set[tuple[int, frozenset[Crossing]]]:
        """Returns for each chain its owner and the crossings strictly inside."""
        return {(seat, frozenset(at for at in self.field.crossings if inside(at, ring))) for seat, ring in chains}

    def point(self, at: Crossing) -> Point:
        return Point(at[0], self.field.height - 1 - at[1])

    def crossing(self, point: Point) -> Crossing:
        return point.x, self.field.height - 1 - point.y


@pytest.mark.contest
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_small_random_games_agree_with_the_brute_force(width: int, height: int) -> None:
    for seed in range(GAMES * SIZES[width, height] // sum(SIZES.values())):
        play(seed, width, height, dots=width * height)


def test_the_first_small_random_games_agree_with_the_brute_force() -> None:
    for (width, height), share in SIZES.items():
        for seed in range(1 + share // 4):
            play(seed, width, height, dots=width * height)


@pytest.mark.parametrize(
    ("width", "height", "dots"), [*LARGE, *(pytest.param(*each, marks=pytest.mark.contest) for each in LARGEST)]
)
def test_large_random_games_agree_with_the_brute_force(width: int, height: int, dots: int) -> None:
    play(dots, width, height, dots)


def play(seed: int, width: int, height: int, dots: int) -> None:
    try:
        Duel(seed, width, height).play(dots)
    except Exception as error:
        error.add_note(f"seed {seed} on {width}x{height}")
        raise
