"""The messages of boards, for answers that link to one."""

from __future__ import annotations

import asyncio

from cachetools import LRUCache

from play.ids import MatchId, MessageId
from play.match.match import Match

CACHE_SIZE = 1000
"""Versions of matches."""


class PostedBoards:
    """The messages of the newest boards, also of those that are about to be posted."""

    def __init__(self) -> None:
        self._messages: LRUCache[tuple[MatchId, int], asyncio.Future[MessageId | None]] = LRUCache(CACHE_SIZE)

    def settle(self, match: Match, message: MessageId | None) -> None:
        """Says which message is the board of this version; None if posting it has failed for now."""
        future = self._future(match)
        if not future.done():
            future.set_result(message)
            if message is None:
                del self._messages[match.id, match.version]

    async def wait(self, match: Match, within: float) -> MessageId | None:
        """Returns the message of this version; None if posting fails, or takes longer than `within` seconds."""
        try:
            async with asyncio.timeout(within):
                return await asyncio.shield(self._future(match))
        except TimeoutError:
            return None

    def _future(self, match: Match) -> asyncio.Future[MessageId | None]:
        key = match.id, match.version
        if key not in self._messages:
            self._messages[key] = asyncio.get_running_loop().create_future()
        return self._messages[key]
