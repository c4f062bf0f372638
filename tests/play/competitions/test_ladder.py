"""A ladder: duels for a place, and their effects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.ladder import (
    MAX_IDLE_MILLIS,
    MAX_PLAYERS,
    MAX_STEP,
    Duel,
    DuelEnd,
    Ladder,
    Rung,
    add_duel,
    decide_duel,
    join,
    judge_duel,
    leave,
    players_above,
    remove_idle,
)
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MessageId, Millis, UserId
from play.match import moves
from play.match.adjudication import adjudge as adjudicate
from play.match.adjudication import annul
from play.refusal import Refused
from tests.bot.table import a_match
from tests.clock import NOON
from tests.matches import GAME, resign

PEOPLE = tuple(UserId(101 + number) for number in range(8))
DEFENDER, CHALLENGER = PEOPLE[0], PEOPLE[1]
DUEL = Duel(ChallengeId(7), CHALLENGER, DEFENDER)
LATER = Millis(NOON + 5)


def terms(control: str = "3d") -> Terms:
    return Terms(GAME, parse_control(control))


def ladder(count: int = 8) -> Ladder:
    return Ladder(GuildId(7), ChannelId(1), terms(), tuple(Rung(user, NOON) for user in PEOPLE[:count]))


def duel(challenger: int, defender: int) -> Duel:
    """Returns a duel between the players on these places."""
    return Duel(ChallengeId(7), PEOPLE[challenger - 1], PEOPLE[defender - 1])


def test_a_player_who_joins_gets_the_last_place() -> None:
    assert join(ladder(2), UserId(999), NOON).place(UserId(999)) == 3


def test_nobody_stands_on_it_twice() -> None:
    with pytest.raises(Refused, match="ladder_on_already"):
        join(ladder(), PEOPLE[0], NOON)


def test_a_ladder_has_an_end() -> None:
    full = Ladder(GuildId(7), ChannelId(1), terms(), tuple(Rung(UserId(n + 1), NOON) for n in range(MAX_PLAYERS)))
    with pytest.raises(Refused, match="ladder_full"):
        join(full, UserId(999), NOON)


def test_those_below_move_up_when_somebody_leaves() -> None:
    assert leave(ladder(3), PEOPLE[0]).users == PEOPLE[1:3]


def test_a_duel_of_a_player_who_leaves_decides_nothing() -> None:
    assert leave(add_duel(ladder(), CHALLENGER, DEFENDER, DUEL.challenge), DEFENDER).duels == ()


@pytest.mark.parametrize(("own", "above"), [(2, 1), (1 + MAX_STEP, 1), (8, 8 - MAX_STEP)])
def test_a_place_within_reach_can_be_played_for(own: int, above: int) -> None:
    assert add_duel(ladder(), PEOPLE[own - 1], PEOPLE[above - 1], ChallengeId(7)).duels == (duel(own, above),)


@pytest.mark.parametrize(("own", "above"), [(2 + MAX_STEP, 1), (1, 2), (3, 3)])
def test_other_places_cannot(own: int, above: int) -> None:
    with pytest.raises(Refused, match="ladder_reach"):
        add_duel(ladder(), PEOPLE[own - 1], PEOPLE[above - 1], ChallengeId(7))


def test_everybody_has_one_duel_at_a_time() -> None:
    busy = add_duel(ladder(), PEOPLE[1], PEOPLE[0], ChallengeId(7))
    for one, other in ((2, 0), (2, 1)):
        with pytest.raises(Refused, match="ladder_duel"):
            add_duel(busy, PEOPLE[one], PEOPLE[other], ChallengeId(8))


def test_a_stranger_has_no_part_in_it() -> None:
    with pytest.raises(Refused, match="ladder_not_on"):
        add_duel(ladder(), UserId(999), PEOPLE[0], ChallengeId(7))


def test_a_challenger_who_wins_takes_the_place() -> None:
    after = decide_duel(ladder(5), duel(4, 2), LATER, won=True)
    assert after.users == (PEOPLE[0], PEOPLE[3], PEOPLE[1], PEOPLE[2], PEOPLE[4])


def test_a_challenger_who_does_not_win_changes_nothing() -> None:
    assert decide_duel(ladder(), duel(4, 2), LATER, won=False).users == ladder().users


def test_both_have_played_then() -> None:
    after = decide_duel(ladder(3), duel(3, 1), LATER, won=True)
    assert {rung.user: rung.played for rung in after.rungs} == {PEOPLE[0]: LATER, PEOPLE[1]: NOON, PEOPLE[2]: LATER}


def test_a_challenger_who_is_above_already_stays_there() -> None:
    assert decide_duel(ladder(), duel(2, 5), LATER, won=True).users == ladder().users


def test_a_player_who_has_not_played_for_long_leaves() -> None:
    busy = add_duel(ladder(3), CHALLENGER, DEFENDER, DUEL.challenge)
    assert remove_idle(busy, Millis(NOON + MAX_IDLE_MILLIS)) == busy
    assert remove_idle(busy, Millis(NOON + MAX_IDLE_MILLIS + 1)).users == (DEFENDER, CHALLENGER)


def challenge(state: ChallengeState = ChallengeState.ACCEPTED, control: str = "3d") -> Challenge:
    return Challenge(
        ChallengeId(7),
        GuildId(7),
        ChannelId(1),
        CHALLENGER,
        DEFENDER,
        terms(control),
        made=NOON,
        state=state,
        message=MessageId(5),
    )


def end(state: ChallengeState, control: str = "3d") -> DuelEnd | None:
    return judge_duel(DUEL, challenge(state, control), None)


@pytest.mark.parametrize(("loser", "ending"), [(DEFENDER, DuelEnd.WON), (CHALLENGER, DuelEnd.LOST)])
def test_the_game_decides(loser: UserId, ending: DuelEnd) -> None:
    assert judge_duel(DUEL, challenge(), resign(a_match("zagram", "e5", "f5"), loser)) is ending


@pytest.mark.parametrize(("user", "ending"), [(DEFENDER, DuelEnd.FORFEITED), (CHALLENGER, DuelEnd.ABANDONED)])
def test_the_player_who_calls_the_game_off_has_lost(user: UserId, ending: DuelEnd) -> None:
    match = moves.abort(a_match("zagram"), user, NOON, IdempotencyKey(9))
    assert judge_duel(DUEL, challenge(), match) is ending


def test_a_draw_holds_the_place() -> None:
    match = a_match("zagram", "e5", "f5")
    drawn = adjudicate(match, UserId(5), None, NOON, IdempotencyKey(9))
    assert judge_duel(DUEL, challenge(), drawn) is DuelEnd.DRAWN
    assert not DuelEnd.DRAWN.takes_place


def test_an_annulled_game_decides_nothing() -> None:
    assert judge_duel(DUEL, challenge(), annul(a_match("zagram", "e5"), UserId(5), NOON, IdempotencyKey(9))) is None


def test_a_challenge_by_the_day_has_to_be_taken() -> None:
    assert end(ChallengeState.DECLINED) is DuelEnd.DECLINED
    assert end(ChallengeState.EXPIRED) is DuelEnd.UNANSWERED
    assert DuelEnd.DECLINED.takes_place
    assert DuelEnd.UNANSWERED.takes_place


@pytest.mark.parametrize("state", [ChallengeState.DECLINED, ChallengeState.EXPIRED])
def test_a_live_challenge_may_be_left(state: ChallengeState) -> None:
    assert end(state, "10m+30s") is None


def test_a_challenge_that_is_taken_back_decides_nothing() -> None:
    assert end(ChallengeState.WITHDRAWN) is None


def test_the_five_players_above_are_within_reach() -> None:
    assert players_above(ladder(), PEOPLE[6]) == PEOPLE[1:6]
    assert players_above(ladder(), PEOPLE[2]) == PEOPLE[:2]
    assert players_above(ladder(), PEOPLE[0]) == ()


@pytest.mark.parametrize("state", [ChallengeState.DECLINED, ChallengeState.EXPIRED])
def test_a_challenge_that_was_never_posted_decides_nothing(state: ChallengeState) -> None:
    assert judge_duel(DUEL, replace(challenge(state), message=None), None) is None
