"""How boards of one's own are found, changed and told: a player's are stored, a visitor's come with each question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

from cachetools import LRUCache

from play.boards.own_board import MAX_CODE, OwnBoard, first_position, play_step, play_steps
from play.ids import OwnBoardId, UserId
from play.match.turn_tree import TriedTurn
from presentation.words.words import Words
from rules.dots import Dots, DotsPosition
from rules.game import Seat
from use_cases import UseCases
from web import bodies
from web.bodies import Json
from web.live.sender import Shares
from web.own.guest import Guest, Place
from web.ports import Jobs
from web.presentation.own_boards import read_board, write_board
from web.presentation.readers import Readers

CACHED_POSITIONS: Final = 128

Steps = tuple[tuple[Seat, str], ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Boards of one's own, as all deeds reach them. All methods raise Refused."""

    use_cases: UseCases
    readers: Readers
    jobs: Jobs
    shares: Shares = field(default_factory=Shares)
    _positions: LRUCache[tuple[Dots, Steps], DotsPosition] = field(default_factory=lambda: LRUCache(CACHED_POSITIONS))
    _lock: Lock = field(default_factory=Lock)

    def words(self, language: str) -> Words:
        """Returns the words of a language, without marks."""
        return self.readers.words(language)

    async def begin(self, guest: Guest, board: OwnBoard) -> Json:
        """Returns a new board: a player's is kept, under a name."""
        words = self.words(guest.language)
        named = replace(board, name=board.name or words("import.nameless_board"), version=0)
        await asyncio.to_thread(first_position, named.game)
        kept = named if guest.user is None else await self.use_cases.own_boards.keep(named, guest.user)
        return await self.tell(guest, kept)

    async def tell(self, guest: Guest, board: OwnBoard) -> Json:
        """Returns a board for a page."""
        return {"is": "done", "board": await asyncio.to_thread(write_board, board, self.words(guest.language))}

    async def load(self, guest: Guest, message: Json) -> OwnBoard:
        """Returns the board that a message names by its number or its address, or has in it."""
        if isinstance(message.get("board"), dict):
            return await asyncio.to_thread(read_board, message["board"])
        if isinstance(message.get("board"), str):
            return await self.use_cases.own_boards.load_shared(bodies.text(message, "board", MAX_CODE))
        return await self.use_cases.own_boards.load(OwnBoardId(bodies.number(message, "board")), guest.player)

    async def change(
        self, guest: Guest, message: Json, change: Callable[[OwnBoard], OwnBoard], version: int | None = None
    ) -> OwnBoard:
        """Returns the board that a message names, or has in it, as `change` makes it."""
        if isinstance(message.get("board"), dict):
            return await asyncio.to_thread(lambda: change(read_board(message["board"])))
        number = OwnBoardId(bodies.number(message, "board"))
        return await self.use_cases.own_boards.change(number, guest.player, change, version=version)

    async def change_and_tell(
        self, guest: Guest, message: Json, change: Callable[[OwnBoard], OwnBoard], version: int | None = None
    ) -> Json:
        """Returns the board for a page that `change` has made of it."""
        return await self.tell(guest, await self.change(guest, message, change, version))

    async def find_place(self, guest: Guest, message: Json) -> Place:
        """Returns the place that a message names."""
        board, turn = await self.load(guest, message), bodies.optional_number(message, "turn")
        steps = board.steps(turn)

        async def work() -> DotsPosition:
            return await asyncio.to_thread(self.position, board.game, steps)

        return Place(board, steps, await self.shares.run(UserId(guest.asker), work))

    def position(self, game: Dots, steps: Sequence[TriedTurn]) -> DotsPosition:
        """Returns the position after turns. One turn after a position that was shown lately is quick."""
        keys = texts_of(steps)
        with self._lock:
            known = self._positions.get((game, keys))
            before = self._positions.get((game, keys[:-1])) if keys else None
        if known is not None:
            return known
        found = play_steps(game, steps) if before is None else play_step(game, before, steps[-1])
        with self._lock:
            self._positions[game, keys] = found
        return found


def texts_of(steps: Sequence[TriedTurn]) -> Steps:
    """Returns what tells one line of turns from another."""
    return tuple((step.seat, step.text) for step in steps)
