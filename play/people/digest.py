"""The morning digest of a player: when it is due, once in each local day."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from play.clock.schedule import MAX_NIGHT_MINUTES, UTC
from play.ids import DAY, HOUR, Millis, UserId
from play.people.settings import PlayerSettings

DIGEST_HOURS: Final = range(5, 13)
"""The hours of the day at which a digest may come."""

MAX_LATE_MILLIS = Millis(4 * HOUR)
"""How late a digest still comes, after a downtime. Later the morning is over, and it is left out."""

MAX_AHEAD_DAYS = 2
"""Days between the local dates of two time zones. Further ahead is only what a wrong clock has planned."""

DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Digest:
    """The plan of a player's digests.

    `due` is when the next one is sent, None while there is none. `day` is the last local day that is done, as an
    ordinal of `datetime.date`. Ends of matches up to `told` were told. `tried` is when the due digest was first sent;
    it is None if that has not happened, or the chat has refused it.
    """

    user: UserId
    due: Millis | None
    day: int
    told: Millis
    tried: Millis | None = None

    def is_planned_wrongly(self, now: Millis) -> bool:
        """Returns whether a clock that was ahead has planned it."""
        return self.due is not None and self.due > now + (MAX_AHEAD_DAYS + 1) * DAY


def switch_digest(known: Digest | None, settings: PlayerSettings, now: Millis) -> Digest | None:
    """Returns the plan by changed `settings`; `known` is the one before.

    A digest that is switched on after its hour begins tomorrow. After a change of the hour or the zone, it comes at
    once if its new hour has just passed and today has had none.
    """
    if settings.digest is None:
        return known and replace(known, due=None, tried=None)
    if known is None or known.due is None:
        today = settings.local_day(now)
        begun = today if _moment(settings, today) <= now else today - 1
        known = Digest(settings.id, None, max(begun, known.day if known else begun), now)
    return plan_digest(known, settings, now)


def plan_digest(digest: Digest, settings: PlayerSettings, now: Millis) -> Digest:
    """Returns the plan with its next digest: on the first day that is not done, unless its hour is too long ago."""
    if settings.digest is None:
        return replace(digest, due=None)
    today = settings.local_day(now)
    done = digest.day if digest.day <= today + MAX_AHEAD_DAYS else today
    day = max(done + 1, today - 1)
    while _moment(settings, day) <= now - MAX_LATE_MILLIS:
        day += 1
    return replace(digest, due=_moment(settings, day), day=done)


def finish_digest(digest: Digest, settings: PlayerSettings, now: Millis, told: Millis) -> Digest:
    """Returns the plan after the digest that was due: sent, empty or left out. The next one tells ends after `told`."""
    assert digest.due is not None, "it was due"
    day = max(digest.day, _digest_day(digest.due, settings))
    return plan_digest(replace(digest, day=day, told=told, tried=None), settings, now)


def _digest_day(due: Millis, settings: PlayerSettings) -> int:
    """Returns the local day whose digest is due then; quiet hours may have put it off into the next one."""
    day = settings.local_day(due)
    return day - 1 if settings.digest is not None and _moment(settings, day - 1) >= due else day


def _moment(settings: PlayerSettings, day: int) -> Millis:
    """Returns when the digest of a local day is due."""
    minutes = digest_minutes(settings)
    local = datetime.combine(date.fromordinal(day), time(tzinfo=settings.zone or UTC)) + timedelta(minutes=minutes)
    return Millis(int(local.timestamp() * 1000))


def digest_minutes(settings: PlayerSettings) -> int:
    """Returns the minutes from a local midnight until the digest of that day: its hour, or the end of the quiet hours
    around that, which may be on the next day."""
    assert settings.digest is not None, "there is a digest"
    minutes = settings.digest * 60
    if night := settings.night:
        length = min((night.end - night.start) % DAY_MINUTES, MAX_NIGHT_MINUTES)
        since = (minutes - night.start) % DAY_MINUTES
        minutes += length - since if since < length else 0
    return minutes
