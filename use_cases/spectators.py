"""The use cases of those who watch games on the web: who they are, and who reads whose name."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from play.ids import MatchId, Millis, UserId
from play.match.match import Match
from play.people.web_session import WATCHING_MILLIS, Watching
from play.refusal import Refused
from storage import Database
from use_cases.channel_rights import ChannelRights

MAX_NAMED: Final = 10
"""Spectators of a game whose names are shown; the others are counted."""


class Spectators:
    """The users who have games of others open on the web, in all processes."""

    def __init__(self, store: Database, rights: ChannelRights) -> None:
        self._store = store
        self._rights = rights

    async def note(self, here: Collection[Watching], gone: Collection[Watching]) -> None:
        """Notes who watches on a process, for `WATCHING_MILLIS`, and who does so no more."""
        async with self._store.write() as tx:
            await tx.web.note_watching(gone, None)
            await tx.web.note_watching(here, Millis(await tx.clock.now() + WATCHING_MILLIS))

    async def of(self, matches: Collection[MatchId]) -> dict[MatchId, list[UserId]]:
        """Returns the spectators of matches; no match without any."""
        async with self._store.read() as reader:
            return await reader.web.watching(matches, await reader.clock.now())

    async def names_for(
        self, readers: Collection[UserId], match: Match, spectators: Sequence[UserId]
    ) -> dict[UserId, tuple[UserId, ...]]:
        """Returns for each reader the spectators whose names they may read: members of the match's server who have not
        switched that off, for members of it, and not where one of the two has blocked the other.

        Where Discord tells the bot nothing of members, there are no names. All `readers` play the match or watch it.
        """
        async with self._store.read() as reader:
            unnamed = await reader.people.unnamed(spectators)
            asked = [user for user in spectators if user not in unnamed][:MAX_NAMED]
            blocks = await reader.blocks.among({*asked, *readers})
        inside = await asyncio.gather(*(self._is_member(match, user) for user in asked))
        named = [user for user, is_member in zip(asked, inside, strict=True) if is_member]
        apart = {(block.user, block.blocked) for block in blocks}
        apart |= {(blocked, user) for user, blocked in apart}
        found: dict[UserId, tuple[UserId, ...]] = {}
        for who in readers:
            # Spectators were asked about within a minute; players keep their board when they leave the server.
            is_inside = who not in match.players or not named or await self._is_member(match, who)
            found[who] = tuple(user for user in named if is_inside and (who, user) not in apart)
        return found

    async def _is_member(self, match: Match, user: UserId) -> bool:
        """Returns whether a user is a member of the match's server, and sees its channel; False if Discord does not
        answer."""
        try:
            return match.guild is not None and await self._rights.sees(match.guild, match.channel, user)
        except Refused:
            return False
