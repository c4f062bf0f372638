"""Pairings of rounds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.competitions.pairing import (
    NoPairing,
    Pair,
    SwissPlayer,
    bracket,
    costs,
    next_knock_out_round,
    round_robin,
    swiss,
)
from play.ids import UserId


def people(number: int) -> list[UserId]:
    return [UserId(n + 1) for n in range(number)]


def played(rounds: list[list[Pair]]) -> list[frozenset[UserId | None]]:
    return [frozenset(pair) for pairs in rounds for pair in pairs]


@pytest.mark.parametrize("number", range(2, 17))
def test_everybody_meets_everybody_once(number: int) -> None:
    meetings = [pair for pair in played(round_robin(people(number))) if None not in pair]
    assert Counter(meetings) == Counter(frozenset(pair) for pair in combinations(people(number), 2))


@pytest.mark.parametrize("number", range(2, 17))
def test_nobody_plays_twice_in_a_round(number: int) -> None:
    for pairs in round_robin(people(number)):
        players = [player for pair in pairs for player in pair if player is not None]
        assert sorted(players) == people(number)


@pytest.mark.parametrize("number", range(2, 17))
def test_everybody_moves_first_as_often_as_second_give_or_take_one(number: int) -> None:
    pairs = [pair for pairs in round_robin(people(number)) for pair in pairs if pair[1] is not None]
    firsts, seconds = (Counter(side) for side in zip(*pairs, strict=True))
    assert all(abs(firsts[player] - seconds[player]) <= 1 for player in people(number))


def test_an_odd_number_has_a_free_round_each() -> None:
    free = [first for pairs in round_robin(people(7)) for first, second in pairs if second is None]
    assert sorted(free) == people(7)


def newcomers(number: int) -> list[SwissPlayer]:
    return [SwissPlayer(user, 0, 0, frozenset(), False) for user in people(number)]


def test_players_who_avoid_each_other_meet_only_if_nothing_else_is_possible() -> None:
    one, two = frozenset({UserId(1)}), frozenset({UserId(2)})
    avoiding = [replace(each, avoids={1: two, 2: one}.get(each.user, frozenset())) for each in newcomers(4)]
    for apart in (avoiding, [avoiding[0], avoiding[2], avoiding[1], avoiding[3]]):
        assert frozenset({UserId(1), UserId(2)}) not in played([swiss(apart)])
    assert played([swiss(avoiding[:2])]) == [frozenset({UserId(1), UserId(2)})]


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower() -> None:
    assert {frozenset(pair) for pair in swiss(newcomers(8))} == {frozenset(p) for p in ((1, 5), (2, 6), (3, 7), (4, 8))}


def test_the_lowest_has_the_free_round() -> None:
    assert (UserId(7), None) in swiss(newcomers(7))


def test_nobody_has_two_free_rounds() -> None:
    records = newcomers(5)
    records[4] = SwissPlayer(UserId(5), 0, 0, frozenset(), True)
    assert (UserId(4), None) in swiss(records)


def test_equal_points_meet() -> None:
    points = [3, 3, 2, 2, 1, 1]
    records = [SwissPlayer(user, p, 0, frozenset(), False) for user, p in zip(people(6), points, strict=True)]
    assert {frozenset(pair) for pair in swiss(records)} == {frozenset(p) for p in ((1, 2), (3, 4), (5, 6))}


def test_who_moved_first_less_often_moves_first() -> None:
    records = [SwissPlayer(UserId(1), 1, 2, frozenset(), False), SwissPlayer(UserId(2), 1, 1, frozenset(), False)]
    assert swiss(records) == [(2, 1)]


def test_there_is_no_round_when_all_have_met() -> None:
    with pytest.raises(NoPairing):
        swiss(
            [
                SwissPlayer(UserId(1), 1, 1, frozenset({UserId(2)}), False),
                SwissPlayer(UserId(2), 0, 0, frozenset({UserId(1)}), False),
            ]
        )


@st.composite
def rankings(draw: st.DrawFn) -> list[SwissPlayer]:
    """Rankings of two to eight players, of whom any have met and any had a free round."""
    users = people(draw(st.integers(2, 8)))
    points = sorted((draw(st.integers(0, 6)) / 2 for _ in users), reverse=True)
    meetings = draw(st.sets(st.sampled_from([*combinations(users, 2)])))
    met = {user: frozenset(other for pair in meetings if user in pair for other in pair) - {user} for user in users}
    free = draw(st.sets(st.sampled_from(users)))
    return [SwissPlayer(user, at, 0, met[user], user in free) for user, at in zip(users, points, strict=True)]


def every_matching(places: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Yields every way to pair all places."""
    if not places:
        yield []
    first, *others = places or (0,)
    for other in others:
        for matching in every_matching(tuple(place for place in others if place != other)):
            yield [(first, other), *matching]


@given(rankings())
def test_no_round_that_is_allowed_costs_less(ranking: list[SwissPlayer]) -> None:
    allowed = costs(ranking)
    places = {player.user: place for place, player in enumerate(ranking)}
    everybody = range(len(ranking) + len(ranking) % 2)
    possible = [each for each in every_matching(tuple(everybody)) if allowed.keys() >= set(each)]
    if not possible:
        with pytest.raises(NoPairing):
            swiss(ranking)
        return
    found = [(places[first], len(ranking) if second is None else places[second]) for first, second in swiss(ranking)]
    pairs = [(min(pair), max(pair)) for pair in found]
    assert sorted(place for pair in pairs for place in pair) == [*everybody]
    assert sum(allowed[pair] for pair in pairs) == min(sum(map(allowed.__getitem__, each)) for each in possible)


@given(st.integers(2, 24), st.integers(0, 10**6))
def test_pairings_never_repeat_in_as_many_rounds_as_a_swiss_tournament_has(number: int, seed: int) -> None:
    chance = random.Random(seed)
    players = people(number)
    points = dict.fromkeys(players, 0.0)
    firsts: Counter[UserId] = Counter()
    met: dict[UserId, set[UserId]] = {player: set() for player in players}
    free: set[UserId] = set()
    for _ in range((number - 1).bit_length()):
        ranking = sorted(players, key=lambda player: -points[player])
        pairs = swiss([SwissPlayer(p, points[p], firsts[p], frozenset(met[p]), p in free) for p in ranking])
        assert sorted(player for pair in pairs for player in pair if player is not None) == players
        for first, second in pairs:
            if second is None:
                assert first not in free
                free.add(first)
                points[first] += 1
                continue
            assert second not in met[first]
            met[first].add(second)
            met[second].add(first)
            firsts[first] += 1
            gained = chance.choice((0, 0.5, 1))
            points[first] += gained
            points[second] += 1 - gained


@pytest.mark.parametrize("number", range(2, 34))
def test_the_better_seed_wins_through_to_a_final_of_the_two_best(number: int) -> None:
    pairs = bracket(people(number))
    while len(pairs) > 1:
        pairs = next_knock_out_round([min(player for player in pair if player) for pair in pairs])
    assert {*pairs[0]} == {1, 2}


def test_the_best_have_the_free_rounds() -> None:
    assert {first for first, second in bracket(people(6)) if second is None} == {1, 2}
