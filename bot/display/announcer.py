"""Tells a channel what happened: opens the thread, posts the board, takes the buttons off the one before."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.interactions.errors import is_final
from bot.life.notices import DM_REFUSED, Notices, nonce
from bot.life.telling import called
from bot.names import escaped
from play.attending import RESCAN
from play.clock import Speed
from play.herald import Undeliverable
from play.ids import MatchId, MessageId
from play.match import Match
from play.notice import Notice
from play.store import ChannelTaken

if TYPE_CHECKING:
    from bot.client import Kropka
    from bot.display.boards import Board
    from play.ids import UserId
    from play.store import Announcement
    from rules.game import Seat

log = logging.getLogger(__name__)

THREAD_EXISTS, MISSING_ACCESS = 160004, 50001
TITLE_LONGEST = 100
"""Discord's limit for the name of a thread."""

BURST = 60_000
"""Milliseconds; whoever has moved within them in a live match is there."""

REMEMBERED = 1000
"""Messages of which it is known at once that they stand."""

ELSEWHERE = 2 * RESCAN * 1000
"""Milliseconds within which every process has looked through the outbox."""

WEEK: Final = 10080
"""Minutes without a message after which Discord archives a thread; the next board opens it again."""


class Announcer:
    """Implements play.herald.Announcer."""

    def __init__(self, client: Kropka) -> None:
        self._client = client
        self._notices = Notices(client)
        self._newest: OrderedDict[tuple[MatchId, int], MessageId] = OrderedDict()
        self._awaited: defaultdict[tuple[MatchId, int], list[asyncio.Future[MessageId | None]]] = defaultdict(list)

    async def announce(self, match: Match, announcement: Announcement) -> MessageId:
        """See play.herald.Announcer: posts `match` at its version, once."""
        message: MessageId | None = None
        try:
            try:
                message = await self._delivered(match, announcement)
            except Undeliverable:
                await self._directly(match, match.players)
                if not self._client.doors.is_open(match.channel):  # unless somebody has come there meanwhile
                    raise
                message = await self._delivered(match, announcement)
            self._newest[match.id, match.version] = message
            if len(self._newest) > REMEMBERED:
                self._newest.popitem(last=False)
        finally:
            for waiting in self._awaited.pop((match.id, match.version), []):
                if not waiting.done():
                    waiting.set_result(message)
        if announcement.previous not in (None, message):
            await self._strip(match, announcement.previous)
        return message

    async def notify(self, match: Match, notice: Notice) -> None:
        """See play.herald.Announcer."""
        await self._notices.deliver(match, notice)

    async def _delivered(self, match: Match, announcement: Announcement) -> MessageId:
        words = await self._client.audience.match(match)
        board = await self._client.boards.of(match, words, pictured=_is_pictured(match, announcement.previous))
        try:
            if match.version == 0 and match.parent is not None:
                await self._open_thread(match, board)
            return await self._post(match, board, last=announcement.last)
        except discord.HTTPException as error:
            if match.parent is None or not is_final(error):
                raise
            moved = await self._moved_out(match, error)
            return await self._post(moved, await self._client.boards.of(moved, words), last=announcement.last)

    async def posted(self, match: Match, within: float) -> MessageId | None:
        """The message of this version of `match` once it stands; None if that fails, or takes longer than `within`
        seconds."""
        key = match.id, match.version
        if key in self._newest:
            return self._newest[key]
        waiting: asyncio.Future[MessageId | None] = asyncio.get_running_loop().create_future()
        self._awaited[key].append(waiting)
        try:
            async with asyncio.timeout(within):
                return await waiting
        except TimeoutError:
            return None
        finally:
            if waiting in self._awaited.get(key, []):
                self._awaited[key].remove(waiting)
                if not self._awaited[key]:
                    del self._awaited[key]

    async def _open_thread(self, match: Match, board: Board) -> None:
        """The thread hangs on the challenge's card, whose id is the thread's."""
        assert match.parent is not None, "a thread has a channel that it hangs in"
        title = board.scene.words("thread.title", players=" – ".join(board.scene.names))
        try:
            await self._client.http.start_thread_with_message(
                match.parent, match.channel, name=title[:TITLE_LONGEST], auto_archive_duration=WEEK
            )
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise

    async def _post(self, match: Match, board: Board, *, last: bool) -> MessageId:
        seats = called(match) if last else ()  # what an earlier version asks for was done since
        users = [discord.Object(match.players[seat]) for seat in seats if not _is_here(match, seat)]
        note = await self._followed(match, board) if last else ""
        mentions = discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)

        def message() -> dict[str, Any]:
            content = board.content + note
            return {"content": content, **board.pictures, "allowed_mentions": mentions, "view": board.buttons}

        try:
            return await self._client.doors.post(match.channel, message, f"{match.id}:{match.version}")
        except discord.HTTPException as error:
            if match.parent is None and is_final(error) and not await self._may_go_elsewhere(match, error):
                raise Undeliverable(str(error)) from error
            raise

    async def _may_go_elsewhere(self, match: Match, error: discord.HTTPException) -> bool:
        """Whether another process may have a way in that this one has not: it gets the time to find the match.

        Where the bot was brought along, only the process that hears the interactions of a channel can answer there.
        """
        if self._client.ownership is None or error.code != MISSING_ACCESS:
            return False
        async with self._client.store.read() as reader:
            return await reader.now() - (match.events[-1].at if match.events else match.started) < ELSEWHERE

    async def _followed(self, match: Match, board: Board) -> str:
        """What to add where whoever is to move has left the server: he can play on in his direct messages."""
        to_act = match.to_act
        if to_act is None or not self._client.names.has_left(match.players[to_act], match.guild):
            return ""
        reached = await self._directly(match, [match.players[to_act]])
        name = f"**{escaped(board.scene.names[to_act])}**"
        words = board.scene.words
        return "\n" + (words("turn.left", name=name) if reached else words("turn.unreachable", name=name))

    async def _directly(self, match: Match, users: Sequence[UserId]) -> bool:
        """Posts the board to people themselves, whose buttons work there; whether anybody was reached."""
        reached = False
        for user in users:
            words = await self._client.audience.person(user, match.guild)
            board = await self._client.boards.of(match, words)
            try:
                await self._notices.write(
                    user, board.content, nonce(match, match.version, user, "d"), view=board.buttons, **board.pictures
                )
                reached = True
            except discord.HTTPException as error:
                if not (is_final(error) or error.code == DM_REFUSED):
                    raise
                log.info("user %d cannot be reached about match %d: %s", user, match.id, error)
        return reached

    async def _moved_out(self, match: Match, error: discord.HTTPException) -> Match:
        """The match, from now on played in the channel itself, since its thread cannot be made or written to."""
        assert match.parent is not None, "without a thread there is nowhere else to go"
        log.warning("match %d leaves its thread: %s", match.id, error)
        try:
            async with self._client.store.write() as transaction:
                await transaction.relocate(match.id, match.parent)
        except ChannelTaken as taken:
            raise Undeliverable(f"{error}, and another match is open in the channel") from taken
        return replace(match, channel=match.parent, parent=None)

    async def _strip(self, match: Match, message: MessageId) -> None:
        try:
            await self._client.doors.edit(match.channel, message, view=None)
        except discord.HTTPException as error:
            # Its buttons stay, and answer that they are out of date.
            log.info("message %d keeps its buttons: %s", message, error)


def _is_pictured(match: Match, previous: MessageId | None) -> bool:
    """A board is shown where it has changed, where none stands yet, and at the end."""
    unchanged = match.events and not match.events[-1].changes_position
    return previous is None or match.outcome is not None or not unchanged


def _is_here(match: Match, seat: Seat) -> bool:
    """Whether a player has done something just now in a live match: then he needs no ping to look."""
    last = next((event.at for event in reversed(match.events) if event.seat == seat), None)
    live = match.clock.control.speed is Speed.LIVE
    return live and last is not None and match.events[-1].at - last < BURST
