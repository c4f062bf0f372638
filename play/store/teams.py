"""Contests of two servers."""

from __future__ import annotations

from typing import Protocol

from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.teams.contest import Contest, ContestId, Side
from play.teams.season import PlayedContest


class TeamReader(Protocol):
    """Contests, as reads see them."""

    async def get(self, contest: ContestId) -> Contest | None: ...

    async def by_key(self, key: IdempotencyKey | None) -> Contest | None:
        """Returns the contest that an interaction has made; None if it has made none."""

    async def by_code(self, digest: str) -> Contest | None:
        """Returns the contest to which a code invites, whatever has become of it."""

    async def of_guild(self, guild: GuildId, limit: int) -> list[Contest]:
        """Returns the contests of a server, the newest first."""

    async def open_of_guild(self, guild: GuildId) -> list[Contest]:
        """Returns the open contests of a server, the newest first."""

    async def open_of(self, user: UserId) -> list[ContestId]:
        """Returns the open contests that this user has signed up to, and has not left."""

    async def open_in(self, channel: ChannelId) -> list[ContestId]:
        """Returns the open contests that one of their servers reads of in a channel."""

    async def channels_of(self, contest: ContestId, side: Side) -> dict[MatchId, ChannelId]:
        """Returns the channel of each present game of a contest on one of the servers."""

    async def has_unseen_games(self, contest: ContestId, side: Side) -> bool:
        """Returns whether a game that is not decided has no board yet on one of the servers."""

    async def played(self, since: Millis, until: Millis, limit: int) -> list[PlayedContest]:
        """Returns the contests that ended in a span, the newest first."""

    async def listed(self) -> set[GuildId]:
        """Returns the servers that want their names in everybody's table of the season."""

    async def to_update(self, now: Millis, limit: int) -> list[ContestId]:
        """Returns the contests that the director has work in: time brings a change, a game has ended or is to begin,
        or a message shows an older version, which was posted before `SHOW_MILLIS`."""


class TeamRepository(TeamReader, Protocol):
    """Contests, as a transaction writes them."""

    async def lock(self) -> None:
        """Lets no other transaction make or accept a contest until this one ends. It has to come before everything
        else."""

    async def add(self, contest: Contest) -> Contest:
        """Stores a new contest and gives it its id."""

    async def save(self, contest: Contest) -> Contest:
        """Stores a changed contest as its next version. Raises Stale if it has changed otherwise."""

    async def mark_posted(
        self, contest: ContestId, side: Side, version: int, message: MessageId | None, notice: str, at: Millis
    ) -> None:
        """Notes that `message` shows this version to a side, or (None) that there is nothing to show it; and that its
        `notice` was posted. Nothing changes where another process has shown a later version."""

    async def mark_called(self, contest: ContestId, number: int, side: Side, message: MessageId) -> None:
        """Notes the message that calls the player of a side to the present game of a board."""

    async def mark_warned(self, contest: ContestId, side: Side) -> None:
        """Notes that the manager of a side was told that the bot may not post."""

    async def set_listed(self, guild: GuildId, *, listed: bool) -> None:
        """Notes whether a server wants its name in everybody's table of the season."""
