"""What the use cases ask of a store; storage/ implements it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from play.challenge import Challenge
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match import Match
from rules.game import AnyGame, Seat


class Stale(Exception):
    """The row has changed since it was read; nothing was written."""


class ChannelTaken(Exception):
    """There is an open match in that channel already; nothing was written."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An open match in a person's list, without its history. `board` is the newest posted board."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    board: MessageId | None
    game: AnyGame
    players: tuple[UserId, ...]
    to_act: Seat
    deadline: Millis | None
    version: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """A version of a match that its channel has not been told of. `previous` is the newest posted board."""

    match: MatchId
    version: int
    previous: MessageId | None


class Reader(Protocol):
    """One consistent view of what is stored."""

    async def now(self) -> Millis:
        """The store's clock, by which deadlines are judged: one clock for all processes."""

    async def challenge(self, challenge: ChallengeId) -> Challenge | None: ...

    async def match(self, match: MatchId, version: int | None = None) -> Match | None:
        """The match, now or as it was at an earlier version."""

    async def match_in(self, channel: ChannelId) -> Match | None:
        """The open match of a channel, or the one that ended there last."""

    async def open_matches(self, user: UserId) -> list[Entry]:
        """The open matches of a person: first those where it is his turn, the most urgent first."""

    async def next_deadline(self) -> Millis | None: ...

    async def overdue(self, before: Millis, limit: int) -> list[MatchId]:
        """Open matches whose deadline is earlier than `before`, the earliest first."""

    async def untold(self) -> list[MatchId]:
        """The matches of which the outbox holds anything."""

    async def unannounced(self, match: MatchId) -> Announcement | None:
        """The earliest version of a match that the outbox holds."""


class Transaction(Reader, Protocol):
    """All or nothing; it is committed when its block ends without an exception."""

    async def add_challenge(self, challenge: Challenge) -> Challenge:
        """Stores a new challenge and gives it its id (that of the argument counts for nothing)."""

    async def save_challenge(self, challenge: Challenge) -> None:
        """Stores the end of an open challenge. Raises Stale if it is no longer open."""

    async def add_match(self, match: Match) -> Match:
        """Stores a match before its first event, gives it its id and puts it in the outbox. Raises ChannelTaken."""

    async def save(self, match: Match) -> None:
        """Appends the match's last event and puts its version in the outbox.

        Raises Stale if the stored version is not the one before, or the event's source was stored already.
        """

    async def relocate(self, match: MatchId, channel: ChannelId) -> None:
        """Plays the match on in another channel, without a thread. Raises ChannelTaken."""

    async def announced(self, announcement: Announcement, message: MessageId | None) -> None:
        """Takes a version out of the outbox: it stands in `message`, or (None) it can never be posted."""


class Store(Protocol):
    """Where matches live."""

    def read(self) -> AbstractAsyncContextManager[Reader]: ...

    def write(self) -> AbstractAsyncContextManager[Transaction]: ...
