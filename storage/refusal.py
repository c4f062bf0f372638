"""What an index refuses, as an answer after which the transaction goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection


@asynccontextmanager
async def refused_as(answer: type[Exception], connection: AsyncConnection) -> AsyncIterator[None]:
    """Raises `answer` if a constraint refuses a statement of the block, of which then nothing is written.

    Without the savepoint PostgreSQL would give up the whole transaction, and say so only by not committing it.
    """
    try:
        async with connection.begin_nested():
            yield
    except IntegrityError as error:
        raise answer from error
