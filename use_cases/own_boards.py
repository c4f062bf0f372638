"""The use cases of boards of one's own: to keep, change, list and delete them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from play.boards.own_board import MAX_BOARDS, OwnBoard
from play.ids import MatchId, OwnBoardId, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.own_boards import ListedBoard
from use_cases.match_writer import irreversible, retry_on_conflict, undone_by
from use_cases.unlisted import make_address

Change = Callable[[OwnBoard], OwnBoard]
"""Makes of a board what it becomes, in a thread. It is called again on what another has made of it. Raises Refused."""


class OwnBoards:
    """What players do with boards of their own, which others see at an address alone. All methods raise Refused."""

    def __init__(self, store: Database, make_code: Callable[[], str] = make_address) -> None:
        self._store = store
        self._make_code = make_code

    async def list(self, user: UserId) -> Sequence[ListedBoard]:
        """Returns the boards of a user, the one that was changed last first."""
        async with self._store.read() as reader:
            return await reader.own_boards.list(user)

    async def line_up(self, user: UserId, most: int) -> Sequence[tuple[ListedBoard, OwnBoard | None]]:
        """Returns what `list` does, with the boards themselves as long as their first lines have at most so many turns
        together."""
        found, left = [], most
        async with self._store.read() as reader:
            for listed in await reader.own_boards.list(user):
                board = await reader.own_boards.get(listed.id, user) if left > 0 else None
                left -= len(board.main_line) if board else 0
                found.append((listed, board if left >= 0 else None))
        return found

    async def load(self, board: OwnBoardId, user: UserId) -> OwnBoard:
        """Returns a board of a user. Raises Refused (`no_own_board`)."""
        async with self._store.read() as reader:
            found = await reader.own_boards.get(board, user)
        if found is None:
            raise Refused(Reason.NO_OWN_BOARD)
        return found

    async def of_match(self, match: MatchId, user: UserId) -> OwnBoard | None:
        """Returns the board of a user that has come from a match, if there is one."""
        async with self._store.read() as reader:
            found = await reader.own_boards.of_match(match, user)
            return None if found is None else await reader.own_boards.get(found, user)

    async def load_shared(self, link: str) -> OwnBoard:
        """Returns the board that is read at an address, without what its player has removed, and whose it is. Raises
        Refused (`no_shared_board`)."""
        async with self._store.read() as reader:
            found = await reader.own_boards.shared(link)
        if found is None:
            raise Refused(Reason.NO_SHARED_BOARD)
        return replace(found, id=OwnBoardId(0), user=None, removed=(), match=None)

    async def find_link(self, board: OwnBoardId, user: UserId) -> str | None:
        """Returns the address at which others read a board, if it is shared."""
        async with self._store.read() as reader:
            return await reader.own_boards.link(board, user)

    async def share(self, board: OwnBoardId, user: UserId) -> str:
        """Lets all who have an address read a board; returns the address, which stays until sharing ends."""
        async with self._store.write() as tx:
            await tx.own_boards.lock()
            if (there := await tx.own_boards.link(board, user)) is not None:
                return there
            if await tx.own_boards.get(board, user) is None:
                raise Refused(Reason.NO_OWN_BOARD)
            await tx.own_boards.share(board, user, link := self._make_code())
        return link

    @undone_by("share")
    async def end_sharing(self, board: OwnBoardId, user: UserId) -> None:
        """Takes away the address at which others read a board."""
        async with self._store.write() as tx:
            await tx.own_boards.share(board, user, None)

    async def keep(self, board: OwnBoard, user: UserId) -> OwnBoard:
        """Stores a new board for a user; returns it with its id. One that has come from the same match is returned in
        its place. Raises Refused (`too_many_own_boards`)."""
        async with self._store.write() as tx:
            await tx.own_boards.lock()
            there = None if board.match is None else await tx.own_boards.of_match(board.match, user)
            if there is not None and (found := await tx.own_boards.get(there, user)) is not None:
                return found
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
