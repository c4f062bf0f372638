"""The relay of morning digests: what one has, and that each player gets one a day, never two."""

import logging
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from play.challenge.challenge import Challenge
from play.ids import MINUTE, GuildId, Millis, UserId
from play.match.listed import OpenMatch
from play.people.career import FinishedMatch
from play.people.digest import MAX_LATE_MILLIS, Digest, finish_digest, plan_digest
from play.people.past_mistake import Week
from play.people.settings import PlayerSettings
from storage import Database
from storage.unit_of_work import Reader
from use_cases.match_writer import retry_on_conflict
from use_cases.past_mistakes import load_week
from use_cases.player_settings import end_digest
from use_cases.worker import RetryLater, Timing, Undeliverable, Worker

log = logging.getLogger(__name__)

MAX_CHALLENGES, MAX_ENDED = 20, 50
"""Challenges and finished matches that are read for one digest."""

MONDAY = 0
"""The day of the week whose digest looks back on it."""

PATIENCE_MILLIS = MINUTE
"""How long a process has for one digest, before another one takes it for dead and sends the digest itself."""

NONCE_MILLIS = 3 * MINUTE
"""How long the chat is sure to recognise a message that was sent before. After that a second try might make a second
message."""


@dataclass(frozen=True, slots=True)
class Morning:
    """What a player may want to know in the morning, `at` which it is read.

    `turns` are the open matches in which it is their turn, the most urgent first. `challenges` wait for their answer.
    `ended` are the matches that have ended since the last digest. Of their past mistakes, `due` wait to be played, and
    `returned` of those were not due at the last digest. On Mondays `week` says what has got better.
    """

    turns: tuple[OpenMatch, ...]
    challenges: tuple[Challenge, ...]
    ended: tuple[FinishedMatch, ...]
    at: Millis
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
        now,
        due=await coach.count_due(user, today),
        returned=await coach.count_due(user, today, day_before),
        week=await load_week(reader, user, now) if date.fromordinal(today).weekday() == MONDAY else None,
    )


class Rejected(Exception):
    """The chat has answered that it did not take the message; another try may help."""


class DigestPublisher(Protocol):
    """Sends digests; bot/ implements it."""

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        """Sends a digest by direct message; sending it twice with the nonce `once` makes one message.

        Raises Undeliverable if the player accepts no direct messages, and Rejected. After any other error the chat may
        have taken it.
        """


class DigestRelay(Worker[UserId]):
    """Sends the digests that are due. One that is too late is left out, and so is one with nothing to tell."""

    def __init__(self, store: Database, publisher: DigestPublisher, timing: Timing = Timing()) -> None:  # noqa: B008
        super().__init__(timing)
        self._store = store
        self._publisher = publisher

    async def pending(self, limit: int) -> list[UserId]:
        async with self._store.read() as reader:
            return await reader.digests.due(await reader.clock.now(), limit)

    async def process(self, key: UserId) -> None:
        async with self._store.read() as reader:
            digest, now = await reader.digests.get(key), await reader.clock.now()
            if digest is None or digest.due is None or (digest.due > now and not digest.is_planned_wrongly(now)):
                return  # another process was faster, or the player has changed their mind
            settings = await reader.people.get(key)
            morning = await load_morning(reader, key, digest.told, now)
        if digest.is_planned_wrongly(now):
            await self._plan(key)
        elif settings.digest is None or now - digest.due > MAX_LATE_MILLIS:
            await self._finish(digest, told=digest.told)
        elif not morning:
            await self._finish(digest, told=now)
        elif digest.tried is None or _is_to_repeat(digest.tried, now):
            await self._send(digest, settings, morning, now)
        elif abs(now - digest.tried) >= NONCE_MILLIS:
            await self._finish(digest, told=digest.tried)  # it has most likely arrived, and two are worse than none

    async def _send(self, digest: Digest, settings: PlayerSettings, morning: Morning, now: Millis) -> None:
        assert digest.due is not None, "it is due"
        if digest.tried is None:
            await self._change(digest, tried=now)
        try:
            await self._publisher.send(settings, morning, nonce(digest))
        except Undeliverable as reason:
            log.info("user %d gets no digests any more: %s", digest.user, reason)
            await end_digest(self._store, digest.user)
            return
        except Rejected as reason:
            await self._change(digest, tried=None)
            raise RetryLater(str(reason)) from reason
        await self._finish(digest, told=now)

    async def _change(self, digest: Digest, *, tried: Millis | None) -> None:
        async with self._store.write() as tx:
            stored = await tx.digests.get(digest.user)
            if stored is not None:
                await tx.digests.put(replace(stored, tried=tried))

    async def _plan(self, user: UserId) -> None:
        async with self._store.write() as tx:
            stored = await tx.digests.get(user)
            if stored is not None:
                await tx.digests.put(plan_digest(stored, await tx.people.get(user), await tx.clock.now()))

    async def _finish(self, digest: Digest, *, told: Millis) -> None:
        """Notes that a digest is done, by the settings of now. A player who was deleted meanwhile stays deleted."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                stored = await tx.digests.get(digest.user)
                if stored is not None:
                    settings, now = await tx.people.get(digest.user), await tx.clock.now()
                    await tx.digests.put(finish_digest(replace(stored, due=digest.due), settings, now, told))

        await retry_on_conflict(attempt)


def nonce(digest: Digest) -> str:
    """Returns the nonce of a player's digest, at most 25 characters: one for each day that was not done before."""
    assert digest.due is not None, "it is due"
    return f"g{digest.user:x}.{digest.day}"


def _is_to_repeat(tried: Millis, now: Millis) -> bool:
    """Returns whether the process that has begun to send is taken for dead, and the chat still knows the nonce."""
    return PATIENCE_MILLIS <= abs(now - tried) < NONCE_MILLIS
