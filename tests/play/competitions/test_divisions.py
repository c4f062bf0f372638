"""The sizes of divisions."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.competitions.divisions import MAX_SIZE, MIN_SIZE, split
from play.competitions.league import MAX_MEMBERS, MIN_PLAYERS
from tests.examples import examples

BOUNDARIES = st.lists(st.integers(0, MAX_MEMBERS), max_size=30).map(sorted)


@examples(2000)
@given(st.integers(16, MAX_MEMBERS), BOUNDARIES)
def test_divisions_have_eight_to_twelve_players(players: int, boundaries: list[int]) -> None:
    sizes = split(players, boundaries)
    assert sum(sizes) == players
    assert all(MIN_SIZE <= size <= MAX_SIZE for size in sizes)


@pytest.mark.parametrize("players", range(MIN_PLAYERS, MAX_SIZE + 1))
def test_few_players_are_one_division(players: int) -> None:
    assert split(players, [2]) == [players]


@pytest.mark.parametrize("players", [13, 14, 15])
@pytest.mark.parametrize("boundary", [0, 7, 15])
def test_players_too_many_for_one_division_and_too_few_for_two_make_two_small_ones(players: int, boundary: int) -> None:
    sizes = split(players, [boundary])
    assert sum(sizes) == players
    assert len(sizes) == 2
    assert min(sizes) >= 6


@examples(2000)
@given(st.integers(2, 20), st.data())
def test_boundaries_that_are_possible_are_kept(count: int, data: st.DataObject) -> None:
    sizes = [MIN_SIZE] * count
    for _ in range(data.draw(st.integers(0, MIN_SIZE - 1))):  # with more players there are more divisions
        sizes[data.draw(st.integers(0, count - 1))] += 1
    if max(sizes) <= MAX_SIZE:
        assert split(sum(sizes), list(accumulate(sizes))[:-1]) == sizes


def test_newcomers_enlarge_the_foot_until_they_make_a_division() -> None:
    assert split(27, [8, 16]) == [8, 8, 11]
    assert split(31, [8, 16]) == [8, 11, 12]
    assert split(32, [8, 16]) == [8, 8, 8, 8]


def test_without_boundaries_divisions_are_even() -> None:
    assert split(120) == [8] * 15
    assert split(29) == [9, 10, 10]
