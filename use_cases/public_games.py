"""The use case of games that everyone may look at."""

from __future__ import annotations

from typing import Protocol

from play.ids import ChannelId, GuildId, MatchId, UserId, is_forgotten
from play.match.listed import EndedMatch
from play.match.match import Match
from play.match.place import AwayPlace
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from storage import Database


class Channels(Protocol):
    """What members of a server can see; implemented in bot/services/members.py. All raise Refused
    (`discord_away`)."""

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
        """Returns a game that everyone may see now. Raises Refused (`no_page`, `discord_away`)."""
        async with self._store.read() as reader:
            match = await reader.matches.ended(number)
            server = await reader.servers.get(match.guild) if match and match.guild else None
        if match is None or not await self.shows(match, server):
            raise Refused(Reason.NO_PAGE)
        return match

    async def is_open(self, match: Match) -> bool:
        """Returns whether every member of a match's server can read its channel; False if Discord does not answer."""
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
        """Returns whether everyone may see a finished game of a server. Raises Refused (`discord_away`)."""
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
