"""Blocks in SQL."""

from collections import defaultdict
from collections.abc import Collection
from itertools import product

from sqlalchemy import delete, select

from play.ids import Millis, UserId
from play.people.settings import Block
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.identities import IdentityRepository
from storage.lists import is_among
from storage.own_accounts import OwnAccountReader
from storage.statements import Repository

_block = schema.block.c
_AMONG = select(_block.user, _block.blocked).where(is_among(_block.user, "users"), is_among(_block.blocked, "users"))


class BlockReader(Repository):
    """Blocks, as reads see them."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> list[UserId]:
        """Returns the players whom `user` has blocked, the newest first."""
        mine = select(_block.blocked).where(_block.user == user).order_by(_block.at.desc(), _block.blocked)
        return [row.blocked for row in await self._sql.all(mine)]

    async def among(self, users: Collection[UserId]) -> list[Block]:
        """Returns the blocks of one of `users` by another. A block counts for all accounts of both people."""
        accounts = await OwnAccountReader(self._sql).of_all(users)
        named = defaultdict[UserId, list[UserId]](list)
        for user, own in accounts.items():
            for each in own:
                named[each].append(user)
        rows = await self._sql.all(_AMONG, users=[*named])
        blocks = (Block(*pair) for row in rows for pair in product(named[row.user], named[row.blocked]))
        return list(dict.fromkeys(blocks))


class BlockRepository(BlockReader):
    """Blocks, as a transaction writes them."""

    __slots__ = ()

    async def add(self, block: Block, at: Millis) -> None:
        """Stores a block. Raises Stale if it is there."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.block, {**block._asdict(), "at": at})

    async def remove(self, block: Block) -> None:
        """Removes a block, if it is there."""
        await self._sql.execute(delete(schema.block).where(_block.user == block.user, _block.blocked == block.blocked))
        await IdentityRepository(self._sql).drop_unneeded(block.blocked)
