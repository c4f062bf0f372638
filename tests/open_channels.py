"""Channels as tests of play/ and storage/ need them: no Discord says who reads which."""

from __future__ import annotations

from collections.abc import Set

from play.ids import ChannelId, GuildId
from play.refusal import Reason, Refused


class StoredChannels:
    """An implementation of `use_cases.public_pages.Channels` in which all channels are open but the `closed` ones.

    While it is `away`, it says nothing.
    """

    def __init__(self, closed: Set[ChannelId] = frozenset(), *, away: bool = False) -> None:
        self.closed = closed
        self.away = away

    async def server_name(self, guild: GuildId) -> str | None:
        return "Server"

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        if self.away:
            raise Refused(Reason.CHAT_AWAY)
        return channel not in self.closed

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        return here == channel or await self.is_open(guild, channel)


OPEN = StoredChannels()
