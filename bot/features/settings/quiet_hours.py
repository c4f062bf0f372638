"""The clock on somebody's wall: told with what it shows now, asked for in a form, and read as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from play.clock.night import parse_night, parse_zone
from play.people.settings import Person
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.ids import Millis

MAX_TEXT = 60
"""Characters that are read of a time zone or of quiet hours."""

EXAMPLES = {"zone": "Europe/Warsaw", "night": "22:00-07:00"}


def describe_hours(person: Person, now: Millis, words: Words) -> str:
    """The time zone and the quiet hours, with the time that it is there, by which a wrong zone is noticed."""
    if person.zone is None:
        return words("me.no_zone")
    there = words.time(now, person.zone)
    if person.night is None:
        return words("me.zone", zone=person.zone.key, time=there)
    return words("me.night", zone=person.zone.key, time=there, night=str(person.night).replace("-", "–"))


def hours_form(person: Person, words: Words) -> discord.ui.Modal:
    """Asks for both, with what is set."""
    asked = discord.ui.Modal(title=words("me.clock.title"), timeout=None, custom_id="me:clock")
    now = {"zone": person.zone.key if person.zone else "", "night": str(person.night or "")}
    for field, example in EXAMPLES.items():
        asked.add_item(
            discord.ui.Label(
                text=words(f"me.{field}.label"),
                description=words(f"me.{field}.description"),
                component=discord.ui.TextInput(
                    custom_id=field, default=now[field], placeholder=example, max_length=MAX_TEXT, required=False
                ),
            )
        )
    asked.stop()
    return asked


def read_hours(zone: str, night: str) -> dict[str, Any]:
    """What both say about a person. Raises Refused (`night_needs_zone`, and what `parse_zone` and `parse_night` do)."""
    if night and not zone:
        raise Refused(Reason.NIGHT_NEEDS_ZONE)
    return {"zone": parse_zone(zone) if zone else None, "night": parse_night(night) if night else None}
