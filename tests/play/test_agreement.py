"""Agreements on human time, as text and as a schedule."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.clock import Speed, parse_control
from play.clock.agreement import DEFAULT_PLAY_OUT, NOTHING, Agreement, parse_agreement
from play.clock.night import parse_night
from play.clock.schedule import UTC, Calendar
from play.ids import Millis, UserId
from play.people.settings import Person
from play.refusal import Refused
from tests.clock import DAY, MINUTE

NIGHT, WARSAW = parse_night("22:00-07:00"), ZoneInfo("Europe/Warsaw")
OWL = Person(UserId(1), night=NIGHT, zone=WARSAW)


@pytest.mark.parametrize(
    ("text", "agreement"),
    [
        ("", NOTHING),
        ("quiet", Agreement(quiet=True)),
        (" Vacation  WEEKENDS ", Agreement(weekends=True, vacation=True)),
        ("quiet play-out=10m", Agreement(quiet=True, play_out=Millis(10 * MINUTE))),
    ],
)
def test_an_agreement_is_read(text: str, agreement: Agreement) -> None:
    assert parse_agreement(text) == agreement


@given(st.builds(Agreement, st.booleans(), st.booleans(), st.booleans(), st.none() | st.just(Millis(90_000))))
def test_an_agreement_is_read_as_it_is_written(agreement: Agreement) -> None:
    assert parse_agreement(str(agreement)) == agreement


@pytest.mark.parametrize(("text", "key"), [("naps", "bad_agreement"), ("play-out=soon", "bad_duration")])
def test_what_is_no_agreement_is_refused(text: str, key: str) -> None:
    with pytest.raises(Refused, match=key):
        parse_agreement(text)


@pytest.mark.parametrize(
    ("agreement", "person", "schedule"),
    [
        (NOTHING, OWL, Calendar()),
        (Agreement(quiet=True), OWL, Calendar(WARSAW, NIGHT)),
        (Agreement(quiet=True), Person(UserId(1)), Calendar()),
        (Agreement(quiet=True), Person(UserId(1), night=NIGHT), Calendar()),
        (Agreement(weekends=True), OWL, Calendar(WARSAW, weekends=True)),
        (Agreement(weekends=True), Person(UserId(1)), Calendar(UTC, weekends=True)),
        (Agreement(vacation=True), OWL, Calendar()),
    ],
    ids=["nothing", "quiet", "no night", "no zone", "weekends", "weekends without a zone", "vacation"],
)
def test_a_clock_keeps_what_is_agreed_and_the_person_has_set(
    agreement: Agreement, person: Person, schedule: Calendar
) -> None:
    assert agreement.schedule(person.zone, person.night) == schedule


@pytest.mark.parametrize(
    ("control", "agreement", "time"),
    [
        ("10m+30s", NOTHING, DEFAULT_PLAY_OUT[Speed.LIVE]),
        ("3d", NOTHING, DEFAULT_PLAY_OUT[Speed.DAYS]),
        ("3d", Agreement(play_out=DAY), DAY),
    ],
)
def test_playing_out_takes_as_long_as_the_speed_has_it_or_as_is_agreed(
    control: str, agreement: Agreement, time: Millis
) -> None:
    assert agreement.time_to_play_out(parse_control(control)) == time


def test_in_a_live_game_playing_out_takes_four_minutes() -> None:
    assert DEFAULT_PLAY_OUT[Speed.LIVE] == 4 * MINUTE
