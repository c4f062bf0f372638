"""The use case of servers that everyone may look at: those that have switched their pages on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from play.competitions.tournament import TournamentEntry
from play.ids import ChannelId, GuildId, is_forgotten
from play.people.career import FinishedMatch
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from storage import Database
from use_cases.public_games import Channels

MAX_CHANNELS = 20
"""Channels of a page's games about which Discord is asked at most, those of the newest games; the others are closed."""

MAX_TOURNAMENTS = 200
"""Tournaments in a list, the newest."""


@dataclass(frozen=True, slots=True)
class PublicServer:
    """A server whose pages are on, by its name."""

    name: str
    settings: ServerSettings

    @property
    def id(self) -> GuildId:
        return self.settings.id


class PublicServers:
    """Servers with their pages switched on, and what of them every member can see in Discord."""

    def __init__(self, store: Database, channels: Channels) -> None:
        self._store = store
        self._channels = channels

    async def load(self, guild: GuildId) -> PublicServer:
        """Returns a server that everyone may look at now. Raises Refused (`no_page`, `discord_away`)."""
        async with self._store.read() as reader:
            settings = await reader.servers.get(guild)
        name = await self._channels.server_name(guild) if settings.pages else None
        if name is None:
            raise Refused(Reason.NO_PAGE)
        return PublicServer(name, settings)

    async def is_open(self, server: PublicServer, channel: ChannelId) -> bool:
        """Returns whether every member can read a channel. Raises Refused (`discord_away`)."""
        return await self._channels.is_open(server.id, channel)

    async def keep_open(self, server: PublicServer, matches: Sequence[FinishedMatch]) -> list[FinishedMatch]:
        """Returns the matches that count: played where every member reads, by players whose data is there.

        A thread of the bot is as open as its channel, so Discord is asked about few of them. Raises Refused
        (`discord_away`).
        """
        there = [each for each in matches if each.guild == server.id and not any(map(is_forgotten, each.players))]
        places = {each.id: each.parent or each.channel for each in there}
        opened = await self._open_ones(server, places.values())
        return [each for each in there if places[each.id] in opened]

    async def keep_shown(self, server: PublicServer, matches: Sequence[FinishedMatch]) -> list[FinishedMatch]:
        """Returns those of a few open matches that have a page: their threads are there. Raises Refused
        (`discord_away`)."""
        there = await asyncio.gather(*(self.is_open(server, each.channel) for each in matches))
        return [each for each, is_there in zip(matches, there, strict=True) if is_there]

    async def tournaments(self, server: PublicServer) -> list[TournamentEntry]:
        """Returns the newest tournaments of channels that every member can read. Raises Refused (`discord_away`)."""
        async with self._store.read() as reader:
            found = await reader.tournaments.of_guild(server.id, MAX_TOURNAMENTS)
        opened = await self._open_ones(server, (each.channel for each in found))
        return [each for each in found if each.channel in opened]

    async def _open_ones(self, server: PublicServer, channels: Iterable[ChannelId]) -> set[ChannelId]:
        asked = list(dict.fromkeys(channels))[:MAX_CHANNELS]
        return {channel for channel in asked if await self._channels.is_open(server.id, channel)}
