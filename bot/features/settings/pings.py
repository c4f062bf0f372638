"""When a player is pinged: each turn or in a morning digest, and the steps of their reminders."""

from __future__ import annotations

from typing import Any

from bot.interactions import custom_ids as ids
from bot.interactions.selects import Choice, Select, select
from play.clock.reminder_step import HOURS, ReminderStep
from play.people.digest import DIGEST_HOURS
from play.people.settings import PlayerSettings, Reminders
from play.refusal import Reason, Refused
from presentation.words.words import Words
from presentation.words.zones import zone_name

EACH_TURN = "each"
"""The choice of no digest."""

FIELDS = ("reminders", "steps", "pings")


def describe_pings(settings: PlayerSettings, words: Words) -> str:
    """Returns when the digest comes, or why it has ended; empty for a player who has had none."""
    if settings.digest is None:
        return words("me.pings.closed") if settings.digest_closed else ""
    if settings.zone is None:
        return words("me.digest.utc", time=_hour(settings.digest, words))
    key = "awake" if settings.night is None else "now"
    zone = zone_name(settings.zone, words.locale)
    return words(f"me.digest.{key}", time=_hour(settings.digest, words), zone=zone)


def ping_selects(settings: PlayerSettings, words: Words) -> list[Select]:
    """Returns the selects of `FIELDS`."""
    reminders = [Choice(each, words(f"me.reminders.{each}"), each is settings.reminders) for each in Reminders]
    steps = [Choice(str(step.value), _step_text(step, words), step in settings.steps) for step in ReminderStep]
    pings = [
        Choice(EACH_TURN, words("me.pings.each"), settings.digest is None),
        *(
            Choice(str(hour), words("me.pings.digest", time=_hour(hour, words)), hour == settings.digest)
            for hour in DIGEST_HOURS
        ),
    ]
    return [
        select(ids.PERSONAL_FIELD(field="reminders"), words("me.reminders"), reminders),
        select(ids.PERSONAL_FIELD(field="steps"), words("me.steps"), steps, several=True),
        select(ids.PERSONAL_FIELD(field="pings"), words("me.pings"), pings),
    ]


def read_ping_choice(field: str, values: list[str]) -> dict[str, Any]:
    """Returns the change that a choice of one of `FIELDS` makes. No step means the default.

    Raises Refused (`old_button`) if it is no longer offered.
    """
    if field == "steps":
        if not {str(step.value) for step in ReminderStep}.issuperset(values):
            raise Refused(Reason.OLD_BUTTON)
        return {"steps": ReminderStep(sum(map(int, set(values)))) or ReminderStep.MOST}
    known = [*Reminders] if field == "reminders" else [EACH_TURN, *map(str, DIGEST_HOURS)]
    if len(values) != 1 or values[0] not in known:
        raise Refused(Reason.OLD_BUTTON)
    if field == "reminders":
        return {"reminders": Reminders(values[0])}
    return {"digest": None if values[0] == EACH_TURN else int(values[0])}


def _step_text(step: ReminderStep, words: Words) -> str:
    return words("me.steps.most") if step is ReminderStep.MOST else words("me.steps.left", count=HOURS[step])


def _hour(hour: int, words: Words) -> str:
    return words.time_of_day(60 * hour)
