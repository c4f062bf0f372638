"""When a morning digest is due."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from play.clock.schedule import parse_night
from play.ids import Millis, UserId
from play.people.digest import MAX_LATE_MILLIS, Digest, finish_digest, plan_digest, switch_digest
from play.people.settings import PlayerSettings
from tests.clock import DAY, HOUR, MINUTE

WARSAW, NEW_YORK = ZoneInfo("Europe/Warsaw"), ZoneInfo("America/New_York")
OLA = PlayerSettings(UserId(1), digest=8, zone=WARSAW)


def at(text: str, zone: ZoneInfo = WARSAW) -> Millis:
    return Millis(int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000))


def local(due: Millis | None, zone: ZoneInfo = WARSAW) -> str:
    assert due is not None
    return datetime.fromtimestamp(due / 1000, zone).isoformat(" ", "minutes")[:16]


def switched_on(now: Millis, settings: PlayerSettings = OLA) -> Digest:
    digest = switch_digest(None, settings, now)
    assert digest is not None
    return digest


def finished(digest: Digest, settings: PlayerSettings, now: Millis) -> Digest:
    return finish_digest(digest, settings, now, now)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2025-06-15 07:59", "2025-06-15 08:00"),
        ("2025-06-15 08:00", "2025-06-16 08:00"),
        ("2025-06-15 09:30", "2025-06-16 08:00"),
    ],
)
def test_a_digest_begins_at_its_next_hour(now: str, due: str) -> None:
    assert local(switched_on(at(now)).due) == due


def test_without_a_zone_the_hour_is_that_of_utc() -> None:
    digest = switched_on(at("2025-06-15 07:00"), replace(OLA, zone=None))
    assert local(digest.due, ZoneInfo("UTC")) == "2025-06-15 08:00"


@pytest.mark.parametrize("date", ["2025-03-30", "2025-10-26"])
def test_summer_time_moves_no_digest(date: str) -> None:
    digest = switched_on(at(f"{date} 00:30"))
    assert local(digest.due) == f"{date} 08:00"
    after = finished(digest, OLA, at(f"{date} 08:00"))
    assert local(after.due)[11:] == "08:00"
    assert after.due is not None
    assert digest.due is not None
    assert after.due - digest.due == DAY


@pytest.mark.parametrize(
    ("night", "due"),
    [
        ("22:00-09:30", "2025-06-16 09:30"),
        ("22:00-08:00", "2025-06-16 08:00"),
        ("22:00-07:00", "2025-06-16 08:00"),
        ("06:00-14:00", "2025-06-16 14:00"),
        ("07:00-06:00", "2025-06-16 19:00"),
    ],
)
def test_quiet_hours_come_first(night: str, due: str) -> None:
    settings = replace(OLA, night=parse_night(night))
    assert local(switched_on(at("2025-06-15 23:00"), settings).due) == due


def test_a_late_digest_leaves_the_next_one_where_it_was() -> None:
    digest = switched_on(at("2025-06-15 07:00"))
    assert local(finished(digest, OLA, at("2025-06-15 11:30")).due) == "2025-06-16 08:00"


def test_days_of_downtime_are_left_out_and_not_made_up_for() -> None:
    digest = switched_on(at("2025-06-15 07:00"))
    assert local(finished(digest, OLA, at("2025-06-18 13:00")).due) == "2025-06-19 08:00"
    assert local(finished(digest, OLA, at("2025-06-18 11:00")).due) == "2025-06-18 08:00"


def test_a_zone_further_west_brings_no_second_digest_on_a_day() -> None:
    done = finished(switched_on(at("2025-06-15 07:00")), OLA, at("2025-06-15 08:00"))
    moved = switch_digest(done, replace(OLA, zone=NEW_YORK), at("2025-06-15 08:05"))
    assert moved is not None
    assert local(moved.due, NEW_YORK) == "2025-06-16 08:00"


def test_a_zone_further_east_brings_the_digest_at_once_while_it_is_morning_there() -> None:
    settings = replace(OLA, zone=ZoneInfo("Europe/London"))
    waiting = switched_on(at("2025-06-15 08:30"), settings)
    moved = switch_digest(waiting, OLA, at("2025-06-15 08:35"))
    assert moved is not None
    assert local(moved.due) == "2025-06-15 08:00"


def test_changing_the_zone_to_and_fro_brings_one_digest_a_day() -> None:
    zones, sent, now = [WARSAW, NEW_YORK, ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Pago_Pago")], 0, 0
    settings, start = OLA, at("2025-06-15 00:00")
    digest = switched_on(start)
    for number in range(20 * 24 * 4):
        now = Millis(start + number * 15 * MINUTE)
        settings = replace(settings, zone=zones[number % len(zones)])
        changed = switch_digest(digest, settings, now)
        assert changed is not None
        digest = changed
        if digest.due is not None and now - MAX_LATE_MILLIS < digest.due <= now:
            sent, digest = sent + 1, finished(digest, settings, now)
    assert 18 <= sent <= 22


def test_switching_it_off_and_on_brings_no_second_digest() -> None:
    done = finished(switched_on(at("2025-06-15 07:00")), OLA, at("2025-06-15 08:00"))
    off = switch_digest(done, replace(OLA, digest=None), at("2025-06-15 08:01"))
    assert off is not None
    assert off.due is None
    on = switch_digest(off, replace(OLA, digest=9), at("2025-06-15 08:02"))
    assert on is not None
    assert local(on.due) == "2025-06-16 09:00"


def test_a_clock_that_was_ahead_by_a_year_silences_nobody_for_a_year() -> None:
    ahead = finished(switched_on(at("2025-06-15 07:00")), OLA, at("2026-06-15 08:00"))
    wrong = replace(ahead, day=ahead.day + 365)
    now = at("2025-06-15 12:00")
    assert ahead.is_planned_wrongly(now)
    assert local(plan_digest(wrong, OLA, now).due) == "2025-06-16 08:00"


def test_a_digest_of_the_right_clock_is_planned_rightly() -> None:
    now = at("2025-06-15 08:00")
    assert not finished(switched_on(at("2025-06-15 07:00")), OLA, now).is_planned_wrongly(now)
    assert finished(switched_on(at("2025-06-15 07:00")), OLA, Millis(now + HOUR)).tried is None
