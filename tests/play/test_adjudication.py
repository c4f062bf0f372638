"""Decisions of a moderator about a match."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from play.clock import MAX_DURATION
from play.ids import IdempotencyKey, Millis, UserId
from play.match import adjudication
from play.match.match import Match
from play.refusal import Refused
from rules.game import Outcome, Seat
from tests.clock import HOUR, NOON
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn, resign

SOURCE = IdempotencyKey(1)
Deciding = Callable[[Match, UserId], Match]


def annulled(match: Match, moderator: UserId) -> Match:
    return adjudication.annul(match, moderator, NOON, SOURCE)


def won(match: Match, moderator: UserId, winner: UserId | None = BORIS) -> Match:
    return adjudication.adjudge(match, moderator, winner, NOON, SOURCE)


def extended(match: Match, moderator: UserId, player: UserId = BORIS, time: int = HOUR) -> Match:
    return adjudication.extend(match, moderator, player, Millis(time), NOON, SOURCE)


def test_an_annulled_match_is_undecided() -> None:
    match = annulled(play_turn(a_match()), CLARA)
    assert (match.outcome, match.events[-1].by) == (Outcome((), "annulled"), CLARA)


@pytest.mark.parametrize(("winner", "winners"), [(BORIS, (Seat(1),)), (ANNA, (Seat(0),)), (None, (Seat(0), Seat(1)))])
def test_a_match_ends_as_it_was_decided(winner: UserId | None, winners: tuple[Seat, ...]) -> None:
    match = won(a_match(), CLARA, winner)
    assert (match.outcome, match.events[-1].by) == (Outcome(winners, "adjudged"), CLARA)


def test_a_player_is_given_time() -> None:
    match = extended(a_match(), CLARA)
    assert list(match.clock.remaining) == [HOUR, 2 * HOUR]


@pytest.mark.parametrize("deciding", [annulled, won, extended])
def test_a_player_does_not_judge_his_own_match(deciding: Deciding) -> None:
    with pytest.raises(Refused, match="own_match"):
        deciding(a_match(), ANNA)


@pytest.mark.parametrize("deciding", [annulled, won, extended])
def test_what_is_over_stays_as_it_ended(deciding: Deciding) -> None:
    with pytest.raises(Refused, match="match_over"):
        deciding(resign(a_match()), CLARA)


def test_somebody_else_neither_wins_nor_has_a_clock() -> None:
    with pytest.raises(Refused, match="not_a_player"):
        won(a_match(), CLARA, UserId(9))
    with pytest.raises(Refused, match="not_a_player"):
        extended(a_match(), CLARA, UserId(9))


@pytest.mark.parametrize(("control", "time", "key"), [("none", HOUR, "no_time"), ("1h", MAX_DURATION + 1, "too_much")])
def test_time_is_given_where_there_is_a_clock_and_within_reason(control: str, time: int, key: str) -> None:
    with pytest.raises(Refused, match=key):
        extended(a_match(control=control), CLARA, time=time)
