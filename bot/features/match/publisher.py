"""Tells a channel what happened: opens the thread, posts the board, takes the buttons off the one before.

A turn that comes by a click is answered with its board: that is one request, which does not count against the bot's
limit. Every other board is posted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.features.match.board.narration import called_seats
from bot.features.match.button_remover import ButtonRemover
from bot.features.match.message import BoardRenderer
from bot.features.match.notices import DM_REFUSED, Notices, nonce
from bot.interactions.context import ALREADY_ACKNOWLEDGED, Context
from bot.interactions.errors import SERVER_ERROR, TOO_MANY, is_final
from bot.request import can_answer_publicly, is_user_install, own_id
from bot.services.channels import ChannelMessenger
from bot.services.locales import Locales
from bot.services.names import Names, escape
from bot.services.text_limits import fit_message
from play.clock import Speed
from play.ids import MatchId, MessageId
from play.match.events import Notice
from play.match.match import Match
from play.refusal import Refused
from play.store import ChannelTaken, Store, Unavailable
from play.workers.outbox_relay import Undeliverable
from play.workers.worker import POLL_SECONDS

if TYPE_CHECKING:
    from bot.features.match.message import Board
    from bot.interactions.deferral import Deferral
    from play.ids import UserId
    from play.store.outbox import OutboxEntry
    from play.workers.outbox_relay import Reservation
    from rules.point import Seat

log = logging.getLogger(__name__)

THREAD_EXISTS, MISSING_ACCESS = 160004, 50001
MAX_TITLE = 100
"""Discord's limit for the name of a thread."""

BURST_MILLIS = 60_000
"""Milliseconds; whoever has moved within them in a live match is there."""

POSTED_CACHE_SIZE = 1000
"""Messages of which it is known at once that they stand."""

ELSEWHERE_MILLIS = 2 * POLL_SECONDS * 1000
"""Milliseconds within which every process has looked through the outbox."""

SEARCH_MESSAGES = 100
"""Messages after a click among which its answer is looked for: as many as Discord gives at once."""

ARCHIVE_MINUTES: Final = 10080
"""Minutes without a message after which Discord archives a thread; the next board opens it again."""


class Publisher:
    """Implements play.workers.outbox_relay.MatchPublisher."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        boards: BoardRenderer,
        locales: Locales,
        names: Names,
        channels: ChannelMessenger,
        *,
        shares_gateway: bool = False,
    ) -> None:
        """`shares_gateway` says that other processes hear some of the interactions."""
        self._client = client
        self._store = store
        self._boards = boards
        self._locales = locales
        self._names = names
        self._channels = channels
        self._shares_gateway = shares_gateway
        self._notices = Notices(client, store, locales, names, channels)
        self._remover = ButtonRemover(channels)
        self._newest: OrderedDict[tuple[MatchId, int], MessageId] = OrderedDict()
        self._awaited: defaultdict[tuple[MatchId, int], list[asyncio.Future[MessageId | None]]] = defaultdict(list)

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        """See play.workers.outbox_relay.MatchPublisher: posts `match` at its version, once."""
        message: MessageId | None = None
        try:
            if announcement.answer_until is not None:
                message = await self._find_answer(match)
            if message is None:
                message = await self._post_or_message(match, announcement)
        finally:
            self._settle(match, message)
        self._remove_buttons(match, announcement, message)
        return message

    async def answer_with_board(self, ctx: Context, deferral: Deferral, match: Match, held: Reservation) -> bool:
        """Answers the click by which `match` has come to its version with the board of it.

        False if the herald has to post it: an earlier version is still to be posted, the answer took too long, or
        Discord refused it. Raises discord.HTTPException if the click cannot be answered any more.
        """
        held.version = match.version
        try:
            async with self._store.read() as reader:
                announcement = await reader.outbox.next_entry(match.id)
            if announcement is None or announcement.version != match.version:
                return False
            board = await self._boards.render(match, await self._locales.for_match(match))
        except (Refused, Unavailable, discord.HTTPException) as trouble:
            log.info("match %d, version %d is posted, not answered: %s", match.id, match.version, trouble)
            return False
        has_left = match.to_act is not None and self._names.has_left(match.players[match.to_act], match.guild)
        if has_left or not await deferral.take_over():  # those who have left get a board of their own
            return False
        message = await self._send_answer(ctx, match, self._message(match, board, last=announcement.last), held)
        if message is not None:
            self._channels.remember_token(ctx.interaction, message)
            with suppress(Refused, Unavailable):  # then the herald finds it in the channel
                await held.deliver(announcement, message)
            self._settle(match, message)
            self._remove_buttons(match, announcement, message)
        return held.sent

    async def _send_answer(
        self, ctx: Context, match: Match, message: Callable[[], dict[str, Any]], held: Reservation
    ) -> MessageId | None:
        """The message that answers the interaction; `held` says whether there is one if this does not."""
        held.sent = True
        try:
            sent = await ctx.interaction.response.send_message(**fit_message(message()))
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:  # the answer to a first try was lost, or a twin process was faster
                return await self._find_original(ctx, match, held)
            held.sent = error.status == TOO_MANY or error.status >= SERVER_ERROR
            if isinstance(error, discord.Forbidden):
                return None
            raise
        return None if sent.message_id is None else MessageId(sent.message_id)

    async def _find_original(self, ctx: Context, match: Match, held: Reservation) -> MessageId | None:
        """What answers an ctx, if that is the board of this version."""
        try:
            first = await ctx.interaction.original_response()
        except discord.HTTPException:
            return None
        held.sent = _shows([row.to_dict() for row in first.components], match)
        return MessageId(first.id) if held.sent else None

    def can_answer(self, ctx: Context, match: Match) -> bool:
        """Whether what everybody in the channel of `match` sees can answer an ctx.interaction."""
        here = ctx.channel == match.channel
        return here and (not is_user_install(ctx.interaction) or can_answer_publicly(ctx.interaction))

    async def close(self) -> None:
        """Stops what is done in the background."""
        await self._remover.close()

    async def notify(self, match: Match, notice: Notice) -> None:
        """See play.workers.outbox_relay.MatchPublisher."""
        await self._notices.deliver(match, notice)

    async def _post_or_message(self, match: Match, announcement: OutboxEntry) -> MessageId:
        try:
            return await self._deliver(match, announcement)
        except Undeliverable:
            await self._message_players(match, match.players)
            if not self._channels.is_open(match.channel):  # unless somebody has come there meanwhile
                raise
            return await self._deliver(match, announcement)

    async def _find_answer(self, match: Match) -> MessageId | None:
        """The board of this version, if the answer to its player's click has brought it to the channel."""
        asked = match.events[-1].source
        try:
            found = await self._client.http.logs_from(match.channel, SEARCH_MESSAGES, after=asked)
        except (discord.Forbidden, discord.NotFound) as error:  # it may then be there twice, which is better than never
            log.warning("match %d: the channel cannot be looked through: %s", match.id, error)
            return None
        own = (each for each in found if int(each["author"]["id"]) == own_id(self._client))
        return next((MessageId(int(each["id"])) for each in own if _shows(each.get("components", ()), match)), None)

    def _settle(self, match: Match, message: MessageId | None) -> None:
        """Tells those who wait for the board where it stands; None if nowhere yet."""
        if message is not None:
            self._newest[match.id, match.version] = message
            if len(self._newest) > POSTED_CACHE_SIZE:
                self._newest.popitem(last=False)
        for waiting in self._awaited.pop((match.id, match.version), []):
            if not waiting.done():
                waiting.set_result(message)

    async def _deliver(self, match: Match, announcement: OutboxEntry) -> MessageId:
        words = await self._locales.for_match(match)
        board = await self._boards.render(match, words, pictured=_is_pictured(match, announcement.previous))
        try:
            if match.version == 0 and match.parent is not None:
                await self._open_thread(match, board)
            return await self._post(match, board, last=announcement.last)
        except discord.HTTPException as error:
            if match.parent is None or not is_final(error):
                raise
            moved = await self._leave_thread(match, error)
            return await self._post(moved, await self._boards.render(moved, words), last=announcement.last)

    async def wait_for_board(self, match: Match, within: float) -> MessageId | None:
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
                match.parent, match.channel, name=title[:MAX_TITLE], auto_archive_duration=ARCHIVE_MINUTES
            )
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise

    async def _post(self, match: Match, board: Board, *, last: bool) -> MessageId:
        note = await self._notify_absent(match, board) if last else ""
        message = self._message(match, board, last=last, note=note)
        try:
            return await self._channels.post(match.channel, message, f"{match.id}:{match.version}")
        except discord.HTTPException as error:
            if match.parent is None and is_final(error) and not await self._may_go_elsewhere(match, error):
                raise Undeliverable(str(error)) from error
            raise

    def _message(self, match: Match, board: Board, *, last: bool, note: str = "") -> Callable[[], dict[str, Any]]:
        """What makes a board's message, anew for every try, since sending uses pictures up."""
        seats = called_seats(match) if last else ()  # what an earlier version asks for was done since
        users = [discord.Object(match.players[seat]) for seat in seats if not _is_here(match, seat)]
        mentions = discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)

        def message() -> dict[str, Any]:
            content = board.content + note
            return {"content": content, **board.pictures, "allowed_mentions": mentions, "view": board.buttons}

        return message

    async def _may_go_elsewhere(self, match: Match, error: discord.HTTPException) -> bool:
        """Whether another process may have a way in that this one has not: it gets the time to find the match.

        Where the bot was brought along, only the process that hears the interactions of a channel can answer there.
        """
        if not self._shares_gateway or error.code != MISSING_ACCESS:
            return False
        async with self._store.read() as reader:
            return (
                await reader.clock.now() - (match.events[-1].at if match.events else match.started) < ELSEWHERE_MILLIS
            )

    async def _notify_absent(self, match: Match, board: Board) -> str:
        """What to add where whoever is to move has left the server: he can play on in his direct messages."""
        to_act = match.to_act
        if to_act is None or not self._names.has_left(match.players[to_act], match.guild):
            return ""
        reached = await self._message_players(match, [match.players[to_act]])
        name = f"**{escape(board.scene.names[to_act])}**"
        words = board.scene.words
        return "\n" + (words("turn.left", name=name) if reached else words("turn.unreachable", name=name))

    async def _message_players(self, match: Match, users: Sequence[UserId]) -> bool:
        """Posts the board to people themselves, whose buttons work there; whether anybody was reached."""
        reached = False
        for user in users:
            words = await self._locales.for_user(user, match.guild)
            board = await self._boards.render(match, words)
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

    async def _leave_thread(self, match: Match, error: discord.HTTPException) -> Match:
        """The match, from now on played in the channel itself, since its thread cannot be made or written to."""
        assert match.parent is not None, "without a thread there is nowhere else to go"
        log.warning("match %d leaves its thread: %s", match.id, error)
        try:
            async with self._store.write() as tx:
                await tx.matches.move_out_of_thread(match.id, match.parent)
        except ChannelTaken as taken:
            raise Undeliverable(f"{error}, and another match is open in the channel") from taken
        return replace(match, channel=match.parent, parent=None)

    def _remove_buttons(self, match: Match, announcement: OutboxEntry, message: MessageId) -> None:
        """Takes the buttons off the board before `message`."""
        if announcement.previous is not None and announcement.previous != message:
            self._remover.remove(match.channel, announcement.previous)


def _shows(components: Sequence[Any], match: Match) -> bool:
    """Whether a message with these components is the board of `match` at its version: its buttons name both."""
    custom_ids = (str(part.get("custom_id")) for row in components for part in row.get("components", ()))
    return any(custom_id.startswith(f"match:{match.id}:{match.version}:") for custom_id in custom_ids)


def _is_pictured(match: Match, previous: MessageId | None) -> bool:
    """A board is shown where it has changed, where none stands yet, and at the end."""
    unchanged = match.events and not match.events[-1].changes_position
    return previous is None or match.outcome is not None or not unchanged


def _is_here(match: Match, seat: Seat) -> bool:
    """Whether a player has done something just now in a live match: then he needs no ping to look."""
    last = next((event.at for event in reversed(match.events) if event.seat == seat), None)
    live = match.clock.control.speed is Speed.LIVE
    return live and last is not None and match.events[-1].at - last < BURST_MILLIS
