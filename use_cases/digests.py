"""The contents of a player's morning digest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from play.challenge.challenge import Challenge
from play.ids import GuildId, Millis, UserId
from play.match.listed import OpenMatch
from play.people.career import FinishedMatch
from play.people.past_mistake import Week
from storage.unit_of_work import Reader
from use_cases.past_mistakes import load_week

MAX_CHALLENGES, MAX_ENDED = 20, 50
"""Challenges and finished matches that are read for one digest."""

MONDAY = 0
"""The day of the week whose digest looks back on it."""


@dataclass(frozen=True, slots=True)
class Morning:
    """What a player may want to know in the morning.

    `turns` are the open matches in which it is their turn, the most urgent first. `challenges` wait for their answer.
    `ended` are the matches that have ended since the last digest. Of their past mistakes, `due` wait to be played, and
    `returned` of those were not due at the last digest. On Mondays `week` says what has got better.
    """

    turns: tuple[OpenMatch, ...]
    challenges: tuple[Challenge, ...]
    ended: tuple[FinishedMatch, ...]
    due: int = 0
    returned: int = 0
    week: Week | None = None

    @property
    def guild(self) -> GuildId | None:
        """A server that the player shares with the bot, if any of it is played on one."""
        guilds = (
            *(match.guild for match in self.turns),
            *(challenge.guild for challenge in self.challenges),
            *(match.guild for match in self.ended),
        )
        return next(filter(None, guilds), None)

    def __bool__(self) -> bool:
        """Whether there is a reason to write: mistakes that nobody plays are no news on the next day."""
        return bool(self.turns or self.challenges or self.ended or self.returned)


async def load_morning(reader: Reader, user: UserId, since: Millis, now: Millis) -> Morning:
    """Returns what there is to tell a player at `now`; `since` is when the last digest was written."""
    entries = await reader.matches.open_of(user)
    asked = sorted(await reader.challenges.open_of(user), reverse=True)[:MAX_CHALLENGES]
    challenges = [await reader.challenges.get(each) for each in asked]
    finished = await reader.careers.finished(user, 0, MAX_ENDED)
    settings, coach = await reader.people.get(user), reader.past_mistakes
    today, day_before = settings.local_day(now), settings.local_day(since)
    return Morning(
        tuple(entry for entry in entries if entry.players[entry.to_act] == user),
        tuple(each for each in challenges if each and each.awaits(user) and each.expires > now),
        tuple(match for match in finished if since < match.ended <= now),
        due=await coach.count_due(user, today),
        returned=await coach.count_due(user, today, day_before),
        week=await load_week(reader, user, now) if date.fromordinal(today).weekday() == MONDAY else None,
    )
