"""Boards of one's own that others read by a link, until it ends: what makes the link, and what is read by it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import yarl
from aiohttp import web

from play.boards.own_board import OwnBoard
from play.ids import OwnBoardId
from play.match.turn_tree import TriedTurn
from presentation.own_boards import draw_board
from web import bodies
from web.access.links import UNLISTED
from web.bodies import Json
from web.own.guest import Guest
from web.own.shelf import Shelf
from web.pages.page import Content

PATH: Final = "/analysis"
"""The path of boards of one's own."""

SHARED: Final = f"{PATH}/{{link:{UNLISTED}}}"
"""The path of a shared one."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """What makes and ends links, and what is read by them. The site is at `site`. All deeds raise Refused."""

    shelf: Shelf
    site: str

    async def tell(self, guest: Guest, message: Json) -> Json:
        """Returns the link to a board at a place, if it is shared."""
        board, turn = _named(message)
        return self._tell(await self.shelf.use_cases.own_boards.find_link(board, guest.player), turn)

    async def share(self, guest: Guest, message: Json) -> Json:
        """Makes a link to a board, or returns the one that is there."""
        board, turn = _named(message)
        return self._tell(await self.shelf.use_cases.own_boards.share(board, guest.player), turn)

    async def end_sharing(self, guest: Guest, message: Json) -> Json:
        """Ends the link to a board."""
        board, turn = _named(message)
        await self.shelf.use_cases.own_boards.end_sharing(board, guest.player)
        return self._tell(None, turn)

    def _tell(self, link: str | None, turn: int | None) -> Json:
        return {"is": "done", "link": None if link is None else f"{self.site}{path_of(link, turn)}"}

    async def draw(self, guest: Guest, link: str, turn: int | None) -> Content:
        """Returns the picture of a shared board."""
        board = await self.shelf.use_cases.own_boards.load_shared(link)
        steps = shown_steps(board, turn)
        png = await self.shelf.jobs.pages.make(guest.asker, draw_board, board.game, steps, guest.theme)
        return await asyncio.to_thread(Content.of, png, "image/png")


def path_of(link: str, turn: int | None, part: str = "") -> str:
    """Returns the path of a shared board, or of a part of its page, at a turn."""
    return str(yarl.URL(f"{PATH}/{link}{part}").with_query({} if turn is None else {"turn": turn}))


def shown_steps(board: OwnBoard, turn: int | None) -> tuple[TriedTurn, ...]:
    """Returns the turns up to the one that is shown: the end of the first line where there is no such turn."""
    is_there = turn is not None and any(each.id == turn for each in board.turns)
    return board.steps(turn) if is_there else board.main_line


def read_turn(request: web.Request) -> int | None:
    """Returns the turn that an address names, if any."""
    text = request.query.get("turn", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _named(message: Json) -> tuple[OwnBoardId, int | None]:
    return OwnBoardId(bodies.number(message, "board")), bodies.optional_number(message, "turn")
