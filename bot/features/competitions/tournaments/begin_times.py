"""The time at which a tournament begins, as hosts type it: `in 2 days`, `tomorrow 18:00`, or a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from dateparser.date import DateDataParser

from play.ids import DAY, MINUTE, Millis
from play.refusal import Reason, Refused
from presentation.words.words import Words

MAX_TYPED = 40
"""Characters of a typed time."""

MIN_AHEAD_MILLIS: Final = Millis(10 * MINUTE)
MAX_AHEAD_MILLIS: Final = Millis(60 * DAY)
"""A sign-up takes from 10 minutes to 60 days."""

_NOW_MICROSECOND: Final = 1
"""The microsecond of the moment from which is counted: what is found keeps it only without a time of day."""

_FAR_EAST = ZoneInfo("Asia/Tokyo")
"""A time that is the same there and by UTC needs no time zone."""


def read_begin(typed: str, zone: ZoneInfo | None, now: Millis, words: Words) -> Millis:
    """Returns the moment that a host means, in the language of `words` or in English.

    Raises Refused (`bad_begins`, `begins_needs_zone`, `begins_when`).
    """
    begins = _parse(typed, zone or ZoneInfo("UTC"), now, words)
    if begins is None:
        raise Refused(Reason.BAD_BEGINS, example=_example(zone or ZoneInfo("UTC"), now))
    if zone is None and begins != _parse(typed, _FAR_EAST, now, words):
        raise Refused(Reason.BEGINS_NEEDS_ZONE)
    if not MIN_AHEAD_MILLIS <= begins - now <= MAX_AHEAD_MILLIS:
        raise Refused(Reason.BEGINS_WHEN, least=words.duration(MIN_AHEAD_MILLIS), most=words.duration(MAX_AHEAD_MILLIS))
    return begins


def _example(zone: ZoneInfo, now: Millis) -> str:
    """Returns an evening in a week as it can be typed, so that the example in a sentence is never in the past."""
    return f"{datetime.fromtimestamp(now / 1000, zone) + timedelta(days=7):%Y-%m-%d} 18:00"


def _parse(typed: str, zone: ZoneInfo, now: Millis, words: Words) -> Millis | None:
    """Returns the moment that a text means in a time zone; None if it means none.

    Hours and minutes are counted in time. Days keep the time of day, also while the clocks change.
    Source: RFC 5545, section 3.3.6 (exact and nominal durations).
    """
    there = datetime.fromtimestamp(now / 1000, zone).replace(tzinfo=None, microsecond=_NOW_MICROSECOND)
    parser = DateDataParser(
        languages=list(dict.fromkeys((words.locale.language, "en"))),
        settings={
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "DMY",
            "RELATIVE_BASE": there,
            "RETURN_TIME_AS_PERIOD": True,
        },
    )
    try:
        read = parser.get_date_data(typed)
        found = read.date_obj
        if found is None:
            return None
        if (
            read.period != "time"
            and found.microsecond == _NOW_MICROSECOND
            and _passes_over_number(parser, typed, found)
        ):
            return None
        if read.period == "time" and found.microsecond == _NOW_MICROSECOND:
            return Millis(now + (found.replace(tzinfo=None) - there) // timedelta(milliseconds=1))
        moment = found if found.tzinfo else found.replace(tzinfo=zone)
        return Millis(int(moment.astimezone(UTC).timestamp() * 1000))
    except (ValueError, OverflowError):  # the last days of the year 9999
        return None


def _passes_over_number(parser: DateDataParser, typed: str, found: datetime) -> bool:
    """Returns whether a number in a text means nothing to the parser, as the hour of `tomorrow 25:00`."""
    return any(
        parser.get_date_data(f"{typed[: each.start()]}{int(each[0]) + 1}{typed[each.end() :]}").date_obj == found
        for each in re.finditer(r"\d+", typed)
    )
