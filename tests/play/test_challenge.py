"""Who may accept, decline or take back a challenge, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from play.challenge import LIFETIME, Challenge, ChallengeState, Terms, declined, taken
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, Millis, UserId
from play.refused import Refused
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD

TO_BORIS = Challenge(ChallengeId(1), GUILD, ChannelId(1), ANNA, BORIS, Terms(GAME, parse_control("3d")), NOON)
TO_ALL = replace(TO_BORIS, opponent=None)
Answer = Callable[[Challenge, UserId, Millis], Challenge]


@pytest.mark.parametrize(
    ("challenge", "user"), [(TO_BORIS, BORIS), (TO_ALL, BORIS), (TO_ALL, CLARA)], ids=["asked", "anybody", "else"]
)
def test_a_challenge_is_taken_by_who_may(challenge: Challenge, user: UserId) -> None:
    assert taken(challenge, user, NOON) == replace(challenge, opponent=user, state=ChallengeState.ACCEPTED)


def test_who_was_asked_declines() -> None:
    assert declined(TO_BORIS, BORIS, NOON).state is ChallengeState.DECLINED


@pytest.mark.parametrize("challenge", [TO_BORIS, TO_ALL], ids=["to one", "to all"])
def test_who_made_a_challenge_takes_it_back(challenge: Challenge) -> None:
    assert declined(challenge, ANNA, NOON).state is ChallengeState.WITHDRAWN


@pytest.mark.parametrize(
    ("answer", "challenge", "user", "key"),
    [
        (taken, TO_BORIS, ANNA, "own_challenge"),
        (taken, TO_ALL, ANNA, "own_challenge"),
        (taken, TO_BORIS, CLARA, "not_your_challenge"),
        (declined, TO_BORIS, CLARA, "not_your_challenge"),
        (declined, TO_ALL, CLARA, "open_challenge_stays"),
    ],
)
def test_a_challenge_is_refused_to_who_may_not(answer: Answer, challenge: Challenge, user: UserId, key: str) -> None:
    with pytest.raises(Refused, match=key):
        answer(challenge, user, NOON)


@pytest.mark.parametrize("answer", [taken, declined])
@pytest.mark.parametrize("state", [state for state in ChallengeState if state is not ChallengeState.OPEN])
def test_a_challenge_that_has_ended_says_how(answer: Answer, state: ChallengeState) -> None:
    with pytest.raises(Refused, match=f"challenge_{state}"):
        answer(replace(TO_BORIS, state=state), BORIS, NOON)


def test_a_challenge_lives_for_a_week() -> None:
    assert taken(TO_BORIS, BORIS, Millis(NOON + LIFETIME - 1)).state is ChallengeState.ACCEPTED


@pytest.mark.parametrize("answer", [taken, declined])
def test_a_challenge_older_than_a_week_is_over(answer: Answer) -> None:
    with pytest.raises(Refused, match="challenge_expired"):
        answer(TO_BORIS, BORIS, Millis(NOON + LIFETIME))
