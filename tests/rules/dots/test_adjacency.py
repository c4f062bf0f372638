"""Dots linked to the edge, and groups of linked dots, against walks over the whole field."""

from __future__ import annotations

import random
from itertools import product

import pytest

from rules.dots import Dots, DotsPosition, Links
from rules.dots.adjacency import Adjacency
from rules.game import Point, Seat
from rules.registry import GAMES
from tests.play.test_ranker import position
from tests.play.walks import PRESETS, random_match, walk

NEAR = [key for key in PRESETS if isinstance(game := GAMES[key], Dots) and game.links is Links.NEAR]


def reached(found: DotsPosition, seat: Seat) -> set[Point]:
    """The crossings from which a walk by rows and columns leads off the field without an alive dot of `seat`."""
    picture = found.picture()
    walls = {stone.point for stone in picture.stones if stone.seat == seat and not stone.captured}
    seen = {Point(-1, -1)}
    waiting = [*seen]
    for x, y in waiting:
        for beside in (Point(x + 1, y), Point(x, y + 1), Point(x - 1, y), Point(x, y - 1)):
            inside = -1 <= beside.x <= picture.width and -1 <= beside.y <= picture.height
            if inside and beside not in walls and beside not in seen:
                seen.add(beside)
                waiting.append(beside)
    return seen | walls


@pytest.mark.parametrize("key", NEAR)
def test_a_house_is_what_no_walk_from_outside_reaches(key: str) -> None:
    chance = random.Random(key)
    match = random_match(key, chance)
    for _ in range(12):
        match = walk(match, chance, turns=5)
        found = match.position
        assert isinstance(found, DotsPosition)
        survey = Adjacency(found)
        field = {Point(x, y) for x in range(found.rules.width) for y in range(found.rules.height)}
        closed = {seat: field - reached(found, seat) for seat in match.seats}
        assert [survey.count_enclosed(seat) for seat in match.seats] == [len(closed[seat]) for seat in match.seats]
        for point, guest in product(field, match.seats):
            owners: set[Seat | None] = {seat for seat in match.seats if point in closed[seat]}
            assert survey.house_owner(point, guest) in (owners - {guest} or owners or {None})


def test_dots_of_one_player_hang_together_by_sides_and_corners() -> None:
    survey = Adjacency(position("d4", "f6", "e5", "f5", "a1", "a2"))
    red, blue = survey.group(Point(3, 4), 6), survey.group(Point(4, 5), 0)  # D4 from D5, F6 from E6
    assert (survey.group(Point(3, 4), 0), survey.group(Point(4, 5), 7)) == (red, blue)  # E5 and F5
    assert len({red, blue, survey.group(Point(1, 0), 4), survey.group(Point(1, 1), 4)}) == 4
