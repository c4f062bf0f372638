"""A contest of two servers: who may join it, who takes a seat that is left, and what the boards bring."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.codes import ALPHABET, LETTERS, make_code, read_code
from play.competitions.contest import (
    CANCEL_MILLIS,
    CODE_MILLIS,
    MAX_SIGNED_UP,
    Cause,
    Contest,
    Kind,
    Side,
    Stage,
    Team,
    accept,
    decline,
    drop_old_proposal,
    enter_result,
    finish_when_decided,
    leave,
    lose_channel,
    notice_for,
    replace_or_forfeit,
    sign_up,
    withdraw,
)
from play.ids import ChannelId, Millis, UserId
from play.match.points import DRAWN, LOST, WON
from play.people.membership import Member
from play.refusal import Reason, Refused
from tests.clock import DAY, NOON
from tests.examples import examples
from tests.play.competitions.contests import (
    BEGINS,
    GUEST,
    GUEST_TEAM,
    HOME,
    begin,
    invitation,
    member_of,
    members,
    signed_up,
)
from tests.votes import account_made

FIRST = members(Side.HOME, 1)[0]


def test_a_code_is_read_as_it_is_told_by_mouth() -> None:
    code = make_code(lambda letters: letters[-1])
    assert code == "ZZZZ-ZZZZ-ZZZZ"
    assert read_code(" zzzz zzzz-zzzz ") == "Z" * LETTERS
    assert read_code("oil0-oil0-oil0") == "0110" * 3
    assert [read_code(wrong) for wrong in ("", "Z" * 11, "Z" * 13, "U" * 12)] == [None] * 4
    assert len(ALPHABET) == len(set(ALPHABET)) == 32


def test_a_server_does_not_play_itself() -> None:
    with pytest.raises(Refused) as refused:
        accept(invitation(), Team(HOME, ChannelId(2), UserId(3)), NOON)
    assert refused.value.key is Reason.TEAM_OWN_CODE


def test_a_code_works_once_and_for_a_week() -> None:
    accepted = accept(invitation(), GUEST_TEAM, Millis(NOON + CODE_MILLIS - 1))
    for contest, at in ((invitation(), NOON + CODE_MILLIS), (accepted, NOON), (decline(invitation(), GUEST, NOON), 0)):
        with pytest.raises(Refused) as refused:
            accept(contest, GUEST_TEAM, Millis(at))
        assert refused.value.key is Reason.NO_TEAM_CODE


def test_a_member_of_both_servers_plays_for_the_first_one_that_they_sign_up_for() -> None:
    contest = signed_up()
    for side, reason in ((Side.HOME, Reason.TEAM_SIGNED_UP), (Side.GUEST, Reason.TEAM_OTHER_SIDE)):
        with pytest.raises(Refused) as refused:
            sign_up(contest, member_of(FIRST, HOME), side, NOON)
        assert refused.value.key is reason
    assert sign_up(leave(contest, FIRST), member_of(FIRST, GUEST), Side.GUEST, NOON).players[-1].side is Side.GUEST


@pytest.mark.parametrize(
    ("user", "joined", "reason"),
    [
        (UserId(1), NOON, Reason.JOINED_TOO_LATE),
        (UserId(1), None, Reason.JOINED_TOO_LATE),
        (UserId(account_made(NOON - 6 * DAY)), NOON - DAY, Reason.ACCOUNT_TOO_NEW),
    ],
    ids=["joined since", "no member that Discord tells of", "a new account"],
)
def test_only_members_of_before_sign_up(user: UserId, joined: Millis | None, reason: Reason) -> None:
    contest = accept(invitation(), GUEST_TEAM, NOON)
    with pytest.raises(Refused) as refused:
        sign_up(contest, Member(user, GUEST, joined=joined), Side.GUEST, NOON)
    assert refused.value.key is reason


def test_a_side_is_full_at_some_point() -> None:
    contest = signed_up(MAX_SIGNED_UP, 0)
    with pytest.raises(Refused) as refused:
        sign_up(contest, member_of(UserId(1), HOME), Side.HOME, NOON)
    assert refused.value.key is Reason.TEAM_FULL
    assert sign_up(contest, member_of(UserId(1), GUEST), Side.GUEST, NOON)


def test_nobody_signs_up_after_the_date() -> None:
    with pytest.raises(Refused) as refused:
        sign_up(signed_up(), member_of(UserId(1), HOME), Side.HOME, BEGINS)
    assert refused.value.key is Reason.TEAM_IS_RUNNING


def test_the_best_substitute_takes_the_seat_of_one_who_did_not_come() -> None:
    contest = begin(signed_up(5, 3))
    again = replace_or_forfeit(contest, contest.boards[1], [Side.HOME])
    home = members(Side.HOME, 5)
    assert again.users_of(again.boards[1])[0] == home[3]
    assert (again.boards[1].match, again.boards[1].tries, again.boards[1].came) == (None, 1, (Side.HOME,))
    assert again.number_of(home[1]) is None
    twice = replace_or_forfeit(again, again.boards[1], [Side.HOME])
    assert twice.users_of(twice.boards[1])[0] == home[4]
    lost = replace_or_forfeit(twice, twice.boards[1], [Side.HOME]).boards[1]
    assert (lost.points, lost.unplayed) == (LOST, True)


def test_a_substitute_does_not_meet_one_whom_they_have_blocked() -> None:
    contest = begin(signed_up(5, 3))
    substitute, opponent = members(Side.HOME, 5)[3], members(Side.GUEST, 3)[0]
    blocked = {substitute: frozenset([opponent]), opponent: frozenset([substitute])}
    again = replace_or_forfeit(contest, contest.boards[0], [Side.HOME], blocked)
    assert again.users_of(again.boards[0])[0] == members(Side.HOME, 5)[4]


def test_nobody_gets_a_board_for_which_neither_side_has_a_player() -> None:
    contest = begin(signed_up(3, 3))
    board = replace_or_forfeit(contest, contest.boards[0], [Side.HOME, Side.GUEST]).boards[0]
    assert board.points == (0.0, 0.0)


def finished(*results: tuple[tuple[float, float], tuple[float, float]]) -> Contest:
    contest = begin(signed_up(len(results), len(results)))
    for board, (points, dots) in zip(contest.boards, results, strict=True):
        assert finish_when_decided(contest, BEGINS).stage is Stage.RUNNING
        contest = enter_result(contest, board, points, dots)
    return finish_when_decided(contest, BEGINS)


def test_of_equal_boards_the_dots_decide() -> None:
    contest = finished((WON, (5, 1)), (LOST, (0, 2)), (DRAWN, (3, 3)))
    assert (contest.stage, contest.ended, contest.score.winner) == (Stage.ENDED, BEGINS, Side.HOME)
    assert finished((WON, (5, 1)), (LOST, (0, 4)), (DRAWN, (0, 0))).score.winner is None


@examples(300)
@given(
    st.lists(
        st.tuples(st.sampled_from([WON, DRAWN, LOST]), st.tuples(st.integers(0, 40), st.integers(0, 40))),
        min_size=3,
        max_size=20,
    )
)
def test_each_board_brings_one_point_in_all(results: list[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    score = finished(*results).score
    assert sum(score.boards) == len(results) == score.decided
    mirrored = finished(*((points[::-1], dots[::-1]) for points, dots in results)).score
    assert mirrored.boards == score.boards[::-1]
    assert mirrored.winner == (None if score.winner is None else score.winner.other)


def test_one_server_cancels_before_the_games_and_both_together_later() -> None:
    assert withdraw(signed_up(), Side.GUEST, NOON).cause is Cause.WITHDRAWN
    proposed = withdraw(begin(signed_up()), Side.HOME, BEGINS)
    assert (proposed.stage, proposed.due) == (Stage.RUNNING, BEGINS + CANCEL_MILLIS)
    assert (notice_for(proposed, Side.HOME), notice_for(proposed, Side.GUEST)) == ("", f"proposed:{BEGINS}")
    with pytest.raises(Refused) as refused:
        withdraw(proposed, Side.HOME, BEGINS)
    assert refused.value.key is Reason.TEAM_PROPOSED
    assert withdraw(proposed, Side.GUEST, BEGINS).cause is Cause.AGREED


def test_a_proposal_waits_for_two_days() -> None:
    proposed, late = withdraw(begin(signed_up()), Side.HOME, BEGINS), Millis(BEGINS + CANCEL_MILLIS)
    assert drop_old_proposal(proposed, Millis(late - 1)) == proposed
    assert drop_old_proposal(proposed, late).proposed_by is None
    assert withdraw(proposed, Side.GUEST, late).stage is Stage.RUNNING


def test_a_server_without_a_channel_loses_the_boards_that_have_not_begun() -> None:
    contest = begin(signed_up(3, 3))
    assert [board.points for board in lose_channel(contest, Side.HOME).boards] == [LOST] * 3
    assert lose_channel(signed_up(), Side.HOME).cause is Cause.CHANNEL
    assert lose_channel(lose_channel(contest, Side.HOME), Side.GUEST).stage is Stage.CANCELLED


def test_a_vote_game_begins_when_it_is_accepted() -> None:
    contest = accept(replace(invitation(Kind.VOTE), sign_up=None), GUEST_TEAM, NOON)
    assert (contest.stage, len(contest.boards), contest.due) == (Stage.RUNNING, 1, None)
