"""Challenges, from the offer to the match or the end without one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.challenge.challenge import Challenge
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId


class ChallengeReader(Protocol):
    """Challenges, as reads see them."""

    async def get(self, challenge: ChallengeId) -> Challenge | None: ...

    async def by_key(self, key: IdempotencyKey | None) -> Challenge | None:
        """Returns the challenge that an interaction has made; None if it has made none."""

    async def of_match(self, match: MatchId) -> Challenge | None:
        """Returns the challenge that became this match."""

    async def of_matches(self, matches: Collection[MatchId]) -> dict[MatchId, Challenge]:
        """Returns the challenges that became these matches, by match."""

    async def language(self, challenge: ChallengeId) -> str | None:
        """Returns the language of a challenge's card where its server has none; None if that is not settled."""

    async def rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the open challenge that offers another match after this one."""

    async def running_rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the newest challenge that offered another match after this one and became one that goes on."""

    async def open_of(self, user: UserId) -> list[ChallengeId]:
        """Returns the open challenges that this user has made, is asked to take, or has joined."""

    async def involving(self, user: UserId, limit: int) -> list[Challenge]:
        """Returns the newest of the challenges of `open_of`."""

    async def list_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> list[Challenge]:
        """Returns the open challenges of a user, or in a channel, the newest first."""

    async def of_cards(self, channel: ChannelId, messages: Collection[MessageId]) -> list[ChallengeId]:
        """Returns the open challenges of a channel whose cards are among these messages."""

    async def open_to_all(
        self, guild: GuildId, limit: int, channels: Collection[ChannelId] | None = None
    ) -> list[Challenge]:
        """Returns the open challenges of a server, or of these channels of it, with cards that anyone may accept, the
        newest first."""

    async def count_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> int:
        """Counts the open challenges: of a user, or in a channel."""

    async def challengers_of(self, opponent: UserId, since: Millis) -> list[UserId]:
        """Returns the users who have challenged `opponent`, once for each challenge that is open, or that was made
        after `since` and became no match."""

    async def expired(self, now: Millis, limit: int) -> list[ChallengeId]:
        """Returns the open challenges whose time is over, the oldest first."""

    async def cards_to_update(self, limit: int) -> list[Challenge]:
        """Returns the challenges that have changed since their cards were written."""


class ChallengeRepository(ChallengeReader, Protocol):
    """Challenges, as a transaction writes them."""

    async def lock(self) -> None:
        """Lets no other transaction make a challenge until this one ends, so that its counts stay true.

        It has to come before everything else in a transaction, which otherwise sees the state before the wait.
        """

    async def add(self, challenge: Challenge) -> Challenge:
        """Stores a new challenge and gives it its id in place of the one it has. Raises RematchOffered, also if its
        interaction has made one already."""

    async def save(self, challenge: Challenge) -> None:
        """Stores a changed challenge. Raises Stale if it has changed otherwise since it was read."""

    async def settle_language(self, challenge: ChallengeId, language: str) -> None:
        """Stores the language of a challenge's card, unless it has one."""

    async def mark_card_posted(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        """Notes that the card in `message` shows this version of a challenge, or a later one."""
