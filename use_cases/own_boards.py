"""The use cases of boards of one's own: to keep, change, list and delete them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from play.boards.own_board import MAX_BOARDS, OwnBoard
from play.ids import OwnBoardId, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.own_boards import ListedBoard
from use_cases.match_writer import irreversible, retry_on_conflict

Change = Callable[[OwnBoard], OwnBoard]
"""Makes of a board what it becomes, in a thread. It is called again on what another has made of it. Raises Refused."""


class OwnBoards:
    """What players do with boards of their own, which nobody else sees. All methods raise Refused."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def list(self, user: UserId) -> Sequence[ListedBoard]:
        """Returns the boards of a user, the one that was changed last first."""
        async with self._store.read() as reader:
            return await reader.own_boards.list(user)

    async def load(self, board: OwnBoardId, user: UserId) -> OwnBoard:
        """Returns a board of a user. Raises Refused (`no_own_board`)."""
        async with self._store.read() as reader:
            found = await reader.own_boards.get(board, user)
        if found is None:
            raise Refused(Reason.NO_OWN_BOARD)
        return found

    async def keep(self, board: OwnBoard, user: UserId) -> OwnBoard:
        """Stores a new board for a user; returns it with its id. Raises Refused (`too_many_own_boards`)."""
        async with self._store.write() as tx:
            await tx.own_boards.lock()
            if await tx.own_boards.count(user) >= MAX_BOARDS:
                raise Refused(Reason.TOO_MANY_OWN_BOARDS, most=MAX_BOARDS)
            number = await tx.own_boards.add(board, user, await tx.clock.now())
        return replace(board, id=number, user=user, version=1)

    async def change(self, board: OwnBoardId, user: UserId, change: Change, *, version: int | None = None) -> OwnBoard:
        """Stores what `change` makes of a board, and returns it. A change of two browsers at once is made twice, one
        after the other; one that is for a `version` alone is refused after any other (`board_changed`)."""

        async def attempt() -> OwnBoard:
            found = await self.load(board, user)
            if version is not None and found.version != version:
                raise Refused(Reason.BOARD_CHANGED)
            changed = await asyncio.to_thread(change, found)
            if changed == found:
                return found
            newer = replace(changed, version=found.version + 1)
            async with self._store.write() as tx:
                await tx.own_boards.save(newer, await tx.clock.now())
            return newer

        return await retry_on_conflict(attempt)

    @irreversible
    async def delete(self, board: OwnBoardId, user: UserId) -> None:
        """Deletes a board."""
        async with self._store.write() as tx:
            await tx.own_boards.delete(board, user)
