"""The relay that brings the operator's announcement to every server once, and the watch of who is blocked."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from play.community.operator import MAX_AGE_MILLIS, SURE_MILLIS, Announcement, Delivery, DeliveryOutcome
from play.ids import GuildId
from storage import Database
from use_cases.operator import Blocked
from use_cases.worker import ChannelClosed, RetryLater, Timing, Undeliverable, Unshowable, Worker

log = logging.getLogger(__name__)


class Announcer(Protocol):
    """Brings announcements to servers; bot/ implements it."""

    async def servers(self, after: GuildId) -> tuple[list[GuildId], bool]:
        """Returns the next servers of the bot after one, in the order of their ids, and whether these were the last.
        Raises RetryLater."""

    async def announce(self, announcement: Announcement, guild: GuildId, begin: Callable[[], Awaitable[bool]]) -> bool:
        """Posts an announcement on a server, once however often it is tried soon, unless `begin`, which is called right
        before, returns False; returns that. Raises Undeliverable, ChannelClosed, Unshowable and RetryLater."""


class AnnouncementRelay(Worker[Delivery]):
    """Brings the newest announcement to the servers that wait for it, one after the other."""

    def __init__(self, store: Database, announcer: Announcer, blocked: Blocked, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._announcer = announcer
        self._blocked = blocked

    async def pending(self, limit: int) -> Sequence[Delivery]:
        async with self._store.read() as reader:
            newest = await reader.operator.newest_announcement()
            if newest is None or newest.withdrawn:
                return []
            found = await reader.operator.pending(newest.id, limit)
        if len(found) < limit and not newest.listed:  # those that fail hold up no others
            try:
                guilds, last = await self._announcer.servers(newest.known)
            except RetryLater as reason:
                log.warning("the servers of announcement %d are asked for later: %s", newest.id, reason)
                return []
            async with self._store.write() as tx:
                await tx.operator.add_servers(newest, guilds, last=last)
            self.wake()
        return [Delivery(each.announcement, each.guild) for each in found]

    async def process(self, key: Delivery) -> None:
        async with self._store.read() as reader:
            newest, now = await reader.operator.newest_announcement(), await reader.clock.now()
            found = await reader.operator.delivery(key)
        if newest is None or newest.id != key.announcement or found is None:
            return  # another process was faster
        if found.tried is not None and now - found.tried > SURE_MILLIS:
            outcome = DeliveryOutcome.UNSURE
        elif now - newest.made > MAX_AGE_MILLIS:
            outcome = DeliveryOutcome.LATE
        elif (done := await self._announce(newest, key)) is not None:
            outcome = done
        else:
            return  # it was withdrawn meanwhile
        async with self._store.write() as tx:
            await tx.operator.finish(key, outcome)

    async def _announce(self, announcement: Announcement, key: Delivery) -> DeliveryOutcome | None:
        async def begin() -> bool:
            async with self._store.write() as tx:
                return await tx.operator.note_try(key, await tx.clock.now())

        if self._blocked.has_server(key.guild):
            return DeliveryOutcome.REFUSED
        try:
            posted = await self._announcer.announce(announcement, key.guild, begin)
        except (ChannelClosed, Undeliverable, Unshowable) as reason:
            log.info("announcement %d does not reach server %d: %s", key.announcement, key.guild, reason)
            return DeliveryOutcome.REFUSED
        return DeliveryOutcome.POSTED if posted else None


class BlockWatch(Worker[int]):
    """Learns from time to time who is blocked: another process may have blocked them."""

    def __init__(self, store: Database, blocked: Blocked, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._blocked = blocked

    async def poll(self) -> None:
        async with self._store.read() as reader:
            self._blocked.replace(await reader.operator.restrictions(await reader.clock.now()))
