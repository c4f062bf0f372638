"""Agreements on human time, as text and as a schedule."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.clock.agreement import (
    DEFAULT_PLAY_OUT,
    NO_AGREEMENT,
    NO_LIMIT,
    TimeAgreement,
    parse_agreement,
    parse_match_agreement,
)
from play.clock.schedule import UTC, ClockSchedule, parse_night
from play.ids import Millis, UserId
from play.people.settings import PlayerSettings
from play.refusal import Refused
from rules.registry import GAMES
from tests.clock import DAY, MINUTE

NIGHT, WARSAW = parse_night("22:00-07:00"), ZoneInfo("Europe/Warsaw")
OWL = PlayerSettings(UserId(1), night=NIGHT, zone=WARSAW)


@pytest.mark.parametrize(
    ("text", "agreement"),
    [
        ("", NO_AGREEMENT),
        ("quiet", TimeAgreement(quiet=True)),
        (" Vacation  WEEKENDS ", TimeAgreement(weekends=True, vacation=True)),
        ("quiet play-out=10m", TimeAgreement(quiet=True, play_out=Millis(10 * MINUTE))),
        ("play-out=none", TimeAgreement(play_out=NO_LIMIT)),
    ],
)
def test_an_agreement_is_read(text: str, agreement: TimeAgreement) -> None:
    assert parse_agreement(text) == agreement


@given(st.builds(TimeAgreement, st.booleans(), st.booleans(), st.booleans(), st.none() | st.just(Millis(90_000))))
def test_an_agreement_is_read_as_it_is_written(agreement: TimeAgreement) -> None:
    assert parse_agreement(str(agreement)) == agreement


@pytest.mark.parametrize(("text", "key"), [("naps", "bad_agreement"), ("play-out=soon", "bad_duration")])
def test_what_is_no_agreement_is_refused(text: str, key: str) -> None:
    with pytest.raises(Refused, match=key):
        parse_agreement(text)


@pytest.mark.parametrize(
    ("agreement", "person", "schedule"),
    [
        (NO_AGREEMENT, OWL, ClockSchedule()),
        (TimeAgreement(quiet=True), OWL, ClockSchedule(WARSAW, NIGHT)),
        (TimeAgreement(quiet=True), PlayerSettings(UserId(1)), ClockSchedule()),
        (TimeAgreement(quiet=True), PlayerSettings(UserId(1), night=NIGHT), ClockSchedule()),
        (TimeAgreement(weekends=True), OWL, ClockSchedule(WARSAW, weekends=True)),
        (TimeAgreement(weekends=True), PlayerSettings(UserId(1)), ClockSchedule(UTC, weekends=True)),
        (TimeAgreement(vacation=True), OWL, ClockSchedule()),
    ],
    ids=["nothing", "quiet", "no night", "no zone", "weekends", "weekends without a zone", "vacation"],
)
def test_a_clock_keeps_what_is_agreed_and_the_person_has_set(
    agreement: TimeAgreement, person: PlayerSettings, schedule: ClockSchedule
) -> None:
    assert agreement.schedule(person.zone, person.night) == schedule


@pytest.mark.parametrize(
    ("control", "agreement", "time"),
    [
        ("10m+30s", NO_AGREEMENT, DEFAULT_PLAY_OUT[Speed.LIVE]),
        ("3d", NO_AGREEMENT, DEFAULT_PLAY_OUT[Speed.DAYS]),
        ("3d", TimeAgreement(play_out=DAY), DAY),
    ],
)
def test_playing_out_takes_as_long_as_the_speed_has_it_or_as_is_agreed(
    control: str, agreement: TimeAgreement, time: Millis
) -> None:
    assert agreement.time_to_play_out(parse_control(control)) == time


def test_in_a_live_game_playing_out_takes_four_minutes() -> None:
    assert DEFAULT_PLAY_OUT[Speed.LIVE] == 4 * MINUTE


@pytest.mark.parametrize(
    ("control", "time"), [("10m", DEFAULT_PLAY_OUT[Speed.DAYS]), ("9m", None), ("3d", None), ("none", None)]
)
def test_a_match_of_before_keeps_its_time_to_play_out(control: str, time: Millis | None) -> None:
    """Until 10 minutes for each move counted as live, such a match had days for it."""
    assert parse_match_agreement("weekends", parse_control(control)) == TimeAgreement(weekends=True, play_out=time)


def test_a_match_that_begins_writes_its_time_to_play_out_down() -> None:
    settled = Terms(GAMES["zagram"], parse_control("10m")).settled_agreement
    assert str(settled) == "play-out=4m"
    assert parse_match_agreement(str(settled), parse_control("10m")) == settled
