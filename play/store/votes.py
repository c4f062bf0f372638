"""Sides of vote games, and the votes for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from play.ids import GuildId, MatchId, Millis, SideId, UserId
from play.votes.side import NewSide, Side
from play.votes.vote import Count, Vote


class VoteReader(Protocol):
    """Sides and votes, as reads see them."""

    async def side(self, side: SideId) -> Side | None: ...

    async def of_match(self, match: MatchId) -> tuple[Side, ...]:
        """Returns the sides of a match, in the order of the seats; none for a match of players alone."""

    async def newest_of(self, user: UserId, sides: Sequence[Side]) -> Vote | None:
        """Returns the last vote that a user has cast for one of the sides of a match."""

    async def counts(self, side: Side, version: int, now: Millis) -> list[Count]:
        """Counts the votes about a turn. While it is open, those of members whom the server keeps from playing do not
        count."""

    async def open_of_guild(self, guild: GuildId, limit: int) -> list[Side]:
        """Returns the sides of a server in matches that go on, the oldest first."""

    async def count_open(self, guild: GuildId) -> int:
        """Counts the open matches in which a server has a side."""

    async def to_look_at(self, now: Millis, limit: int) -> list[MatchId]:
        """Returns the matches with a side that the counter has work in: they have changed since it looked at them, or
        the moment that it noted then has come."""

    async def next_look(self) -> Millis | None:
        """Returns the next moment that the counter has noted."""


class VoteRepository(VoteReader, Protocol):
    """Sides and votes, as a transaction writes them."""

    async def lock(self) -> None:
        """Lets no other transaction begin a vote game until this one ends. It has to come before everything else."""

    async def add_side(self, side: NewSide, period: Millis, made: Millis) -> SideId:
        """Stores a side, whose match is named later, by `seat_side`: its account has to be there first."""

    async def seat_side(self, side: Side) -> None:
        """Names the match and the seat of a side."""

    async def open_of_match(self, match: MatchId) -> tuple[Side, ...]:
        """Returns the sides of a match as `of_match`. None of their turns is closed before this transaction ends."""

    async def put(self, vote: Vote) -> None:
        """Stores a vote in place of an earlier one of the same user about the same turn. Raises Stale."""

    async def close(self, side: Side, version: int, now: Millis) -> None:
        """Takes no more votes about a turn, and removes those of members whom the server keeps from playing. All others
        that were cast can be counted when this transaction has ended.

        Raises Stale if another process has closed it.
        """

    async def prolong(self, side: Side, version: int) -> None:
        """Notes that the vote about a turn goes on. Raises Stale if another process has noted it."""

    async def mark_looked(self, match: MatchId, version: int, due: Millis | None) -> None:
        """Notes that the counter has looked at this version of a match, and when it has to look again."""

    async def end(self, match: MatchId) -> None:
        """Notes that a match with sides is over."""
