"""Pairs of a contest on boards: by rating, with alternating colours, and never two who have blocked one another."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from play.competitions.contest import MIN_BOARDS, Blocked, Cause, Side, Stage
from play.competitions.contest_pairing import pair
from play.ids import UserId
from tests.examples import examples
from tests.play.competitions.contests import begin, members, signed_up

HOME, GUEST = members(Side.HOME, 30), members(Side.GUEST, 30)


def blocks(*pairs: tuple[UserId, UserId]) -> Blocked:
    found = defaultdict[UserId, set[UserId]](set)
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return {user: frozenset(others) for user, others in found.items()}


def test_players_of_the_same_place_meet() -> None:
    assert pair(HOME[:4], GUEST[:6], most=20) == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_two_who_have_blocked_one_another_change_places_with_their_neighbours() -> None:
    forbidden = blocks((HOME[1], GUEST[1]))
    assert pair(HOME[:4], GUEST[:4], blocked=forbidden, most=20) in (
        [(0, 1), (1, 0), (2, 2), (3, 3)],
        [(0, 0), (1, 2), (2, 1), (3, 3)],
    )


def test_a_substitute_plays_for_one_who_has_blocked_all_opponents() -> None:
    forbidden = blocks(*((HOME[0], user) for user in GUEST))
    found = pair(HOME[:4], GUEST[:3], blocked=forbidden, most=20)
    assert {home for home, _ in found} == {1, 2, 3}


@examples(400)
@given(
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(3, 10),
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12),
)
def test_no_blocked_pair_meets_and_nobody_plays_twice(
    home: int, guest: int, most: int, forbidden: set[tuple[int, int]]
) -> None:
    blocked = blocks(*((HOME[one], GUEST[other]) for one, other in forbidden))
    found = pair(HOME[:home], GUEST[:guest], blocked=blocked, most=most)
    assert len(found) <= min(home, guest, most)
    for places in zip(*found, strict=True):
        assert len(set(places)) == len(places)
    assert not set(found) & forbidden
    if not forbidden:
        assert found == [(place, place) for place in range(min(home, guest, most))]


@examples(200)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(3, 8), st.integers(0, 1))
def test_boards_alternate_colours_and_the_rest_waits(home: int, guest: int, size: int, lot: int) -> None:
    contest = begin(signed_up(home, guest, size), lot=lot)
    boards = min(home, guest, size)
    if boards < MIN_BOARDS:
        assert (contest.stage, contest.cause) == (Stage.CANCELLED, Cause.TOO_FEW)
        return
    assert len(contest.boards) == boards
    colours = [board.first for board in contest.boards]
    assert all(one is not other for one, other in pairwise(colours))
    for side, number in ((Side.HOME, home), (Side.GUEST, guest)):
        waiting = [contest.players[each].user for each in contest.substitutes(side)]
        assert waiting == members(side, number)[boards:]


def test_the_lot_decides_who_moves_first_on_the_first_board() -> None:
    assert {begin(signed_up(), lot=lot).boards[0].first for lot in (0, 1)} == set(Side)


def test_players_who_cannot_play_are_not_paired() -> None:
    contest = begin(signed_up(4, 4), absent=[HOME[0]])
    assert [contest.users_of(board) for board in contest.boards] == list(zip(HOME[1:4], GUEST[:3], strict=True))
