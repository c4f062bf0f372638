"""When a player is pinged: each turn or in a morning digest, and the steps of their reminders."""

from __future__ import annotations

from bot.interactions.fields import SelectField
from play.clock.reminder_step import HOURS, ReminderStep
from play.people.digest import DIGEST_HOURS
from play.people.settings import PlayerSettings, Reminders
from presentation.words.words import Words
from presentation.words.zones import zone_name

EACH_TURN = "each"
"""The choice of no digest."""


def describe_pings(settings: PlayerSettings, words: Words) -> str:
    """Returns when the digest comes, or why it has ended; empty for a player who has had none."""
    if settings.digest is None:
        return words("me.pings.closed") if settings.digest_closed else ""
    if settings.zone is None:
        return words("me.digest.utc", time=_hour(settings.digest, words))
    key = "awake" if settings.night is None else "now"
    zone = zone_name(settings.zone, words.locale)
    return words(f"me.digest.{key}", time=_hour(settings.digest, words), zone=zone)


def _step_text(step: ReminderStep, words: Words) -> str:
    return words("me.steps.most") if step is ReminderStep.MOST else words("me.steps.left", count=HOURS[step])


def _hour(hour: int, words: Words) -> str:
    return words.time_of_day(60 * hour)


def _ping_text(choice: str, words: Words) -> str:
    if choice == EACH_TURN:
        return words("me.pings.each")
    return words("me.pings.digest", time=_hour(int(choice), words))


FIELDS = (
    SelectField(
        "reminders",
        lambda words: words("me.reminders"),
        (*Reminders,),
        lambda way, words: words(f"me.reminders.{way}"),
        lambda settings: (settings.reminders,),
        lambda way: {"reminders": Reminders(way)},
    ),
    SelectField(
        "steps",
        lambda words: words("me.steps"),
        tuple(str(step.value) for step in ReminderStep),
        lambda step, words: _step_text(ReminderStep(int(step)), words),
        lambda settings: [str(step.value) for step in ReminderStep if step in settings.steps],
        lambda *steps: {"steps": ReminderStep(sum(map(int, set(steps)))) or ReminderStep.MOST},  # none is the default
        several=True,
    ),
    SelectField(
        "pings",
        lambda words: words("me.pings"),
        (EACH_TURN, *map(str, DIGEST_HOURS)),
        _ping_text,
        lambda settings: (EACH_TURN if settings.digest is None else str(settings.digest),),
        lambda choice: {"digest": None if choice == EACH_TURN else int(choice)},
    ),
)
