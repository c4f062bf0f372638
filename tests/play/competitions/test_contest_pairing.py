"""Pairs of a contest on boards: by rating, with alternating colours, and never two who have blocked one another."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.competitions.contest import MIN_BOARDS, Blocked, Cause, Contest, Side, Stage, remove, sign_up
from play.competitions.contest_pairing import begin_when_due, pair, place_player
from play.ids import UserId
from play.refusal import Refused
from tests.clock import NOON
from tests.examples import examples
from tests.play.competitions.contests import BEGINS, begin, member_of, members, signed_up
from tests.play.competitions.contests import HOME as HOME_SERVER

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


def home_players(contest: Contest) -> list[UserId]:
    """Returns the home players in the order of their boards."""
    return [contest.users_of(board)[Side.HOME] for board in contest.boards]


def test_of_equal_ratings_those_line_up_first_who_have_played_more_on_their_server() -> None:
    contest = signed_up(4, 3)
    ratings = dict.fromkeys((each.user for each in contest.players), 1500.0)
    begun = begin_when_due(contest, ratings, {}, (), 0, BEGINS, {HOME[3]: 9, HOME[1]: 2})
    assert home_players(begun) == [HOME[3], HOME[1], HOME[0]]
    assert [begun.players[number].user for number in begun.substitutes(Side.HOME)] == [HOME[2]]


def test_a_side_lines_up_as_its_manager_wants_and_later_players_come_last() -> None:
    contest = signed_up(4, 4)
    ratings = {each.user: 1500.0 - each.user % 100 for each in contest.players}
    contest = place_player(contest, Side.HOME, HOME[3], 1, ratings, {})
    contest = sign_up(contest, member_of(HOME[4], HOME_SERVER), Side.HOME, NOON)
    contest = place_player(contest, Side.HOME, HOME[0], 99, ratings, {})
    begun = begin(contest)
    assert home_players(begun) == [HOME[3], HOME[1], HOME[2], HOME[4]]
    assert [begun.players[number].user for number in begun.substitutes(Side.HOME)] == [HOME[0]]
    assert [begun.users_of(board)[Side.GUEST] for board in begun.boards] == GUEST[:4]


def test_a_removed_player_comes_back_by_a_place_alone() -> None:
    contest = remove(signed_up(4, 3), HOME[0], Side.HOME)
    assert home_players(begin(contest)) == HOME[1:4]
    with pytest.raises(Refused, match="team_removed"):
        sign_up(contest, member_of(HOME[0], HOME_SERVER), Side.HOME, NOON)
    with pytest.raises(Refused, match="team_not_listed"):
        remove(contest, GUEST[0], Side.HOME)
    ratings = dict.fromkeys((each.user for each in contest.players), 1500.0)
    back = place_player(contest, Side.HOME, HOME[0], 2, ratings, {})
    assert home_players(begin(back)) == [HOME[1], HOME[0], HOME[2]]


def test_a_manager_changes_no_line_up_once_the_games_have_begun() -> None:
    begun = begin(signed_up())
    with pytest.raises(Refused, match="team_is_running"):
        place_player(begun, Side.HOME, HOME[0], 2, {}, {})
    with pytest.raises(Refused, match="team_is_running"):
        remove(begun, HOME[0], Side.HOME)
