"""Standings and their tie-breaks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from play.competitions.standings import Score, Standing, TieBreak, standings
from play.competitions.tournament import TIE_BREAKS, Format
from play.ids import UserId

A, B, C, D = (UserId(n) for n in range(1, 5))
SWISS, ALL_PLAY_ALL = TIE_BREAKS[Format.SWISS], TIE_BREAKS[Format.ROUND_ROBIN]
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
    assert [(row.place, row.user, row.points) for row in standings([D, C, B, A], ROUNDS, ALL_PLAY_ALL)] == [
        (1, A, 2.5),
        (2, B, 2.0),
        (3, C, 1.0),
        (4, D, 0.5),
    ]


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    scores = [Score(A, B, DRAWN), Score(A, C, WON), Score(B, D, WON), Score(C, D, WON)]
    table = standings([A, B, C, D], scores, [TieBreak.BUCHHOLZ])
    assert line(table, A).broken_by == ((TieBreak.BUCHHOLZ, 1.5 + 1.0),)
    assert line(table, B).broken_by == ((TieBreak.BUCHHOLZ, 1.5 + 0.0),)


def test_sonneborn_berger_counts_the_beaten_in_full_and_the_drawn_half() -> None:
    scores = [Score(A, B, DRAWN), Score(A, C, WON), Score(B, D, WON), Score(C, D, WON)]
    table = standings([A, B, C, D], scores, [TieBreak.SONNEBORN_BERGER])
    assert line(table, A).broken_by == ((TieBreak.SONNEBORN_BERGER, 1.5 / 2 + 1.0),)


def test_only_what_parts_players_of_equal_points_is_named() -> None:
    assert all(row.broken_by == () for row in standings([A, B, C, D], ROUNDS, SWISS))
    scores = [Score(A, D, WON), Score(B, C, WON), Score(C, D, WON)]
    named = {row.user: [each for each, _ in row.broken_by] for row in standings([A, B, C, D], scores, SWISS)}
    both = [TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER]
    assert named == {A: [TieBreak.BUCHHOLZ], B: both, C: both, D: []}


def test_shared_places_are_marked() -> None:
    scores = [Score(A, B, WON), Score(C, D, WON), Score(A, C, WON)]
    table = standings([A, B, C, D], scores, TIE_BREAKS[Format.KNOCK_OUT])
    assert [(row.place, row.user, row.shared) for row in table] == [
        (1, A, False),
        (2, C, False),
        (3, B, True),
        (3, D, True),
    ]


def test_equal_points_are_parted_by_the_strength_of_the_opponents() -> None:
    scores = [Score(A, D, WON), Score(B, C, WON), Score(C, D, WON)]
    assert [row.user for row in standings([A, B, C, D], scores, SWISS)][:3] == [B, C, A]


def test_who_ties_in_everything_shares_the_place() -> None:
    table = standings([A, B, C], [Score(A, B, DRAWN)], SWISS)
    assert [(row.place, row.user) for row in table] == [(1, A), (1, B), (3, C)]


def test_a_free_round_is_a_point_but_no_win() -> None:
    table = standings([A, B, C], [Score(A, None, WON), Score(B, C, WON)], SWISS)
    assert line(table, A).points == 1
    assert [row.user for row in table] == [B, A, C]
    assert line(table, A).broken_by == ((TieBreak.WINS, 0),)


def test_who_never_moved_stands_behind_who_won() -> None:
    """A has a free round and a game that D, who leads, did not come to; B beat C at the board."""
    scores = [Score(A, None, WON), Score(B, C, WON), Score(A, D, NEITHER, unplayed=True), Score(D, B, WON)]
    scores += [Score(D, C, WON)]
    assert [row.user for row in standings([A, B, C, D], scores, SWISS)] == [D, B, A, C]


def test_who_has_gone_stands_last_whatever_they_won() -> None:
    table = standings([A, B, C], [Score(A, B, WON), Score(A, C, WON), Score(B, C, WON)], SWISS, gone={A})
    assert [(row.place, row.user, row.points) for row in table] == [(1, B, 1), (2, C, 0), (3, A, 2)]
    assert [row.broken_by for row in table] == [(), (), ()]


def test_a_game_that_both_missed_gives_nobody_anything() -> None:
    assert [row.points for row in standings([A, B], [Score(A, B, NEITHER)], SWISS)] == [0, 0]


results = st.lists(st.tuples(st.permutations([A, B, C, D]), st.sampled_from([WON, DRAWN, LOST])), max_size=12)


@given(results)
def test_each_game_gives_one_point(games: list[tuple[list[UserId], tuple[float, float]]]) -> None:
    table = standings([A, B, C, D], [Score(who[0], who[1], points) for who, points in games], SWISS)
    assert sum(row.points for row in table) == len(games)


def test_points_that_are_given_for_missed_rounds_count_in_no_tie_break() -> None:
    table = standings([A, B, C, D], [Score(A, B, WON), Score(C, D, WON)], [TieBreak.BUCHHOLZ], given={B: 0.5, D: 1.0})
    assert {row.user: row.points for row in table} == {A: 1.0, B: 0.5, C: 1.0, D: 1.0}
    assert line(table, A).broken_by == line(table, C).broken_by == ((TieBreak.BUCHHOLZ, 0.0),)
