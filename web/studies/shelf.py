"""How the boards of chapters are found and changed. Each change is a stroke, which is made once for its key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cachetools import LRUCache

from play.boards.own_board import MAX_CODE, OwnBoard
from play.ids import ChapterId, UserId
from play.refusal import Reason, Refused
from use_cases.studies import Studies
from web import bodies
from web.bodies import Json
from web.live.allowance import Allowance
from web.own.guest import Guest
from web.own.shelf import Shelf
from web.presentation.own_boards import write_board

STROKE_BURST, STROKE_SECONDS = 40, 0.25
"""Strokes of a user at once, and the seconds for each further one."""

_COUNTED: Final = 5000


def code_of(message: Json) -> str:
    """Returns the address of the study that a message names. Raises Refused (`bad_message`)."""
    return bodies.text(message, "study", MAX_CODE)


def chapter_of(message: Json) -> ChapterId:
    """Returns the chapter that a message names. Raises Refused (`bad_message`)."""
    return ChapterId(bodies.number(message, "chapter"))


@dataclass(frozen=True, slots=True)
class StudyShelf(Shelf):
    """Boards of studies, as the deeds of boards of one's own reach them. All methods raise Refused."""

    studies: Studies = field(kw_only=True)
    clock: Callable[[], float] = time.monotonic
    _allowances: LRUCache[UserId, Allowance] = field(default_factory=lambda: LRUCache(_COUNTED))

    async def tell(self, guest: Guest, board: OwnBoard) -> Json:
        """Returns that a stroke is made: what the board has become comes by the socket."""
        return {"is": "done", "version": board.version}

    async def tell_all(self, guest: Guest, message: Json) -> Json:
        """Returns the board of a chapter for a page."""
        board = await self.load(guest, message)
        return {"is": "done", "board": await asyncio.to_thread(write_board, board, self.words(guest.language))}

    async def load(self, guest: Guest, message: Json) -> OwnBoard:
        """Returns the board of the chapter that a message names."""
        return await self.studies.load(code_of(message), chapter_of(message), guest.user)

    async def change(
        self, guest: Guest, message: Json, change: Callable[[OwnBoard], OwnBoard], version: int | None = None
    ) -> OwnBoard:
        """Returns the board of the chapter that a message names, as `change` makes it. Raises Refused (`too_fast`)."""
        user, chapter = guest.player, chapter_of(message)
        key = bodies.deed_key(user, f"chapter {chapter}", bodies.key(message))
        allowance = self._allowances.setdefault(user, Allowance(STROKE_BURST, STROKE_SECONDS, self.clock()))
        if not allowance.takes(self.clock()):
            raise Refused(Reason.TOO_FAST, count=1)
        draw = self.studies.draw
        return await draw(code_of(message), chapter, user, key, change, version=version)
