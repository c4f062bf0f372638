"""Rooms of studies: what a process finds of the strokes of others while people come and go."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, cast

from play.boards.own_board import OwnBoard
from play.boards.study import Role
from play.ids import ChapterId, UserId
from rules.dots import Dots
from rules.registry import make_game
from web.own.guest import Guest
from web.studies.rooms import Attendee, StudyRooms


def board(version: int) -> OwnBoard:
    game = make_game("zagram", {"size": "10x10"})
    assert isinstance(game, Dots)
    return OwnBoard(game, version=version)


def attendee(user: int, chapter: ChapterId) -> Attendee:
    guest = Guest(UserId(user), user, "en", "paper")
    return Attendee(cast(Any, None), None, guest, f"{user}", "study", chapter, Role.DRAWER, "Ola")


class Elsewhere:
    """Studies in which another process has drawn on all boards; while one is read, its people leave the others."""

    def __init__(self, stays: ExitStack) -> None:
        self.loaded: list[ChapterId] = []
        self._stays = stays

    async def versions(self, chapters: list[ChapterId]) -> dict[ChapterId, int]:
        return dict.fromkeys(chapters, 2)

    async def load(self, _: str, chapter: ChapterId, __: UserId) -> OwnBoard:
        self._stays.close()
        self.loaded.append(chapter)
        return board(2)


async def test_a_board_that_all_leave_while_another_is_read_stops_no_look() -> None:
    with ExitStack() as stays, ExitStack() as leaves:
        elsewhere = Elsewhere(leaves)
        rooms = StudyRooms(cast(Any, elsewhere), cast(Any, None), cast(Any, None))
        stays.enter_context(rooms.attending(attendee(1, ChapterId(1)), board(1)))
        leaves.enter_context(rooms.attending(attendee(2, ChapterId(2)), board(1)))
        await rooms.poll()
    assert elsewhere.loaded == [1]
