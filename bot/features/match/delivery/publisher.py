"""Brings boards to their channels, once each, and folds the board before.

A click that makes a turn is answered with the new board. That takes one request, which does not count against the rate
limit of the bot. Every other board is posted.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import discord
from cachetools import LRUCache

from bot.features.match.delivery.board_poster import BoardPoster
from bot.features.match.delivery.notices import Notices
from bot.features.match.delivery.old_boards import OldBoards
from bot.features.match.delivery.threads import ThreadNames
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.deferral import Deferral
from bot.interactions.errors import SERVER_ERROR, TOO_MANY
from bot.request import can_answer_publicly, is_user_install, own_id
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, describe, is_final
from bot.services.messages import fit_message
from play.ids import ChannelId, MessageId
from play.match.events import Notice
from play.match.match import Match, MatchPlace
from play.match.outbox_entry import OutboxEntry
from play.refusal import Refused
from storage import Database
from storage.errors import Unavailable
from use_cases.worker import RetryLater
from use_cases.workers.outbox_relay import Reservation

log = logging.getLogger(__name__)

SEARCH_MESSAGES = 100
"""Messages after a click among which the publisher looks for its answer; Discord returns no more at once."""


class Publisher:
    """Implements the ports of the outbox relay (use_cases.workers.outbox_relay) and of handlers (BoardPublisher)."""

    def __init__(
        self,
        client: discord.Client,
        store: Database,
        channels: ChannelMessenger,
        poster: BoardPoster,
        notices: Notices,
        threads: ThreadNames,
        old: OldBoards,
    ) -> None:
        self._client = client
        self._store = store
        self._channels = channels
        self._poster = poster
        self._notices = notices
        self._threads = threads
        self._old = old
        self._posted = PostedBoards()

    async def announce(self, match: Match, entry: OutboxEntry) -> MessageId:
        """Posts the board of `match` at its version, unless the answer to a click has brought it already.

        Raises Undeliverable; after any other error the relay tries again.
        """
        message: MessageId | None = None
        try:
            if entry.answer_until is not None:
                message = await self._find_answer(match, entry.before or match)
            if message is None:
                message = await self._poster.post(match, entry)
        except discord.HTTPException as error:
            raise RetryLater(describe(error)) from error
        finally:
            self._settle(match, entry, message)
        self._old.replace(match, entry, message)
        self._threads.note_posted(match, first=not entry.first)
        return message

    async def find_answer(self, match: Match) -> MessageId | None:
        """Returns the board of `match` at its version, if the answer to its player's click has brought it."""
        return await self._find_answer(match, match)

    async def notify(self, match: Match, notice: Notice) -> None:
        """Tells one player of `match` in private, or where they want it. Raises as `announce` does."""
        try:
            await self._notices.deliver(match, notice)
        except discord.HTTPException as error:
            raise RetryLater(describe(error)) from error

    async def wait_for_board(self, match: Match, within: float) -> MessageId | None:
        """Returns the message of this version; None if posting fails, or takes longer than `within` seconds."""
        return await self._posted.wait(match, within)

    def can_answer(self, ctx: Context, match: Match) -> bool:
        """Returns whether the answer to the interaction can be a message for everybody in the match's channel."""
        here = ctx.channel == match.channel
        return here and (not is_user_install(ctx.interaction) or can_answer_publicly(ctx.interaction))

    async def answer_with_board(self, ctx: Context, deferral: Deferral, match: Match, held: Reservation) -> bool:
        """Answers the click that made this version of `match` with its board, which also tells a quick reply to it.

        Returns False if the relay has to post it: an earlier version is still to be posted, the answer took too long,
        or Discord refused it. Raises discord.HTTPException if the click can no longer be answered.
        """
        held.version = match.version
        try:
            reply = await self._wait_for_reply(deferral, match, held)
            async with self._store.read() as reader:
                entry = await reader.outbox.next_entry(match.id, away=match.is_turned)
            if entry is None or entry.version != match.version:
                return False
            if reply is not None:
                match, entry = reply, entry.with_reply(match, last=held.newest == reply.version)
            board, message = await self._poster.compose(match, entry)
        except (Refused, Unavailable, discord.HTTPException) as error:
            log.info("match %d, version %d is posted, not answered: %s", match.id, match.version, error)
            return False
        if self._poster.awaits_absent(match) or not await deferral.take_over():
            return False
        sent = await self._send_answer(ctx, match, message, held)
        if sent is not None:
            self._channels.remember_token(ctx.interaction, sent)
            with suppress(Refused, Unavailable):  # then the relay finds it in the channel
                await held.deliver(entry, sent)
            self._settle(match, entry, sent)
            self._old.note_posted(board.view, sent)
            self._old.replace(match, entry, sent)
            self._threads.note_posted(match, first=not entry.first)
        return held.sent

    async def close(self) -> None:
        """Stops the work in the background."""
        await self._old.close()
        await self._threads.close()

    async def _wait_for_reply(self, deferral: Deferral, match: Match, held: Reservation) -> Match | None:
        """Returns the reply to the move of a click: a conditional move, or the computer's, if that is made soon. The
        answer takes longer by that."""
        if planned := held.planned_reply(match):
            return planned
        async with self._store.read() as reader:
            wait = held.time_for_reply(match, await reader.clock.now())
        if not wait:
            return None
        deferral.extend(wait / 1000)
        return await held.wait_for_reply(match, wait)

    async def _send_answer(
        self, ctx: Context, match: Match, message: Callable[[], dict[str, Any]], held: Reservation
    ) -> MessageId | None:
        """Answers the interaction; returns the message if it is known. `held` learns whether there may be one."""
        held.sent = True
        try:
            sent = await ctx.interaction.response.send_message(**fit_message(message()))
        except discord.HTTPException as error:
            # The answer to a first try was lost, or a twin process was faster.
            if error.code == ErrorCode.ALREADY_ACKNOWLEDGED:
                return await self._find_original(ctx, match, held)
            held.sent = error.status == TOO_MANY or error.status >= SERVER_ERROR
            if is_final(error) and error.code != ErrorCode.UNKNOWN_INTERACTION:
                log.info("match %d, version %d is posted, not answered: %s", match.id, match.version, describe(error))
                return None
            raise
        return None if sent.message_id is None else MessageId(sent.message_id)

    async def _find_original(self, ctx: Context, match: Match, held: Reservation) -> MessageId | None:
        """Returns the message that answered the interaction before, if it is the board of this version."""
        try:
            original = await ctx.interaction.original_response()
        except discord.HTTPException:
            return None
        held.sent = _shows_version([row.to_dict() for row in original.components], match)
        return MessageId(original.id) if held.sent else None

    async def _find_answer(self, match: Match, clicked: Match) -> MessageId | None:
        """Returns the board of `match`, if the answer to the click that made `clicked` has brought it."""
        click = clicked.events[-1].key
        try:
            found = await self._client.http.logs_from(match.channel, SEARCH_MESSAGES, after=click)
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            # a second board is better than none
            log.warning("match %d: the channel cannot be searched: %s", match.id, error)
            return None
        own = (each for each in found if int(each["author"]["id"]) == own_id(self._client))
        boards = (each for each in own if _shows_version(each.get("components", ()), match))
        return next((MessageId(int(each["id"])) for each in boards), None)

    def _settle(self, match: Match, entry: OutboxEntry, message: MessageId | None) -> None:
        """Says which message is the board of its versions; None if posting it has failed for now."""
        for version in filter(None, (entry.before, match)):
            self._posted.settle(version, message)


def _shows_version(components: Sequence[Any], match: Match) -> bool:
    """Returns whether the components are those of `match` at its version: their buttons name both."""
    custom_ids = (str(part.get("custom_id")) for row in components for part in row.get("components", ()))
    named = filter(None, map(ids.OF_MATCH.read, custom_ids))
    return any((each["match"], each["version"]) == (match.id, match.version) for each in named)


CACHE_SIZE = 1000
"""Versions of matches."""


_Posted = tuple[MatchPlace, ChannelId, int]


def _posted(match: Match) -> _Posted:
    """Returns what tells the board of this version from all others, also from that in a channel that the match left."""
    return match.place, match.channel, match.version


class PostedBoards:
    """The messages of the newest boards, also of those that are about to be posted."""

    def __init__(self) -> None:
        self._messages: LRUCache[_Posted, asyncio.Future[MessageId | None]] = LRUCache(CACHE_SIZE)

    def settle(self, match: Match, message: MessageId | None) -> None:
        """Says which message is the board of this version; None if posting it has failed for now."""
        future = self._future(match)
        if not future.done():
            future.set_result(message)
            if message is None:
                del self._messages[_posted(match)]

    async def wait(self, match: Match, within: float) -> MessageId | None:
        """Returns the message of this version; None if posting fails, or takes longer than `within` seconds."""
        try:
            async with asyncio.timeout(within):
                return await asyncio.shield(self._future(match))
        except TimeoutError:
            return None

    def _future(self, match: Match) -> asyncio.Future[MessageId | None]:
        key = _posted(match)
        if key not in self._messages:
            self._messages[key] = asyncio.get_running_loop().create_future()
        return self._messages[key]
