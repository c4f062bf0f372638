"""Players whom other players have blocked."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

from play.ids import Millis, UserId


class Block(NamedTuple):
    """Who has blocked whom."""

    user: UserId
    blocked: UserId


class BlockReader(Protocol):
    """Blocks, as reads see them."""

    async def of_user(self, user: UserId) -> list[UserId]:
        """Returns the players whom `user` has blocked, the newest first."""

    async def among(self, users: Collection[UserId]) -> list[Block]:
        """Returns the blocks of one of `users` by another."""


class BlockRepository(BlockReader, Protocol):
    """Blocks, as a transaction writes them."""

    async def add(self, block: Block, at: Millis) -> None:
        """Stores a block. Raises Stale if it is there."""

    async def remove(self, block: Block) -> None:
        """Removes a block, if it is there."""
