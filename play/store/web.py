"""Sessions of browsers, used links to them, and the games that users watch there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.ids import MatchId, Millis, UserId
from play.people.web_session import WebLink, WebSession


class WebReader(Protocol):
    """Sessions, as reads see them."""

    async def session(self, digest: str, now: Millis) -> WebSession | None:
        """Returns a session that has not ended."""

    async def current(self, digests: Collection[str], now: Millis) -> frozenset[str]:
        """Returns those of the sessions that have not ended."""

    async def may_watch(self, user: UserId, match: MatchId, now: Millis) -> bool:
        """Returns whether a user has had a link to watch the match."""


class WebRepository(WebReader, Protocol):
    """Sessions, as a transaction writes them."""

    async def use(self, link: WebLink) -> bool:
        """Notes that a link was exchanged; returns False if it was already."""

    async def add(self, session: WebSession, most: int) -> None:
        """Stores a session; of its user's others, only the newest stay, so that there are `most`."""

    async def allow_watching(self, user: UserId, match: MatchId, until: Millis) -> None:
        """Lets a user watch a match until then."""

    async def end(self, digest: str) -> None:
        """Ends a session."""

    async def end_all(self, user: UserId) -> None:
        """Ends all sessions of a user, and the user's right to watch games."""

    async def delete_expired(self, now: Millis) -> None:
        """Deletes what has expired."""
