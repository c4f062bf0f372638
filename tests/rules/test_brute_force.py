"""The brute force is itself right: its chain is the smallest of all the simple chains around a face."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.rules.brute_force import AROUND, Crossing, Field, chain_around, doubled_area, inside

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES, FEW_SAMPLES = 150, 10
MAX_DOTS = 16
"""With more dots there are too many chains."""

DISPUTED = """
    ..RRR..
    .R...R.
    R.R.R.R
    R.R.R.R
    R..R..R
    .R.B.R.
    ..RRR..
"""


def field_of(diagram: str) -> Field:
    """Returns the position of a diagram, with the letters simply put down."""
    rows = diagram.split()
    field = Field(len(rows[0]), len(rows))
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ".":
                field.placed[x, y] = "RB".index(letter)
    return field


def simple_chains(dots: set[Crossing]) -> Iterator[tuple[Crossing, ...]]:
    """Returns every closed chain of at least four dots, each once and no two segments crossing, in some direction."""
    for first in sorted(dots):
        paths: list[tuple[Crossing, ...]] = [(first,)]
        while paths:
            path = paths.pop()
            x, y = path[-1]
            for dx, dy in AROUND:
                dot = (x + dx, y + dy)
                if dot == first and len(path) >= 4 and path[1] < path[-1] and not self_crossing(path):
                    yield path
                elif dot in dots and dot > first and dot not in path:
                    paths.append((*path, dot))


def self_crossing(chain: tuple[Crossing, ...]) -> bool:
    middles = [(x1 + x2, y1 + y2) for (x1, y1), (x2, y2) in pairwise((*chain, chain[0]))]
    return len(set(middles)) < len(middles)


def smallest_hulls(field: Field, face: set[Crossing]) -> tuple[int, set[frozenset[Crossing]]]:
    """Returns twice the smallest area of all simple chains around a face of seat 0, and the hulls of those that have
    it."""
    alive = field.alive(0)
    around = [
        (doubled_area(chain), frozenset(at for at in field.crossings if inside(at, chain) and at not in alive))
        for chain in simple_chains(alive)
        if all(inside(at, chain) for at in face)
    ]
    least = min(area for area, _ in around)
    return least, {hull for area, hull in around if area == least}


def random_fields(samples: int) -> Iterator[Field]:
    """Draws small fields with dots of seat 0 that close at least one face."""
    chance = random.Random(1)
    made = 0
    while made < samples:
        width, height = chance.choice(((3, 3), (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (7, 5), (8, 5)))
        field = Field(width, height)
        for at in chance.sample(field.crossings, min(MAX_DOTS, width * height * chance.randint(40, 70) // 100)):
            field.placed[at] = 0
        if field.closed_faces(0):
            made += 1
            yield field


@pytest.mark.parametrize("samples", [FEW_SAMPLES, pytest.param(SAMPLES, marks=pytest.mark.contest)])
def test_the_constructed_chain_has_the_smallest_area_of_all_simple_chains_around_the_face(samples: int) -> None:
    for field in random_fields(samples):
        for face in field.closed_faces(0):
            chain = chain_around(face, field.alive(0))
            least, hulls = smallest_hulls(field, face)
            assert doubled_area(chain) == least, field.rows()
            assert hulls == {frozenset(at for at in field.crossings if inside(at, chain) and field.placed[at] is None)}


def test_in_the_disputed_position_the_chain_leaves_the_pocket_on_top_outside() -> None:
    field = field_of(DISPUTED)
    face = next(face for face in field.closed_faces(0) if (3, 5) in face)
    chain = chain_around(face, field.alive(0))
    least, _ = smallest_hulls(field, face)
    assert len(chain) == 18
    assert sum(inside(at, chain) for at in field.crossings) == 11
    assert doubled_area(chain) == least


def test_a_dot_of_a_starting_position_may_lie_in_a_base() -> None:
    field = Field(3, 3)
    for at in ((1, 0), (0, 1), (2, 1)):
        field.place(0, *at)
    field.place(1, 1, 1)
    field.place(0, 1, 2)
    with pytest.raises(ValueError, match="not free"):
        field.place(1, 1, 1)
    assert field.rows() == [".R.", "RbR", ".R."]


def test_grounding_takes_the_groups_of_dots_that_touch_no_edge() -> None:
    field = field_of(
        """
        .......
        ..RR...
        .R..RRR
        .R..R..
        ..RR...
        .......
        """
    )
    assert (field.at_risk(0), field.at_risk(1)) == (6, 0)


def test_grounding_takes_the_prisoners_of_a_lost_base_too() -> None:
    field = field_of(
        """
        .....
        ..R..
        .RB..
        ..R..
        .....
        """
    )
    field.place(0, 3, 2)
    assert (field.at_risk(0), field.at_risk(1)) == (5, 0)
