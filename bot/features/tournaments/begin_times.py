"""The time at which a tournament begins, as hosts type it: `in 2 days`, `tomorrow 18:00`, `2026-11-25 18:00`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from dateparser.date import DateDataParser

from bot.i18n.words import Words
from play.ids import Millis
from play.refusal import Reason, Refused

MAX_TYPED = 40
"""Characters of a typed time."""

MIN_AHEAD_MILLIS: Final = Millis(10 * 60_000)
MAX_AHEAD_MILLIS: Final = Millis(60 * 86_400_000)
"""A sign-up takes from 10 minutes to 60 days."""

_FAR_EAST = ZoneInfo("Asia/Tokyo")
"""A time that is the same there and by UTC needs no time zone."""


def read_begin(typed: str, zone: ZoneInfo | None, now: Millis, words: Words) -> Millis:
    """Returns the moment that a host means, in the language of `words` or in English.

    Raises Refused (`bad_begins`, `begins_needs_zone`, `begins_when`).
    """
    begins = _parse(typed, zone or ZoneInfo("UTC"), now, words)
    if begins is None:
        raise Refused(Reason.BAD_BEGINS)
    if zone is None and begins != _parse(typed, _FAR_EAST, now, words):
        raise Refused(Reason.BEGINS_NEEDS_ZONE)
    if not MIN_AHEAD_MILLIS <= begins - now <= MAX_AHEAD_MILLIS:
        raise Refused(Reason.BEGINS_WHEN, least=words.duration(MIN_AHEAD_MILLIS), most=words.duration(MAX_AHEAD_MILLIS))
    return begins


def _parse(typed: str, zone: ZoneInfo, now: Millis, words: Words) -> Millis | None:
    """Returns the moment that a text means in a time zone; None if it means none."""
    there = datetime.fromtimestamp(now / 1000, zone)
    parser = DateDataParser(
        languages=list(dict.fromkeys((words.locale.language, "en"))),
        settings={
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "DMY",
            "RELATIVE_BASE": there.replace(tzinfo=None),
        },
    )
    try:
        found = parser.get_date_data(typed).date_obj
        if found is None:
            return None
        moment = found if found.tzinfo else found.replace(tzinfo=zone)
        return Millis(int(moment.astimezone(UTC).timestamp() * 1000))
    except (ValueError, OverflowError):  # the last days of the year 9999
        return None
