"""Predictions of games, and the tables of those who make them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.community.prediction import Foreteller, Prediction, Result, Tally
from play.ids import GuildId, MatchId, UserId
from play.ratings.season import Season


class PredictionReader(Protocol):
    """Predictions, as reads see them."""

    async def open_games(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Returns the games of a server that go on and can be predicted, the newest first."""

    async def of_user(self, match: MatchId, user: UserId) -> list[Prediction]:
        """Returns what a user has predicted of a match, by windows."""

    async def tallies(self, match: MatchId, guild: GuildId, windows: Collection[int]) -> list[Tally]:
        """Returns how many members of a server have chosen what in these windows of a match."""

    async def best(self, match: MatchId, guild: GuildId) -> tuple[UserId, int] | None:
        """Returns the member of a server who foretold a finished match best, with their points; None without any
        points. Of several, it is the one who said it first."""

    async def table(self, guild: GuildId, season: Season, limit: int) -> list[Foreteller]:
        """Returns the best lines of a server's table, all with points."""

    async def line(self, guild: GuildId, season: Season, user: UserId) -> Foreteller | None:
        """Returns a member's own line, whose place is 0 without points; None if none of their predictions counts."""

    async def unsettled(self, limit: int) -> list[MatchId]:
        """Returns the finished matches whose predictions have no points yet."""


class PredictionRepository(PredictionReader, Protocol):
    """Predictions, as a transaction writes them."""

    async def hold(self, match: MatchId, version: int) -> None:
        """Lets a match not go on before this transaction ends. Raises Stale if it has gone on from this version."""

    async def save(self, prediction: Prediction) -> None:
        """Stores a prediction in the place of its user's former one of that window. Raises Stale."""

    async def drop_voters(self, match: MatchId) -> None:
        """Removes the predictions of users who have voted for a side of the match since."""

    async def settle(self, match: MatchId, season: Season, result: Result) -> list[GuildId]:
        """Gives the predictions of a finished match their points; returns the servers whose first ones these are."""

    async def remove_all(self, match: MatchId) -> None:
        """Removes the predictions of a match that has no result."""
