"""Standings and their tie-breaks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from play.ids import UserId
from play.tournaments.standings import Score, Standing, standings

A, B, C, D = (UserId(n) for n in range(1, 5))
WON, DRAWN, LOST, NEITHER = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (0.0, 0.0)


def line(table: list[Standing], user: UserId) -> Standing:
    return next(standing for standing in table if standing.user == user)


ROUNDS = [
    Score(A, B, WON),
    Score(C, D, DRAWN),
    Score(A, C, DRAWN),
    Score(B, D, WON),
    Score(A, D, WON),
    Score(B, C, WON),
]
"""A 2.5, B 2, C 1, D 0.5."""


def test_points_order_the_table() -> None:
    assert [(row.place, row.user, row.points) for row in standings([D, C, B, A], ROUNDS, swiss=False)] == [
        (1, A, 2.5),
        (2, B, 2.0),
        (3, C, 1.0),
        (4, D, 0.5),
    ]


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    assert line(standings([A, B, C, D], ROUNDS, swiss=True), A).buchholz == 2.0 + 1.0 + 0.5


def test_sonneborn_berger_counts_the_beaten_in_full_and_the_drawn_half() -> None:
    assert line(standings([A, B, C, D], ROUNDS, swiss=False), A).sonneborn_berger == 2.0 + 0.5 + 1.0 / 2


def test_equal_points_are_parted_by_the_strength_of_the_opponents() -> None:
    scores = [Score(A, D, WON), Score(B, C, WON), Score(C, D, WON)]
    assert [row.user for row in standings([A, B, C, D], scores, swiss=True)][:3] == [B, C, A]


def test_who_ties_in_everything_shares_the_place() -> None:
    table = standings([A, B, C], [Score(A, B, DRAWN)], swiss=True)
    assert [(row.place, row.user) for row in table] == [(1, A), (1, B), (3, C)]


def test_a_free_round_is_a_point_but_no_win() -> None:
    row = line(standings([A, B], [Score(A, None, WON)], swiss=True), A)
    assert (row.points, row.wins, row.buchholz, row.sonneborn_berger) == (1, 0, 1, 0.5)


def test_a_game_that_both_missed_gives_nobody_anything() -> None:
    assert [row.points for row in standings([A, B], [Score(A, B, NEITHER)], swiss=True)] == [0, 0]


results = st.lists(st.tuples(st.permutations([A, B, C, D]), st.sampled_from([WON, DRAWN, LOST])), max_size=12)


@given(results)
def test_each_game_gives_one_point(games: list[tuple[list[UserId], tuple[float, float]]]) -> None:
    table = standings([A, B, C, D], [Score(who[0], who[1], points) for who, points in games], swiss=True)
    assert sum(row.points for row in table) == len(games)
