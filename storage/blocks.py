"""Blocks in SQL."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, insert, select

from play.ids import Millis, UserId
from play.store import Stale
from play.store.blocks import Block
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.statements import SqlRepository

_block = schema.block.c
_users: BindParameter[Any] = bindparam("users", expanding=True)
_AMONG = select(_block.user, _block.blocked).where(_block.user.in_(_users), _block.blocked.in_(_users))


class SqlBlockReader(SqlRepository):
    """A `play.store.blocks.BlockReader`."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> list[UserId]:
        mine = select(_block.blocked).where(_block.user == user).order_by(_block.at.desc(), _block.blocked)
        return [row.blocked for row in await self._sql.all(mine)]

    async def among(self, users: Collection[UserId]) -> list[Block]:
        return [Block(row.user, row.blocked) for row in await self._sql.all(_AMONG, users=[*users])]


class SqlBlockRepository(SqlBlockReader):
    """A `play.store.blocks.BlockRepository`."""

    __slots__ = ()

    async def add(self, block: Block, at: Millis) -> None:
        with raises_on_conflict(Stale):
            await self._sql.execute(insert(schema.block).values(**block._asdict(), at=at))

    async def remove(self, block: Block) -> None:
        await self._sql.execute(delete(schema.block).where(_block.user == block.user, _block.blocked == block.blocked))
