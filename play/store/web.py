"""Sessions of browsers, used links to them, and the games that users watch there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.ids import MatchId, Millis, UserId
from play.people.web_session import Watching, WebLink, WebSession, WebWatch


class WebReader(Protocol):
    """Sessions, as reads see them."""

    async def session(self, digest: str, now: Millis) -> WebSession | None:
        """Returns a session that has not ended."""

    async def current(self, digests: Collection[str], now: Millis) -> frozenset[str]:
        """Returns those of the sessions that have not ended."""

    async def watch(self, user: UserId, match: MatchId, now: Millis) -> WebWatch | None:
        """Returns the right of a user to watch a match, if a link has given it and it has not expired."""

    async def watching(self, matches: Collection[MatchId], now: Millis) -> dict[MatchId, list[UserId]]:
        """Returns the users who have boards of these matches open, in which they do not play; no match without any."""

    async def key(self, user: UserId) -> str | None:
        """Returns the key of a user's links, if they have had any since their sessions were ended."""


class WebRepository(WebReader, Protocol):
    """Sessions, as a transaction writes them."""

    async def add_key(self, user: UserId, key: str) -> None:
        """Stores the key of a user's links. Raises Stale if there is one."""

    async def holds(self, user: UserId, key: str) -> bool:
        """Returns whether the key is that of the user's links, and keeps it so until the transaction ends."""

    async def use(self, link: WebLink) -> bool:
        """Notes that a link was exchanged; returns False if it was already."""

    async def add(self, session: WebSession, most: int) -> None:
        """Stores a session; of its user's others, only the newest stay, so that there are `most`."""

    async def allow_watching(self, watch: WebWatch) -> None:
        """Lets a user watch a match, in place of an earlier right."""

    async def add_launch(self, user: UserId, match: MatchId, until: Millis) -> None:
        """Notes for which game a user launches the Activity, in place of an earlier one. Raises Stale if it does so
        twice at once."""

    async def take_launch(self, user: UserId, now: Millis) -> MatchId | None:
        """Returns the game for which a user has launched the Activity, once."""

    async def note_watching(self, watching: Collection[Watching], until: Millis | None) -> None:
        """Notes until when users count as watching, or (None) that they watch no more. Those without a right to watch
        are left out."""

    async def end(self, digest: str) -> None:
        """Ends a session."""

    async def end_all(self, user: UserId) -> None:
        """Ends all sessions of a user and the user's right to watch games, and makes all their links void."""

    async def delete_expired(self, now: Millis) -> None:
        """Deletes what has expired."""
