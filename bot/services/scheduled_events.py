"""The scheduled events of servers: makes, edits, ends and deletes those that show what Kropka has planned."""

from collections.abc import Awaitable
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final, TypeVar

import discord

from bot.request import own_id
from bot.services.discord_errors import ErrorCode, describe, is_final
from bot.services.locales import Locales
from bot.services.messages import fit
from play.community.happening import MIN_AHEAD_MILLIS, EventId, Happening, Phase
from play.ids import GuildId, Millis
from use_cases.worker import RetryLater
from use_cases.workers.happening_sync import EventBegun, EventGone, EventRefused

MAX_NAME, MAX_DESCRIPTION = 100, 1000
"""Characters of an event; Discord's limits."""

EXTERNAL: Final = 3
"""Discord's kind of an event in no voice channel. It begins and ends by itself at its times."""

GUILD_ONLY: Final = 2
"""Members alone see the event; Discord has no other level."""

T = TypeVar("T")


class Status(IntEnum):
    """Discord's status of an event. It changes from the first to the second or last, and from the second to the third.

    Source: https://discord.com/developers/docs/resources/guild-scheduled-event
    """

    SCHEDULED = 1
    ACTIVE = 2
    COMPLETED = 3
    CANCELLED = 4


class ScheduledEvents:
    """Implements use_cases.workers.happening_sync.HappeningGateway."""

    def __init__(self, client: discord.Client, locales: Locales) -> None:
        self._client = client
        self._locales = locales

    async def find(self, happening: Happening) -> EventId | None:
        """See use_cases.workers.happening_sync.HappeningGateway."""
        own, mark = own_id(self._client), _mark_line(happening)
        listed: list[Any] = await _ask(self._client.http.get_scheduled_events(happening.guild, False))
        found = (
            each
            for each in listed
            if str(each.get("creator_id")) == str(own) and (each.get("description") or "").endswith(mark)
        )
        return next((EventId(int(each["id"])) for each in found), None)

    async def make(self, happening: Happening, now: Millis) -> EventId:
        """See use_cases.workers.happening_sync.HappeningGateway."""
        soonest = _soonest(happening, now)
        times = {"scheduled_start_time": _time(soonest), "scheduled_end_time": _time(happening.closes)}
        kind = {"privacy_level": GUILD_ONLY, "entity_type": EXTERNAL}
        payload = await self._words_of(happening) | times | kind
        made: Any = await _ask(self._client.http.create_guild_scheduled_event(happening.guild, **payload))
        return EventId(int(made["id"]))

    async def edit(self, event: EventId, happening: Happening, now: Millis) -> None:
        """See use_cases.workers.happening_sync.HappeningGateway."""
        there = await self._load(event, happening.guild)
        status, begins = there["status"], _read_time(there["scheduled_start_time"])
        if status != Status.SCHEDULED and happening.phase is Phase.AHEAD and begins < happening.begins:
            raise EventBegun
        if status not in (Status.SCHEDULED, Status.ACTIVE):
            raise EventGone
        wished = await self._words_of(happening)
        changes = {name: value for name, value in wished.items() if there.get(name) != value}
        times = {"scheduled_end_time": happening.closes}
        if status == Status.SCHEDULED and not happening.begins <= begins <= (soonest := _soonest(happening, now)):
            times["scheduled_start_time"] = soonest
        changes |= {name: _time(at) for name, at in times.items() if _read_time(there[name]) != at}
        if changes:
            await self._change(event, happening.guild, changes)

    async def end(self, event: EventId, guild: GuildId) -> None:
        """See use_cases.workers.happening_sync.HappeningGateway."""
        status = (await self._load(event, guild))["status"]
        if status not in (Status.SCHEDULED, Status.ACTIVE):
            raise EventGone
        last = Status.COMPLETED if status == Status.ACTIVE else Status.CANCELLED
        await self._change(event, guild, {"status": int(last)})

    async def delete(self, event: EventId, guild: GuildId) -> None:
        """See use_cases.workers.happening_sync.HappeningGateway."""
        await _ask(self._client.http.delete_scheduled_event(guild, event))

    async def _load(self, event: EventId, guild: GuildId) -> Any:
        return await _ask(self._client.http.get_scheduled_event(guild, event, False))

    async def _change(self, event: EventId, guild: GuildId, changes: dict[str, Any]) -> None:
        await _ask(self._client.http.edit_scheduled_event(guild, event, **changes))

    async def _words_of(self, happening: Happening) -> dict[str, Any]:
        """Returns name, description and place in the server's language."""
        words, mark = await self._locales.for_guild(happening.guild), _mark_line(happening)
        name = words(f"happening.{happening.kind}.title", name=happening.name, number=happening.number)
        about = words(f"happening.{happening.kind}.about")
        place = f"https://discord.com/channels/{happening.guild}/{happening.channel}"
        return {
            "name": fit(name, MAX_NAME),
            "description": fit(about, MAX_DESCRIPTION - len(mark)) + mark,
            "entity_metadata": {"location": place},
        }


def _mark_line(happening: Happening) -> str:
    """Returns the last line of an event's description, the same in each language."""
    return f"\n\nKropka · {happening.mark}"


def _soonest(happening: Happening, now: Millis) -> Millis:
    """Returns when an event may begin for a happening that begins at its time, or has begun."""
    return max(happening.begins, Millis(now + MIN_AHEAD_MILLIS))


def _time(at: Millis) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat()


def _read_time(text: str) -> Millis:
    return Millis(round(datetime.fromisoformat(text).timestamp() * 1000))


async def _ask(request: Awaitable[T]) -> T:
    """Returns Discord's answer. Raises EventGone, EventRefused, RetryLater."""
    try:
        return await request
    except discord.HTTPException as error:
        if error.code == ErrorCode.UNKNOWN_EVENT:
            raise EventGone from error
        if is_final(error):
            raise EventRefused(describe(error)) from error
        raise RetryLater(describe(error)) from error
