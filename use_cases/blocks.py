"""The use cases of blocks: a player chooses whom they do not want to play."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from play.ids import Millis, UserId
from play.people.block import Block
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale

MAX_BLOCKS: Final = 100
"""Players whom one player may block: four menus of Discord."""


class Blocks:
    """Blocks hold for both sides, and only for games to come. All methods raise Refused."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def load(self, user: UserId) -> list[UserId]:
        """Returns the players whom `user` has blocked, the newest first."""
        async with self._store.read() as reader:
            return await reader.blocks.of_user(user)

    async def block(self, user: UserId, other: UserId, at: Millis) -> None:
        """Blocks `other`; a second time changes nothing. Raises Refused (`block_self`, `too_many_blocks`)."""
        if user == other:
            raise Refused(Reason.BLOCK_SELF)
        with suppress(Stale):
            async with self._store.write() as tx:
                known = await tx.blocks.of_user(user)
                if other in known:
                    return
                if len(known) >= MAX_BLOCKS:
                    raise Refused(Reason.TOO_MANY_BLOCKS, count=MAX_BLOCKS)
                await tx.blocks.add(Block(user, other), at)

    async def unblock(self, user: UserId, other: UserId) -> None:
        """Takes a block back, if there is one."""
        async with self._store.write() as tx:
            await tx.blocks.remove(Block(user, other))
