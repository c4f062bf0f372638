"""Those who are at the boards of studies in this process: each stroke reaches all who are at its board.

The version is the truth. A stroke that another process has made is found by a look at the versions a moment later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import orjson
from aiohttp import web

from play.boards.own_board import OwnBoard
from play.boards.study import Role, compare
from play.ids import ChapterId, UserId
from play.refusal import Refused
from rules.game import Point, point_name
from storage.errors import Unavailable
from use_cases.studies import Studies
from use_cases.web_sessions import WebSessions
from web.bodies import Json
from web.live.hub import CLOSED_TO_YOU, MAX_SOCKETS, MAX_USER_SOCKETS, SERVER_CLOSES, SIGNED_OUT, closing_code
from web.live.outgoing import Outgoing
from web.own.guest import Guest
from web.presentation.own_boards import tell_turn
from web.presentation.readers import Readers

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 1.0
"""Seconds between two looks at the versions of boards."""

POLLS_PER_CHECK: Final = 30
"""Looks at versions between two looks at sessions and roles."""


class Attendee(Outgoing):
    """A socket at the board of a chapter. `who` is the number of its user there."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.BaseTransport | None,
        guest: Guest,
        digest: str,
        code: str,
        chapter: ChapterId,
        role: Role,
        name: str,
    ) -> None:
        super().__init__(socket, transport)
        self.guest = guest
        self.user = guest.player
        self.digest = digest
        self.code = code
        self.chapter = chapter
        self.role = role
        self.name = name
        self.who = 0


class Room:
    """Those who are at a board, and the board as they have it."""

    def __init__(self, newest: OwnBoard) -> None:
        self.attendees: set[Attendee] = set()
        self.newest = newest

    def number_of(self, user: UserId) -> int:
        """Returns the number of a user, who has one, or the first free one."""
        taken = {each.who: each.user for each in self.attendees}
        return next((who for who, each in taken.items() if each == user), None) or next(
            who for who in range(1, len(taken) + 2) if who not in taken
        )

    def send(self, message: Json, *, beside: Attendee | None = None) -> None:
        """Sends a message to all but one."""
        frame = orjson.dumps(message)
        for each in self.attendees:
            if each is not beside:
                each.send_frame(frame)


class StudyRooms:
    """The rooms of this process."""

    def __init__(
        self,
        studies: Studies,
        sessions: WebSessions,
        readers: Readers,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._studies = studies
        self._sessions = sessions
        self._readers = readers
        self._sleep = sleep
        self._rooms: dict[ChapterId, Room] = {}
        self._checking: set[asyncio.Task[None]] = set()

    @property
    def attendees(self) -> list[Attendee]:
        """Returns all who are at a board."""
        return [each for room in self._rooms.values() for each in room.attendees]

    def has_room(self, user: UserId) -> bool:
        """Returns whether a user may open one more board."""
        own = sum(each.user == user for each in self.attendees)
        return own < MAX_USER_SOCKETS and len(self.attendees) < MAX_SOCKETS

    @contextmanager
    def attending(self, attendee: Attendee, board: OwnBoard) -> Iterator[OwnBoard]:
        """Sends an attendee each stroke within the block, from the board on that it yields."""
        room = self._rooms.setdefault(attendee.chapter, Room(board))
        if board.version > room.newest.version:
            self._spread(room, board, None)
        attendee.who = room.number_of(attendee.user)
        room.attendees.add(attendee)
        self._introduce(room)
        try:
            yield room.newest
        finally:
            room.attendees.discard(attendee)
            self._introduce(room)
            if not room.attendees:
                self._rooms.pop(attendee.chapter, None)

    def note(self, chapter: ChapterId, board: OwnBoard, user: UserId | None) -> None:
        """Sends a stroke of a user to all who are at a board."""
        room = self._rooms.get(chapter)
        if room is not None and board.version > room.newest.version:
            self._spread(room, board, user)

    def point(self, attendee: Attendee, turn: int | None, point: Point | None) -> None:
        """Sends where one points to the others who are at a board; beside it nobody points."""
        room = self._rooms.get(attendee.chapter)
        if room is not None:
            name = None if point is None or not room.newest.game.contains(point) else point_name(point)
            room.send({"is": "cursor", "who": attendee.who, "turn": turn, "point": name}, beside=attendee)

    def note_study(self, code: str) -> None:
        """Looks at once who may still be in a study, and tells them that it has changed."""
        theirs = [each for each in self.attendees if each.code == code]
        if theirs:
            task = asyncio.create_task(self._check_all(theirs))
            self._checking.add(task)
            task.add_done_callback(self._checking.discard)

    def note_sessions_ended(self, user: UserId) -> None:
        """Closes the boards of a user whose sessions have ended."""
        for each in self.attendees:
            if each.user == user:
                self._sign_out(each)

    def note_session_ended(self, digest: str) -> None:
        """Closes the boards of a session that has ended."""
        for each in self.attendees:
            if each.digest == digest:
                self._sign_out(each)

    def close(self) -> None:
        """Closes all boards, since the process stops; browsers come back."""
        for each in self.attendees:
            each.close(SERVER_CLOSES)

    async def run(self) -> None:
        """Looks for strokes of other processes, and for rights that have ended, until it is cancelled."""
        polls = 0
        while True:
            await self._sleep(POLL_SECONDS)
            polls += 1
            try:
                await self.poll()
                if polls % POLLS_PER_CHECK == 0:
                    await self.check()
            except Unavailable as error:
                log.warning("boards of studies wait for the database: %s", error)

    async def poll(self) -> None:
        """Sends the strokes of which nothing was heard. Raises Unavailable."""
        if not self._rooms:
            return
        versions = await self._studies.versions([*self._rooms])
        for chapter, room in [*self._rooms.items()]:
            if not room.attendees:  # they have left while another board was read
                continue
            if chapter not in versions:
                self.note_study(next(iter(room.attendees)).code)
            elif versions[chapter] > room.newest.version:
                await self._renew(chapter, room)

    async def check(self) -> None:
        """Closes the boards of those whose session or right has ended. Raises Unavailable."""
        attendees = self.attendees
        current = await self._sessions.current({each.digest for each in attendees})
        for each in attendees:
            if each.digest not in current:
                self._sign_out(each)
        await self._check_all([each for each in attendees if each.digest in current])

    async def _renew(self, chapter: ChapterId, room: Room) -> None:
        one = next(iter(room.attendees))
        try:
            self.note(chapter, await self._studies.load(one.code, chapter, one.user), None)
        except Refused:
            self.note_study(one.code)

    async def _check_all(self, attendees: list[Attendee]) -> None:
        for each in attendees:
            try:
                opened = await self._studies.open(each.code, each.user)
            except Refused as refused:
                line = await self._readers.explain(refused, each.guest.language, None)
                each.close(closing_code(refused), line)
                continue
            except Unavailable as error:
                log.warning("a board of a study waits for the database: %s", error)
                continue
            each.role = opened.role
            if all(chapter.id != each.chapter for chapter in opened.chapters):
                each.close(CLOSED_TO_YOU, self._readers.words(each.guest.language)("refused.no_study"))
            each.send({"is": "study"})
        for room in self._rooms.values():
            self._introduce(room)

    def _spread(self, room: Room, board: OwnBoard, user: UserId | None) -> None:
        former, room.newest = room.newest, board
        who = next((each.who for each in room.attendees if each.user == user), None)
        stroke = compare(former, board)
        if stroke is None:
            room.send({"is": "renewed", "version": board.version, "who": who})
            return
        changed = {"name": board.name, "note": board.note, "marks": [*board.marks], "next_id": board.next_id}
        put = [*map(tell_turn, stroke.put)]
        versions = {"from": former.version, "version": board.version}
        room.send({"is": "drawn", **versions, "who": who, **changed, "put": put, "gone": [*stroke.gone]})

    def _introduce(self, room: Room) -> None:
        """Tells all who are at a board who the others are."""
        people = {each.who: {"who": each.who, "name": each.name, "draws": each.role.draws} for each in room.attendees}
        told = [people[who] for who in sorted(people)]
        for each in room.attendees:
            each.send({"is": "people", "people": told, "you": each.who})

    def _sign_out(self, attendee: Attendee) -> None:
        words = self._readers.words(attendee.guest.language)
        attendee.close(SIGNED_OUT, words("refused.no_session"))
