"""The open boards of this process: each change of a match reaches those who look at it.

The version is the truth. What tells of a change may get lost, between processes or in a restart of the database; then a
look at the versions of the watched matches finds it a moment later.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import orjson

from play.ids import MatchId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Unavailable
from use_cases.matches import Matches
from use_cases.web_sessions import WebSessions
from web.live.pictures import picture_json
from web.live.watcher import Attendance, Rendered, Watcher
from web.presentation.narrator import Narrator
from web.presentation.readers import Audience, Readers

log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
"""Seconds between two looks at the versions of the watched matches."""

POLLS_PER_CHECK = 15
"""Looks at versions between two looks at sessions and clocks: half a minute."""

WATCHING_SECONDS = 60.0
"""Seconds after which one who watches is asked again whether they may."""

MAX_CHECKED = 10
"""Watchers who are asked again at a look, so that they cost five requests a second at most. With more than 300 of
them each is asked less often."""

MAX_SOCKETS, MAX_USER_SOCKETS = 2000, 10
"""Open boards of a process, and of one user."""

SIGNED_OUT, CLOSED_TO_YOU, SERVER_CLOSES, TOO_MANY = 4401, 4404, 1012, 1013
"""Close codes of docs/web-protocol.md."""


class Room:
    """The watchers of a match. `newest` is what they are to see, `spreading` the task that shows it to them."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.newest: Match | None = None
        self.spreading: asyncio.Task[None] | None = None


class Hub:
    """The rooms of this process."""

    def __init__(
        self,
        store: Database,
        matches: Matches,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        attendance: Attendance,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._matches = matches
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._attendance = attendance
        self._sleep = sleep
        self._clock = clock
        self._rooms: dict[MatchId, Room] = {}

    @property
    def watchers(self) -> list[Watcher]:
        """Returns all open boards."""
        return [watcher for room in self._rooms.values() for watcher in room.watchers]

    def has_room(self, user: UserId) -> bool:
        """Returns whether a user may open one more board."""
        own = sum(watcher.user == user for watcher in self.watchers)
        return own < MAX_USER_SOCKETS and len(self.watchers) < MAX_SOCKETS

    @contextmanager
    def watching(self, watcher: Watcher) -> Iterator[None]:
        """Shows a watcher every change of its match within the block."""
        room = self._rooms.setdefault(watcher.match, Room())
        room.watchers.add(watcher)
        watcher.checked = self._clock()
        try:
            yield
        finally:
            room.watchers.discard(watcher)
            if not room.watchers:
                del self._rooms[watcher.match]
                if room.spreading is not None:
                    room.spreading.cancel()

    def note_match(self, match: Match) -> None:
        """Shows a new version to those who look at the match."""
        room = self._rooms.get(match.id)
        if room is None or (room.newest is not None and match.version < room.newest.version):
            return
        room.newest = match
        if room.spreading is None or room.spreading.done():
            room.spreading = asyncio.create_task(self._spread(room))

    async def hear(self, match: MatchId, version: int) -> None:
        """Shows a version of which another process has told."""
        try:
            await self.note_version(match, version)
        except (Refused, Unavailable) as error:
            log.warning("a version of match %d was not shown: %s", match, error)

    async def note_version(self, match: MatchId, version: int) -> None:
        """Shows a version that another process has made, unless it is known."""
        room = self._rooms.get(match)
        if room is not None and (room.newest is None or room.newest.version < version):
            self.note_match(await self._matches.load(match))

    def show_again(self, match: MatchId) -> None:
        """Has a match shown again at the next look at the versions, since something beside its moves has changed."""
        if (room := self._rooms.get(match)) is not None:
            room.newest = None

    def renew(self, match: MatchId) -> None:
        """Shows a match again at once, since what it leads to has changed: players wait for that."""
        room = self._rooms.get(match)
        if room is not None and (room.spreading is None or room.spreading.done()):
            room.newest = None
            room.spreading = asyncio.create_task(self._renew(room, match))
        else:
            self.show_again(match)

    async def _renew(self, room: Room, match: MatchId) -> None:
        try:
            newest = await self._matches.load(match)
        except (Refused, Unavailable) as error:
            log.warning("match %d was not shown again: %s", match, error)  # the next look at the versions finds it
            return
        room.newest = room.newest or newest
        await self._spread(room)

    async def render(self, match: Match, audience: Audience) -> Rendered:
        """Returns a board as a frame."""
        return await self._frame(match, audience, await _encode_picture(match))

    def note_sessions_ended(self, user: UserId) -> None:
        """Closes the boards of a user whose sessions have ended."""
        for watcher in self.watchers:
            if watcher.user == user:
                self.sign_out(watcher)

    def note_session_ended(self, digest: str) -> None:
        """Closes the boards of a session that has ended."""
        for watcher in self.watchers:
            if watcher.digest == digest:
                self.sign_out(watcher)

    def sign_out(self, watcher: Watcher) -> None:
        """Closes a board whose session has ended, and says so."""
        words = self._readers.words(watcher.audience.language)
        watcher.close(SIGNED_OUT, words("refused.no_session"))

    async def run(self, seconds: float = POLL_SECONDS) -> None:
        """Looks for changes that no one has told of, and for rights that have ended, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look_for_changes(seconds))
            # Beside: the chat may take seconds to answer.
            group.create_task(self._look_at_rights(seconds))
            group.create_task(self._look_at_watchers(seconds))

    async def _look_for_changes(self, seconds: float) -> None:
        polls = 0
        while True:
            await self._sleep(seconds)
            polls += 1
            try:
                await self.poll()
                if polls % POLLS_PER_CHECK == 0:
                    await self.check_sessions()
                    await self.send_clocks()
            except Unavailable as error:
                log.warning("open boards wait for the database: %s", error)

    async def poll(self) -> None:
        """Shows the changes of watched matches of which nothing was heard."""
        if not self._rooms:
            return
        async with self._store.read() as reader:
            versions = await reader.matches.versions(list(self._rooms))
        for match, version in versions.items():
            await self.note_version(match, version)

    async def note_watchers(self, *, renews: bool = False) -> None:
        """Notes who has begun or ended watching, and tells those who look. With `renews` all who watch count on."""
        boards = {match: [*room.watchers] for match, room in self._rooms.items()}
        await self._attendance.refresh(boards, renews=renews)

    async def check_sessions(self) -> None:
        """Closes the boards whose sessions have ended."""
        watchers = self.watchers
        current = await self._sessions.current({watcher.digest for watcher in watchers})
        for watcher in watchers:
            if watcher.digest not in current:
                self.sign_out(watcher)

    async def _look_at_rights(self, seconds: float) -> None:
        while True:
            await self._sleep(seconds)
            await self.check_watching()

    async def _look_at_watchers(self, seconds: float) -> None:
        polls = 0
        while True:
            await self._sleep(seconds)
            polls += 1
            try:
                await self.note_watchers(renews=polls % POLLS_PER_CHECK == 0)
            except Unavailable as error:
                log.warning("the number of spectators waits for the database: %s", error)

    async def check_watching(self) -> None:
        """Closes the boards of those who may no longer watch, and says why."""
        now = self._clock()
        watching = (each for each in self.watchers if each.audience.seat is None or each.audience.votes)
        due = [each for each in watching if now >= each.checked + WATCHING_SECONDS]
        due = sorted(due, key=lambda watcher: watcher.checked)[:MAX_CHECKED]
        for watcher in due:
            watcher.checked = now
        await asyncio.gather(*(self._check(watcher) for watcher in due))

    async def _check(self, watcher: Watcher) -> None:
        try:
            await self._sessions.enter(watcher.user, watcher.match)
        except Refused as refused:
            line = await self._readers.explain(refused, watcher.audience.language, None)
            watcher.close(closing_code(refused), line)
        except Unavailable as error:
            log.warning("an open board waits for the database: %s", error)

    async def send_clocks(self) -> None:
        """Sends the clocks of matches that go on, read once for each language. Raises Unavailable."""
        now = await self._sessions.now()
        for room in [*self._rooms.values()]:
            match = room.newest
            if match is None or match.outcome is not None:
                continue
            languages = {watcher.audience.language for watcher in room.watchers}
            clocks = {each: await self._narrator.clocks(match, each, now) for each in languages}
            for watcher in room.watchers if room.newest is match else ():  # else they have seen newer ones
                if watcher.audience.language in clocks:
                    watcher.send({"is": "clock", "players": clocks[watcher.audience.language]})

    def close(self) -> None:
        """Closes all boards, since the process stops; browsers come back."""
        for watcher in self.watchers:
            watcher.close(SERVER_CLOSES)

    async def _spread(self, room: Room) -> None:
        """Shows the newest version, until there is no newer one."""
        shown: Match | None = None
        while room.newest is not None and room.newest is not shown:
            shown = room.newest
            try:
                await self._show(room, shown)
            except Unavailable as error:
                log.warning("version %d of match %d was not shown: %s", shown.version, shown.id, error)
                if room.newest is shown:
                    room.newest = None  # which the next look at the versions finds

    async def _show(self, room: Room, match: Match) -> None:
        """Sends a version to all watchers, rendered once for each audience. Raises Unavailable."""
        picture = await _encode_picture(match)
        frames: dict[Audience, Rendered] = {}
        for watcher in [*room.watchers]:
            if watcher.audience not in frames:
                frames[watcher.audience] = await self._frame(match, watcher.audience, picture)
            watcher.show(frames[watcher.audience])

    async def _frame(self, match: Match, audience: Audience, picture: bytes) -> Rendered:
        view = orjson.dumps(await self._narrator.view(match, audience))
        head = b'{"is":"board","version":%d,"picture":' % match.version
        return Rendered(match.version, b"".join((head, picture, b',"view":', view, b"}")))


def closing_code(refused: Refused) -> int:
    """Returns the code with which a socket closes that a user may not have. Only after `SIGNED_OUT` and `CLOSED_TO_YOU`
    browsers do not come back."""
    codes = {
        Reason.NO_SESSION: SIGNED_OUT,
        Reason.TOO_MANY_BOARDS: TOO_MANY,
        Reason.TOO_FAST: TOO_MANY,
        Reason.CLOSING: SERVER_CLOSES,
        Reason.CHAT_AWAY: SERVER_CLOSES,
    }
    return codes.get(refused.key, CLOSED_TO_YOU)


async def _encode_picture(match: Match) -> bytes:
    """Returns the picture of a match on the wire, which takes up to 8 ms on large boards."""
    return await asyncio.to_thread(lambda: orjson.dumps(picture_json(match.position.picture())))
