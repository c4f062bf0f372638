"""The ladders by which the computer is measured: each works, and none does without the dot at its end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from opponent.choice import Budget
from rules.dots import DotsPosition
from rules.game import point_name
from tests.opponent.dots.hunt import Hunt
from tests.opponent.dots.ladders import BROKEN, LADDERS, Ladder, with_budget

KINDS = [ladder for ladder in LADDERS if not ladder.direction and ladder.steps < 5]


def hunt_of(ladder: Ladder) -> Hunt:
    return Hunt.at(ladder.position, ladder.hunter, ladder.first, ladder.first)


def test_there_are_56_of_each_and_all_differ() -> None:
    assert len({"".join(ladder.position.rows()) for ladder in LADDERS}) == 56
    assert len(BROKEN) == 56


@pytest.mark.contest
@pytest.mark.parametrize(
    "ladder", [pytest.param(each, marks=[pytest.mark.smoke] * (each.direction == 0)) for each in LADDERS], ids=str
)
def test_each_ladder_captures_after_its_steps(ladder: Ladder) -> None:
    assert hunt_of(ladder).steps() == ladder.steps + 1


@pytest.mark.sample(5)
@pytest.mark.parametrize("ladder", BROKEN[::4], ids=str)
def test_without_the_dot_at_the_end_the_prey_escapes(ladder: Ladder) -> None:
    assert not hunt_of(ladder).steps()


@cache
def solver(ladder: Ladder) -> tuple[tuple[str, ...], bool]:
    """Returns the dots of a hunter that looks ahead exactly, and whether the ladder was played through."""
    played: list[str] = []

    def choose(position: DotsPosition) -> str:
        newest = position.picture().last or (ladder.first,)
        hunt = Hunt.at(position, ladder.hunter, ladder.first, newest[0])
        _, cell = hunt.begin()
        played.append(point_name(hunt.point(cell)))
        return played[-1]

    through = ladder.is_played_through(choose)
    return tuple(played), through


@pytest.mark.sample(6)
@pytest.mark.parametrize("ladder", KINDS, ids=str)
def test_a_hunter_that_looks_ahead_plays_it_through(ladder: Ladder) -> None:
    played, through = solver(ladder)
    assert through
    assert len(played) == ladder.steps + 1


@pytest.mark.sample(6)
@pytest.mark.parametrize("ladder", KINDS, ids=str)
def test_a_hunter_that_plays_elsewhere_does_not(ladder: Ladder) -> None:
    assert not ladder.is_played_through(_corner)
    assert not ladder.is_begun(_corner)


@pytest.mark.parametrize("ladders", [LADDERS[1:40:8], pytest.param(LADDERS[::2], marks=pytest.mark.contest)], ids=len)
def test_level_8_plays_most_ladders_through(ladders: tuple[Ladder, ...]) -> None:
    """It leaves some for later, where another dot is expected to give more. Without a preference it plays 11 of 28."""
    players = [(ladder, with_budget(Budget(nodes=4000))) for ladder in ladders]
    assert sum(ladder.is_played_through(player) for ladder, player in players) > len(players) / 2


@pytest.mark.sample(4)
@pytest.mark.parametrize("ladder", BROKEN[::8], ids=str)
def test_level_8_begins_no_chase_that_fails(ladder: Ladder) -> None:
    assert not ladder.is_begun(with_budget(Budget(nodes=4000)))


@pytest.mark.contest
@pytest.mark.parametrize(("seed", "number"), [(1, 5), (2, 0), pytest.param(4, 1, marks=pytest.mark.smoke)])
def test_level_8_lets_a_dot_go_that_got_away_although_its_playouts_would_run_on(seed: int, number: int) -> None:
    assert not BROKEN[number].is_begun(with_budget(Budget(nodes=24_000), seed))


def _corner(position: DotsPosition) -> str:
    return str(next(iter(position.moves())))


@pytest.mark.parametrize("ladder", KINDS, ids=str)
def test_to_begin_a_ladder_as_if_it_worked_is_a_chase(ladder: Ladder) -> None:
    played, _ = solver(ladder)
    dots = iter(played)
    assert replace(ladder, helped=False).is_begun(lambda _: next(dots))
