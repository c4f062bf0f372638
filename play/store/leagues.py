"""The leagues of servers."""

from __future__ import annotations

from typing import Protocol

from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.league.league import League, LeagueNotice
from play.league.season import Season


class LeagueReader(Protocol):
    """Leagues, as reads see them."""

    async def get(self, guild: GuildId) -> League | None:
        """Returns the league of a server with its present season, also one that is closed."""

    async def season(self, guild: GuildId, number: int) -> Season | None:
        """Returns a season of a server's league, the present or an earlier one."""

    async def of_user(self, user: UserId) -> list[GuildId]:
        """Returns the servers whose leagues this user is in."""

    async def best_division(self, user: UserId) -> int | None:
        """Returns the highest division of a user in any league, from 0; None without one. A league of one division does
        not count: a few accounts of one person would make it."""

    async def places_of(self, guild: GuildId, user: UserId) -> dict[MatchId, ChannelId]:
        """Returns the running games of a user in the present season, with their threads."""

    async def ended(self, guild: GuildId) -> set[MatchId]:
        """Returns the matches of the present season that are over and not counted yet."""

    async def to_update(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the leagues that the director has work in: a season or a game begins, a season or a match has ended,
        or the message is behind and may be edited."""


class LeagueRepository(LeagueReader, Protocol):
    """Leagues, as a transaction writes them."""

    async def add(self, league: League) -> League:
        """Stores a new league, in place of a closed one, whose seasons stay. Raises Stale if the server has one."""

    async def save(self, league: League, before: League) -> League:
        """Stores a changed league as its next version; `before` is what is stored. A new season gets its id. Raises
        Stale if it has changed otherwise."""

    async def mark_announced(self, guild: GuildId, notice: LeagueNotice) -> None:
        """Notes that `notice` and all before it are posted."""

    async def mark_posted(
        self, league: League, message: MessageId | None, pinned: MessageId | None, edits: Millis
    ) -> None:
        """Notes that `message` shows this version, which one is `pinned`, and when it may be edited again."""
