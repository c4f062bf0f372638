"""The smallest chains of far links, against all possible chains."""

from __future__ import annotations

import random

import pytest

from rules.dots import Closing, Dots, Links, Setup
from rules.dots.drawing import Canvas
from rules.dots.options import Reuse
from rules.game import Point, Seat
from tests.rules.brute_contest import Contest, Rules, reading
from tests.rules.brute_force import Crossing, doubled_area

FIELDS = 300
MAX_WALLS = 9
SIZES = ((4, 4), (5, 5), (5, 4), (6, 5), (6, 6), (7, 5))

BATCHES = 6


def scattered(chance: random.Random, width: int, height: int) -> tuple[list[Crossing], list[Crossing]]:
    """Returns some dots of Red, now and then close together, and some of Blue."""
    crossings = [(x, y) for x in range(width) for y in range(height)]
    chance.shuffle(crossings)
    if chance.random() < 0.5:
        crossings.sort(key=lambda at: abs(at[0] - width / 2) + abs(at[1] - height / 2) + chance.random() * 4)
    walls = chance.randint(3, MAX_WALLS)
    first, second = crossings[: walls + 3], crossings[walls + 3 :]
    chance.shuffle(first)
    return first[:walls], first[walls:] + second[: chance.randint(0, 3)]


@pytest.mark.contest
@pytest.mark.parametrize("batch", [pytest.param(0, marks=pytest.mark.smoke), *range(1, BATCHES)])
def test_the_smallest_far_chain_is_found_round_every_dot_that_has_one(batch: int) -> None:
    for seed in range(batch, FIELDS, BATCHES):
        chance = random.Random(seed)
        width, height = chance.choice(SIZES)
        red, blue = scattered(chance, width, height)
        stones = [(0, at) for at in red] + [(1, at) for at in blue]
        contest = Contest(Rules(width, height, closing="drawn", far_links=True), stones)
        expected = set()
        for at in blue:
            if chains := contest.chains_around(at, seat=0):
                chain = min(chains, key=lambda chain: (doubled_area(chain), len(chain), reading(chain)))
                expected.add(frozenset(Point(x, height - 1 - y) for x, y in chain))
        placed = tuple((Seat(seat), Point(x, height - 1 - y)) for seat, (x, y) in stones)
        game = Dots("test", width, height, Setup.STONES, stones=placed, closing=Closing.DRAWN, links=Links.FAR)
        field = game.start(0).field
        drawable = Canvas(field, 1, Links.FAR, Reuse.ONE).drawable()
        found = {frozenset(map(field.grid.point, closed.chain)) for _, closed in drawable}
        assert found == expected, f"seed {seed}"
