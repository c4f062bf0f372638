"""Tournaments."""

from __future__ import annotations

from typing import Protocol

from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.tournaments.tournament import Notice, Tournament, TournamentEntry, TournamentId


class TournamentReader(Protocol):
    """Tournaments, as reads see them."""

    async def get(self, tournament: TournamentId) -> Tournament | None: ...

    async def by_key(self, key: IdempotencyKey | None) -> Tournament | None:
        """Returns the tournament that an interaction has made; None if it has made none."""

    async def in_channel(self, channel: ChannelId) -> Tournament | None:
        """Returns the newest tournament of a channel."""

    async def open_of(self, user: UserId) -> list[TournamentId]:
        """Returns the tournaments that this user has signed up to, which go on and which they have not left."""

    async def of_guild(self, guild: GuildId, limit: int) -> list[TournamentEntry]:
        """Returns the tournaments of a server, the newest first."""

    async def channels_of(self, tournament: TournamentId) -> dict[MatchId, ChannelId]:
        """Returns the channel of each match of a tournament."""

    async def has_unseen_games(self, tournament: TournamentId) -> bool:
        """Returns whether an undecided pair of the present round waits for its match, or for its first board."""

    async def to_update(self, now: Millis, limit: int) -> list[TournamentId]:
        """Returns the tournaments that the director has work in: a match has ended or has to be opened, a round's time
        begins or is over, it begins or reminds its players, or the message shows an older version."""


class TournamentRepository(TournamentReader, Protocol):
    """Tournaments, as a transaction writes them."""

    async def lock(self) -> None:
        """Lets no other transaction make a tournament until this one ends. It has to come before everything else."""

    async def add(self, tournament: Tournament) -> Tournament:
        """Stores a new tournament and gives it its id."""

    async def save(self, tournament: Tournament) -> Tournament:
        """Stores a changed tournament as its next version. Raises Stale if it has changed otherwise."""

    async def mark_announced(self, tournament: TournamentId, notice: Notice) -> None:
        """Notes that `notice` and all before it are posted."""

    async def mark_posted(self, tournament: TournamentId, version: int, message: MessageId | None) -> None:
        """Notes that `message` shows this version, or (None) that there is nowhere to show it."""
