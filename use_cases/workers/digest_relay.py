"""The relay of morning digests: sends each player one a day, never two."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Protocol

from play.ids import MINUTE, Millis, UserId
from play.people.digest import MAX_LATE_MILLIS, Digest, finish_digest, plan_digest
from play.people.settings import PlayerSettings
from storage import Database
from use_cases.digests import Morning, load_morning
from use_cases.match_writer import retry_on_conflict
from use_cases.player_settings import end_digest
from use_cases.worker import RetryLater, Timing, Undeliverable, Worker

log = logging.getLogger(__name__)

PATIENCE_MILLIS = MINUTE
"""How long a process has for one digest, before another one takes it for dead and sends the digest itself."""

NONCE_MILLIS = 3 * MINUTE
"""How long Discord is sure to recognise a message that was sent before. After that a second try might make a second
message."""


class Rejected(Exception):
    """Discord has answered that it did not take the message; another try may help."""


class DigestPublisher(Protocol):
    """Sends digests; bot/ implements it."""

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        """Sends a digest by direct message; sending it twice with the nonce `once` makes one message.

        Raises Undeliverable if the player accepts no direct messages, and Rejected. After any other error Discord may
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
    """Returns whether the process that has begun to send is taken for dead, and Discord still knows the nonce."""
    return PATIENCE_MILLIS <= abs(now - tried) < NONCE_MILLIS
