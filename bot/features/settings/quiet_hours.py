"""A player's time zone and quiet hours: in words, in the form that asks for them, and as they were typed."""

from __future__ import annotations

from typing import Any

import discord

from bot.i18n.words import Words
from play.clock.night import parse_night, parse_zone
from play.ids import Millis
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused

MAX_TEXT = 60
"""Characters of a typed time zone, and of typed quiet hours."""

EXAMPLES = {"zone": "Europe/Warsaw", "night": "22:00-07:00"}


def describe_hours(settings: PlayerSettings, now: Millis, words: Words) -> str:
    """Returns the time zone and the quiet hours, with the time in that zone, which shows a player a wrong zone."""
    if settings.zone is None:
        return words("me.no_zone")
    there = words.time(now, settings.zone)
    if settings.night is None:
        return words("me.zone", zone=settings.zone.key, time=there)
    return words("me.night", zone=settings.zone.key, time=there, night=str(settings.night).replace("-", "–"))


def hours_form(settings: PlayerSettings, words: Words) -> discord.ui.Modal:
    """Returns the form for both, filled with the present settings."""
    form = discord.ui.Modal(title=words("me.clock.title"), timeout=None, custom_id="me:clock")
    now = {"zone": settings.zone.key if settings.zone else "", "night": str(settings.night or "")}
    for field, example in EXAMPLES.items():
        form.add_item(
            discord.ui.Label(
                text=words(f"me.{field}.label"),
                description=words(f"me.{field}.description"),
                component=discord.ui.TextInput(
                    custom_id=field, default=now[field], placeholder=example, max_length=MAX_TEXT, required=False
                ),
            )
        )
    form.stop()
    return form


def read_hours(zone: str, night: str) -> dict[str, Any]:
    """Returns the changes of a player's settings; an empty text deletes one.

    Raises Refused (`night_needs_zone`, and those of `parse_zone` and `parse_night`).
    """
    if night and not zone:
        raise Refused(Reason.NIGHT_NEEDS_ZONE)
    return {"zone": parse_zone(zone) if zone else None, "night": parse_night(night) if night else None}
