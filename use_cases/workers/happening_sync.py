"""The sync of happenings: keeps the events of servers in the chat as the store has planned them, each made once."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from play.community.happening import Action, EventId, Happening, StoredHappening, next_action
from play.ids import HOUR, GuildId, Millis
from play.refusal import Refused
from storage import Database
from use_cases.public_pages import Channels
from use_cases.worker import RetryLater, Timing, Worker

log = logging.getLogger(__name__)

ATTEMPT_SECONDS = 30.0
"""Seconds that the chat gets for one attempt."""

HELD_MILLIS = 150_000
"""For so long an attempt owns its row: no other process begins one meanwhile, and none is still on its way after. An
attempt begins no request after `FRESH_SECONDS`, and ends its last one in `ATTEMPT_SECONDS`."""

LOOK_MILLIS = HOUR
"""An event that is shown is looked at once in so long: its channel may be closed to some members since."""

REFUSED_MILLIS = 6 * HOUR
"""After so long an event that is not to be is tried again: for want of a permission, of room among the server's events,
or of a channel that all members see."""


class EventRefused(Exception):
    """There is to be no event now: the bot may not make events there, there are 100 already, or not all members see
    the channel."""


class EventGone(Exception):
    """The event is no longer there: a manager has deleted it, or its time is over."""


class EventBegun(Exception):
    """The event goes on or has been, and the happening is put off: it needs another event."""


class HappeningGateway(Protocol):
    """Scheduled events in the chat; bot/ implements it. All methods raise EventRefused; all else is tried again."""

    async def find(self, happening: Happening) -> EventId | None:
        """Returns the event that an earlier attempt has made."""

    async def make(self, happening: Happening, now: Millis) -> EventId:
        """Makes an event. A second call makes another one."""

    async def edit(self, event: EventId, happening: Happening, now: Millis) -> None:
        """Brings an event up to date where it differs; what has begun starts soon. Raises EventGone, EventBegun."""

    async def end(self, event: EventId, guild: GuildId) -> None:
        """Ends an event that is going on, and cancels one that is not. Raises EventGone."""

    async def delete(self, event: EventId, guild: GuildId) -> None:
        """Deletes an event. Raises EventGone."""


class HappeningSync(Worker[int]):
    """Makes, edits, ends and deletes events, where managers have chosen them. It asks nothing of the chat elsewhere.
    All members see a server's events, so there are none of channels that some of them do not see.

    The chat has no key against making an event twice. So an attempt owns its row first, and each one after the first
    looks for what an earlier one has made.
    """

    def __init__(
        self,
        store: Database,
        gateway: HappeningGateway,
        channels: Channels,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._store = store
        self._gateway = gateway
        self._channels = channels

    async def pending(self, limit: int) -> list[int]:
        async with self._store.read() as reader:
            return await reader.happenings.due(await reader.clock.now(), limit)

    async def process(self, key: int) -> bool:
        async with self._store.write() as tx:
            now = await tx.clock.now()
            stored = await tx.happenings.claim(key, now, Millis(now + HELD_MILLIS))
        if stored is None:
            return False  # another process has it
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                event = await self._update(stored, now)
        except EventRefused as reason:
            log.warning("the event of happening %d on server %d: %s", key, stored.happening.guild, reason)
            await self._postpone(stored, Millis(now + REFUSED_MILLIS))
        except EventGone:
            return await self._note(replace(stored, removed=stored.chosen), None, now)
        except RetryLater:
            await self._postpone(stored, now)
            raise
        else:
            return await self._note(stored, event, now)
        return False

    async def _update(self, stored: StoredHappening, now: Millis) -> EventId | None:
        """Does the next thing for an event, and returns it; None if there is none now."""
        happening, event = stored.happening, stored.event
        match await self._choose(stored, now), event:
            case Action.MAKE, None:
                made = await self._gateway.find(happening) if stored.tries > 1 else None
                if made is None:
                    return await self._gateway.make(happening, now)
                await self._gateway.edit(made, happening, now)
                return made
            case Action.EDIT, int():
                try:
                    await self._gateway.edit(event, happening, now)
                except EventBegun:
                    with suppress(EventGone):
                        await self._gateway.end(event, happening.guild)
                    return None
            case Action.END, int():
                await self._gateway.end(event, happening.guild)
                return None
            case Action.DELETE, int():
                await self._gateway.delete(event, happening.guild)
                return None
        return event

    async def _choose(self, stored: StoredHappening, now: Millis) -> Action:
        """Returns what to ask of the chat. Raises EventRefused for an event that not all members may see."""
        action, happening = next_action(stored, now), stored.happening
        is_shown = stored.event is not None and now < happening.closes
        if action in (Action.END, Action.DELETE) or (action is Action.NONE and not is_shown):
            return action
        try:
            is_open = await self._channels.is_open(happening.guild, happening.channel)
        except Refused as away:
            raise RetryLater(str(away)) from away
        if is_open:
            return action
        if is_shown:
            return Action.DELETE
        raise EventRefused(f"not all members see channel {happening.channel}")

    async def _note(self, stored: StoredHappening, event: EventId | None, now: Millis) -> bool:
        """Notes the event after an attempt, and lets go of what is over; returns whether there is more to do."""
        closes = stored.happening.closes
        next_look = closes if event is None else min(closes, Millis(now + LOOK_MILLIS))
        more = next_action(replace(stored, event=event, shown=stored.version), now) is not Action.NONE
        async with self._store.write() as tx:
            kept = await tx.happenings.note(stored, event, now if more else max(next_look, Millis(now + 1)))
            if kept and closes <= now:
                await tx.happenings.drop(stored)
        if not kept and event is not None and event != stored.event:
            await self._take_back(stored, event)
        return kept and more

    async def _take_back(self, stored: StoredHappening, event: EventId) -> None:
        """Deletes an event that was made too late: another attempt owns the happening, and has made or found one."""
        happening = stored.happening
        async with self._store.read() as reader:
            present = await reader.happenings.get(happening.guild, happening.kind, happening.key)
        if present is None or present.event != event:
            await self._gateway.delete(event, happening.guild)

    async def _postpone(self, stored: StoredHappening, due: Millis) -> None:
        async with self._store.write() as tx:
            await tx.happenings.postpone(stored, due)
