"""The contents of a player's morning digest."""

from __future__ import annotations

from dataclasses import dataclass

from play.challenge.challenge import Challenge
from play.ids import GuildId, Millis, UserId
from play.people.career import FinishedMatch
from play.store import Reader
from play.store.matches import OpenMatch

MAX_CHALLENGES, MAX_ENDED = 20, 50
"""Challenges and finished matches that are read for one digest."""


@dataclass(frozen=True, slots=True)
class Morning:
    """What a player may want to know in the morning.

    `turns` are the open matches in which it is their turn, the most urgent first. `challenges` wait for their answer.
    `ended` are the matches that have ended since the last digest.
    """

    turns: tuple[OpenMatch, ...]
    challenges: tuple[Challenge, ...]
    ended: tuple[FinishedMatch, ...]

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
        return bool(self.turns or self.challenges or self.ended)


async def load_morning(reader: Reader, user: UserId, since: Millis, now: Millis) -> Morning:
    """Returns what there is to tell a player at `now`; `since` is when the last digest was written."""
    entries = await reader.matches.open_of(user)
    asked = sorted(await reader.challenges.open_of(user), reverse=True)[:MAX_CHALLENGES]
    challenges = [await reader.challenges.get(each) for each in asked]
    finished = await reader.careers.finished(user, 0, MAX_ENDED)
    return Morning(
        tuple(entry for entry in entries if entry.players[entry.to_act] == user),
        tuple(each for each in challenges if each and each.awaits(user) and each.expires > now),
        tuple(match for match in finished if since < match.ended <= now),
    )
