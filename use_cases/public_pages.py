"""The use cases of games that everyone may look at, and of servers that have switched their pages on."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from play.competitions.tournament import TournamentEntry
from play.ids import ChannelId, GuildId, MatchId, UserId, is_forgotten
from play.match.listed import EndedMatch
from play.match.match import AwayPlace, Match
from play.people.career import FinishedMatch
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from storage import Database

MAX_CHANNELS = 20
"""Channels of a page's games about which the chat is asked at most, those of the newest games; others are closed."""

MAX_TOURNAMENTS = 200
"""Tournaments in a list, the newest."""


class Channels(Protocol):
    """What members of a server can see; implemented in bot/services/members.py. All raise Refused
    (`chat_away`)."""

    async def server_name(self, guild: GuildId) -> str | None:
        """Returns the name of a server; None if the bot is not in it."""

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        """Returns whether every member of a server, in which the bot is, can read a channel of it."""

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        """Returns whether all who read one channel of a server, `here`, can read another one of it."""


class FinishedGame(Protocol):
    """What decides whether everyone may see a game that is over."""

    @property
    def guild(self) -> GuildId | None: ...

    @property
    def channel(self) -> ChannelId: ...

    @property
    def away(self) -> AwayPlace | None: ...

    @property
    def players(self) -> tuple[UserId, ...]: ...


class PublicGames:
    """Finished games that every member of their server can read, on servers that have switched their pages on.

    Of a game of two servers both must have done so.
    """

    def __init__(self, store: Database, channels: Channels) -> None:
        self._store = store
        self._channels = channels

    async def find(self, number: MatchId) -> EndedMatch:
        """Returns a game that everyone may see now. Raises Refused (`no_page`, `chat_away`)."""
        async with self._store.read() as reader:
            match = await reader.matches.ended(number)
            server = await reader.servers.get(match.guild) if match and match.guild else None
        if match is None or not await self.shows(match, server):
            raise Refused(Reason.NO_PAGE)
        return match

    async def is_open(self, match: Match) -> bool:
        """Returns whether every member of a match's server can read its channel; False if the chat does not answer."""
        places = [(match.guild, match.channel), *([(match.away.guild, match.away.channel)] if match.away else [])]
        try:
            opened = [guild is not None and await self._channels.is_open(guild, channel) for guild, channel in places]
        except Refused:
            return False
        return all(opened)

    async def load(self, found: EndedMatch) -> Match:
        """Returns a game that was found, with its history. Raises Refused (`no_page`)."""
        async with self._store.read() as reader:
            match = await reader.matches.get(found.id)
        if match is None:
            raise Refused(Reason.NO_PAGE)
        return match

    async def shows(self, game: FinishedGame, server: ServerSettings | None) -> bool:
        """Returns whether everyone may see a finished game of a server. Raises Refused (`chat_away`)."""
        if server is None or server.id != game.guild or not server.pages:
            return False
        if any(map(is_forgotten, game.players)):  # they have deleted their data
            return False
        if game.away is not None and not await self._publishes(game.away):
            return False
        return await self._channels.is_open(server.id, game.channel)

    async def _publishes(self, place: AwayPlace) -> bool:
        """Returns whether the other server of a game has pages, and every member of it can read the game."""
        if place.guild is None:
            return False
        async with self._store.read() as reader:
            server = await reader.servers.get(place.guild)
        return server.pages and await self._channels.is_open(place.guild, place.channel)


@dataclass(frozen=True, slots=True)
class PublicServer:
    """A server whose pages are on, by its name."""

    name: str
    settings: ServerSettings

    @property
    def id(self) -> GuildId:
        return self.settings.id


class PublicServers:
    """Servers with their pages switched on, and what of them every member can see in the chat."""

    def __init__(self, store: Database, channels: Channels) -> None:
        self._store = store
        self._channels = channels

    async def load(self, guild: GuildId) -> PublicServer:
        """Returns a server that everyone may look at now. Raises Refused (`no_page`, `chat_away`)."""
        async with self._store.read() as reader:
            settings = await reader.servers.get(guild)
        name = await self._channels.server_name(guild) if settings.pages else None
        if name is None:
            raise Refused(Reason.NO_PAGE)
        return PublicServer(name, settings)

    async def is_open(self, server: PublicServer, channel: ChannelId) -> bool:
        """Returns whether every member can read a channel. Raises Refused (`chat_away`)."""
        return await self._channels.is_open(server.id, channel)

    async def keep_open(self, server: PublicServer, matches: Sequence[FinishedMatch]) -> list[FinishedMatch]:
        """Returns the matches that count: played where every member reads, by players whose data is there.

        A thread of the bot is as open as its channel, so the chat is asked about few of them. Raises Refused
        (`chat_away`).
        """
        there = [each for each in matches if each.guild == server.id and not any(map(is_forgotten, each.players))]
        places = {each.id: each.parent or each.channel for each in there}
        opened = await self._open_ones(server, places.values())
        return [each for each in there if places[each.id] in opened]

    async def keep_shown(self, server: PublicServer, matches: Sequence[FinishedMatch]) -> list[FinishedMatch]:
        """Returns those of a few open matches that have a page: their threads are there. Raises Refused
        (`chat_away`)."""
        there = await asyncio.gather(*(self.is_open(server, each.channel) for each in matches))
        return [each for each, is_there in zip(matches, there, strict=True) if is_there]

    async def tournaments(self, server: PublicServer) -> list[TournamentEntry]:
        """Returns the newest tournaments of channels that every member can read. Raises Refused (`chat_away`)."""
        async with self._store.read() as reader:
            found = await reader.tournaments.of_guild(server.id, MAX_TOURNAMENTS)
        opened = await self._open_ones(server, (each.channel for each in found))
        return [each for each in found if each.channel in opened]

    async def _open_ones(self, server: PublicServer, channels: Iterable[ChannelId]) -> set[ChannelId]:
        asked = list(dict.fromkeys(channels))[:MAX_CHANNELS]
        return {channel for channel in asked if await self._channels.is_open(server.id, channel)}
