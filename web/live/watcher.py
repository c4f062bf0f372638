"""One open board of a match, and who watches which game, noted for all processes."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web

from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.web_session import Watching
from play.refusal import Refused
from presentation.people import Names
from use_cases.channel_rights import Spectators
from use_cases.matches import Matches
from web.bodies import Json
from web.live.outgoing import SEND_SECONDS, Outgoing
from web.presentation.readers import Audience, Readers


@dataclass(frozen=True, slots=True)
class Rendered:
    """A version of a match for an audience, as a frame."""

    version: int
    frame: bytes


class Watcher(Outgoing):
    """A socket's side that sends a match. Of boards that wait only the newest is sent; answers keep their order."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.BaseTransport | None,
        match: Match,
        user: UserId,
        digest: str,
        audience: Audience,
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        super().__init__(socket, transport, send_seconds)
        self.match: MatchId = match.id
        self.user = user
        self.digest = digest
        self.audience = audience
        self.checked = 0.0
        """When it was last asked whether the user may watch, on the hub's clock."""
        self.spectators: Sequence[UserId] = []
        """Who the browser was told watches the match."""
        self._board: Rendered | None = None

    def show(self, board: Rendered) -> None:
        """Sends a board, unless a newer one waits already."""
        if self._board is None or board.version >= self._board.version:
            self._board = board
            self._wakes.set()

    def _next(self) -> bytes | None:
        """Returns the next frame: an answer, or else the newest board."""
        if (answer := super()._next()) is not None:
            return answer
        board, self._board = self._board, None
        return None if board is None else board.frame


class Attendance:
    """The spectators of open boards. A player is none on any of their own boards, and a user with many counts once."""

    def __init__(self, spectators: Spectators, matches: Matches, names: Names, readers: Readers) -> None:
        self._spectators = spectators
        self._matches = matches
        self._names = names
        self._readers = readers
        self._noted: frozenset[Watching] = frozenset()

    async def refresh(self, boards: Mapping[MatchId, Collection[Watcher]], *, renews: bool) -> None:
        """Notes who has come and gone, or with `renews` all who are here, and tells each board what is new to it.

        Raises Unavailable.
        """
        here = frozenset(
            Watching(watcher.user, watcher.match)
            for watchers in boards.values()
            for watcher in watchers
            if watcher.audience.seat is None
        )
        come, gone = here if renews else here - self._noted, self._noted - here
        if come or gone:
            await self._spectators.note(come, gone)
            self._noted = here
        if boards:
            found = await self._spectators.of([*boards])
            for match, watchers in boards.items():
                spectators = found.get(match, [])
                if behind := [watcher for watcher in watchers if watcher.spectators != spectators]:
                    await self._tell(match, spectators, behind)

    async def _tell(self, match: MatchId, spectators: Sequence[UserId], watchers: Collection[Watcher]) -> None:
        try:
            stored = await self._matches.load(match)
        except Refused:  # it was deleted, and its boards close
            return
        for away in (False, True) if stored.away is not None else (False,):
            there = [watcher for watcher in watchers if watcher.audience.away is away]
            await self._tell_place(stored.look_from(away=away), spectators, there)

    async def _tell_place(self, match: Match, spectators: Sequence[UserId], watchers: Collection[Watcher]) -> None:
        """Tells those who see a match from one of its places, who read no names of the other."""
        named = await self._spectators.names_for({watcher.user for watcher in watchers}, match, spectators)
        told: dict[tuple[str, tuple[UserId, ...]], Json] = {}
        for watcher in watchers:
            key = watcher.audience.language, named[watcher.user]
            if key not in told:
                told[key] = await self._message(match, len(spectators), *key)
            watcher.send(told[key])
            watcher.spectators = spectators

    async def _message(self, match: Match, count: int, language: str, named: tuple[UserId, ...]) -> Json:
        words = self._readers.words(language)
        line = words("web.watchers", count=count) if count else ""
        if named:
            names = [*await self._names.of_all(named, match.guild), *(["…"] if len(named) < count else [])]
            line = f"{line}: {', '.join(names)}"
        return {"is": "watching", "count": count, "line": line}
