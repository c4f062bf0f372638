"""A player's time zone and quiet hours: in words, in the form that asks for them, and as they were typed."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.modals import make_form
from bot.interactions.offers import TextField
from bot.interactions.selects import Choice, Select, select
from play.clock.night import Night, parse_night
from play.ids import Millis
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from presentation.words.words import Words
from presentation.words.zones import Found, Guess, find_zones, zone_name

MAX_TEXT = 60
"""Characters of a typed time zone, and of typed quiet hours."""

ZONE, NIGHT = TextField("zone", MAX_TEXT, required=False), TextField("night", MAX_TEXT, required=False)
FIELDS = {ZONE: "Kraków, Москва, UTC+3", NIGHT: "22:00-07:00"}
"""The fields of the form, with an example of each."""


def describe_hours(settings: PlayerSettings, now: Millis, words: Words) -> str:
    """Returns the time zone and the quiet hours, with the time in that zone, which shows a player a wrong zone."""
    if settings.zone is None:
        return words("me.no_zone")
    there, zone = words.time(now, settings.zone), zone_name(settings.zone, words.locale)
    if settings.night is None:
        return words("me.zone", zone=zone, time=there)
    night = "–".join(map(words.time_of_day, (settings.night.start, settings.night.end)))
    return words("me.night", zone=zone, time=there, night=night)


def hours_form(settings: PlayerSettings, words: Words) -> discord.ui.Modal:
    """Returns the form for both, filled with the present settings."""
    now = {"zone": zone_name(settings.zone, words.locale) if settings.zone else "", "night": str(settings.night or "")}
    questions = (
        discord.ui.Label[Any](
            text=words(f"me.{field.name}.label"),
            description=words(f"me.{field.name}.description"),
            component=field.make(default=now[field.name], placeholder=example),
        )
        for field, example in FIELDS.items()
    )
    return make_form(ids.QUIET_HOURS(), words("me.clock.title"), *questions)


class Hours(NamedTuple):
    """What was typed: the zones that it may mean, if it was any, and the quiet hours, if any."""

    zones: Found | None
    night: Night | None

    @property
    def changes(self) -> dict[str, Any] | None:
        """The changes of a player's settings; None if the player has to choose a zone first."""
        if self.zones is None:
            return {"zone": None, "night": None}
        return {"zone": self.zones.guesses[0].zone, "night": self.night} if self.zones.certain else None


async def read_hours(zone: str, night: str, settings: PlayerSettings, now: Millis, words: Words) -> Hours:
    """Reads what a player typed; an empty text deletes a setting, and an unchanged zone stays.

    Raises Refused (`night_needs_zone`, and those of `find_zones` and `parse_night`).
    """
    if night and not zone:
        raise Refused(Reason.NIGHT_NEEDS_ZONE)
    quiet = parse_night(night) if night else None
    if not zone:
        return Hours(None, quiet)
    if settings.zone and zone == zone_name(settings.zone, words.locale):
        return Hours(Found([Guess(settings.zone, zone)], certain=True), quiet)
    return Hours(await asyncio.to_thread(find_zones, zone, words.locale, now), quiet)


def zone_select(zones: Found, night: Night | None, now: Millis, words: Words) -> Select:
    """Returns the select of the zones that a player may mean; it remembers the quiet hours that they typed."""
    choices = [
        Choice(
            guess.zone.key,
            guess.place,
            False,
            words("me.zone.option", zone=zone_name(guess.zone, words.locale), time=words.time(now, guess.zone)),
        )
        for guess in zones.guesses
    ]
    return select(ids.ZONE(night=night or ""), words("me.zone.choose"), choices)


def read_zone(key: str) -> ZoneInfo:
    """Returns the time zone of a choice. Raises Refused (`old_button`) if there is none."""
    if key not in available_timezones():
        raise Refused(Reason.OLD_BUTTON)
    return ZoneInfo(key)
