"""The home posts of servers, and what they show of matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from play.challenge.pool import Pool
from play.community.home import Home, HomeGame, HomeRecord, HomeTournament
from play.ids import ChannelId, GuildId, Millis, UserId
from play.tournaments.tournament import TournamentId


class HomeReader(Protocol):
    """Homes, as reads see them."""

    async def get(self, guild: GuildId) -> Home | None: ...

    async def due(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose homes are due, the longest due first."""

    async def places(self, guild: GuildId, *, latest: bool) -> dict[UserId, int]:
        """Returns the places that were kept on the `latest` day, or on the day before."""

    async def channels(self, guild: GuildId, since: Millis, limit: int) -> list[ChannelId]:
        """Returns the channels of a server with running games, open challenges or tournaments, or with matches that
        ended since then, those with the most first. A thread of the bot counts as the channel that it hangs in."""

    async def games(self, guild: GuildId, channels: Collection[ChannelId], limit: int) -> list[HomeGame]:
        """Returns the running games in channels of a server and their threads, those that wait longest first."""

    async def count_games(self, guild: GuildId, channels: Collection[ChannelId]) -> int:
        """Counts these games."""

    async def tournaments(self, guild: GuildId, channels: Collection[ChannelId], limit: int) -> list[HomeTournament]:
        """Returns the tournaments in channels of a server that go on or take players, the newest first."""

    async def ended(
        self, guild: GuildId, channels: Collection[ChannelId], since: Millis, limit: int
    ) -> list[TournamentId]:
        """Returns the tournaments in channels of a server whose last game ended since then, the newest first."""

    async def main_pool(self, guild: GuildId, season: str) -> tuple[Pool, bool] | None:
        """Returns the pool in which most members of a server are listed, and True; in that of the season, and False."""

    async def record(
        self, guild: GuildId, channels: Collection[ChannelId], since: Millis, least: int
    ) -> HomeRecord | None:
        """Returns the largest capture with one turn, of `least` dots or more, in matches of these channels and their
        threads that ended since then."""


class HomeRepository(HomeReader, Protocol):
    """Homes, as a transaction writes them."""

    async def save(self, home: Home) -> Home:
        """Stores a home as its next version. Raises Stale if it has changed since it was read."""

    async def remove(self, guild: GuildId) -> None:
        """Deletes a home."""

    async def mark_changed(self, guilds: Collection[GuildId], now: Millis) -> None:
        """Makes the homes of servers due, as soon as they may be edited."""

    async def keep_places(self, guild: GuildId, places: Mapping[UserId, int]) -> None:
        """Stores the places of a new day, and drops all but those of the day before."""
