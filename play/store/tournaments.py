"""What tournaments ask of a store."""

from __future__ import annotations

from typing import Protocol

from play.ids import ChannelId, MessageId, Millis, SourceId
from play.tournaments.tournament import Tournament, TournamentId


class TournamentReader(Protocol):
    """What the tournaments' part of a store answers."""

    async def tournament(self, tournament: TournamentId) -> Tournament | None: ...

    async def tournament_by(self, source: SourceId | None) -> Tournament | None:
        """The tournament that an interaction has made; None if it has made none."""

    async def tournament_in(self, channel: ChannelId) -> Tournament | None:
        """The newest tournament of a channel."""

    async def stirring_tournaments(self, now: Millis, limit: int) -> list[TournamentId]:
        """Those in which there is something to do: a match has ended or has to be opened, the time of a round is over,
        or its message is behind."""


class TournamentWriter(TournamentReader, Protocol):
    """What a transaction can do with tournaments."""

    async def lock_tournaments(self) -> None:
        """Lets no other transaction make a tournament until this one ends. Has to come before everything else in it."""

    async def add_tournament(self, tournament: Tournament) -> Tournament:
        """Stores a new tournament and gives it its id."""

    async def save_tournament(self, tournament: Tournament) -> Tournament:
        """Stores what became of a tournament, as its next version. Raises Stale if something else has happened."""

    async def tournament_shown(self, tournament: TournamentId, version: int, message: MessageId | None) -> None:
        """Notes that this version stands in its message, or (None) that there is nowhere to show it."""
