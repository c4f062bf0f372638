"""Posts boards in their threads and channels, and to the players themselves where those are closed."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from cachetools import LRUCache

from bot.features.match.board import BoardMessage, BoardRenderer
from bot.features.match.delivery.notices import news_line, nonce
from bot.features.match.delivery.old_boards import OldBoards
from bot.features.match.delivery.stuck_messages import StuckMessages
from bot.features.match.delivery.threads import ARCHIVE_MINUTES, OpenThreads, ThreadNames, plain_title
from bot.markup import escape
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, describe, is_final, send_plainest
from bot.services.gate import Intake
from bot.services.locales import Locales
from bot.services.messages import DirectMessages, mentions_of
from bot.services.names import Names
from bot.services.rate_limits import WINDOW_MILLIS, ThreadsLimited
from chat.pings import pinged_seats
from play.ids import ChannelId, MatchId, MessageId, Millis, UserId, is_person
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from presentation.markup import Stamp
from presentation.match.narration import awaited_seats, news_seats
from presentation.words.words import Words
from rules.game import Seat
from storage import Database
from storage.errors import ChannelTaken
from use_cases.worker import POLL_SECONDS, RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

NONCE_CHANNELS = 65_521
"""Channels that nonces tell apart: Discord posts each nonce once, also if its second message is for another channel."""

ELSEWHERE_MILLIS = 2 * POLL_SECONDS * 1000
"""Milliseconds within which every process has looked through the outbox."""

MAX_WAITING = 1000
"""Matches of which the bot remembers that it has told them to wait for a thread."""


class BoardPoster:
    """Posts the board of a version in its channel."""

    def __init__(
        self,
        client: discord.Client,
        store: Database,
        boards: BoardRenderer,
        locales: Locales,
        names: Names,
        channels: ChannelMessenger,
        direct: DirectMessages,
        threads: ThreadNames,
        opened: OpenThreads,
        old: OldBoards,
        intake: Intake,
        stuck: StuckMessages,
        card_outdated: Callable[[], None],
        *,
        shares_gateway: bool = False,
    ) -> None:
        """`card_outdated` is called when a card leads to a thread that its match has left. `shares_gateway` says that
        other processes hear some of the interactions."""
        self._client = client
        self._store = store
        self._boards = boards
        self._locales = locales
        self._names = names
        self._channels = channels
        self._direct = direct
        self._threads = threads
        self._opened = opened
        self._old = old
        self._intake = intake
        self._stuck = stuck
        self._card_outdated = card_outdated
        self._waiting: LRUCache[MatchId, None] = LRUCache(MAX_WAITING)
        self._shares_gateway = shares_gateway

    async def post(self, match: Match, entry: OutboxEntry) -> MessageId:
        """Posts the board in its channel; where that is closed, to the players.

        Raises Undeliverable where the channel is closed for good, Unsendable where Discord fails at this board alone,
        and discord.HTTPException where another try may help.
        """
        try:
            return await self._post_in_channel(match, entry)
        except Unsendable:
            await self._send_around(match, entry)
            raise
        except Undeliverable:
            try:
                await self._message_players(match, [match.players[seat] for seat in match.hosts], entry.before)
            except RetryLater as paused:  # the notice of the lost channel waits for that, and no board does
                log.warning("match %d, version %d reaches no player: %s", match.id, match.version, paused)
            if not self._channels.is_open(match.channel):  # a player may have opened it meanwhile
                raise
            return await self._post_in_channel(match, entry)

    async def _send_around(self, match: Match, entry: OutboxEntry) -> None:
        """Sends a board at which Discord fails to the players, unless a later one is about to be posted."""
        if entry.last:
            await self._message_players(match, [match.players[seat] for seat in match.hosts], entry.before)

    async def compose(self, match: Match, entry: OutboxEntry) -> tuple[BoardMessage, Callable[[], dict[str, Any]]]:
        """Returns the board of a version, and what makes its message anew for every try. Raises Refused and
        Unavailable."""
        board = await self._boards.render(match, await self._locales.for_match(match), before=entry.before)
        pinged = await pinged_seats(self._store, board.view, last=entry.last)
        return board, _board_message(match, board, pinged, news_line(match, pinged))

    def awaits_absent(self, match: Match) -> bool:
        """Returns whether a player who is to move, or has to hear of the end, has left the server, and so gets a board
        of their own."""
        return bool(self._absent(match, news_seats(match) if match.to_act is None else [match.to_act]))

    async def _post_in_channel(self, match: Match, entry: OutboxEntry) -> MessageId:
        words = await self._locales.for_match(match)
        shown = match if match.events else match.begin_clock(await self._now())  # the first turn begins with its board
        pictured = _needs_picture(match, entry.previous)
        async with self._intake.yielding_place():
            board = await self._boards.render(shown, words, pictured=pictured, before=entry.before)
        try:
            in_thread = entry.previous is None and await self._open_thread(match, is_first=not entry.first)
            message = await self._send(match, board, entry)
        except ThreadsLimited as limited:
            return await self._begin_without_thread(match, entry, words, limited)
        except discord.HTTPException as error:
            if not is_final(error) or (match.parent is None and await self._leaves_to_others(match, error)):
                raise
            reason = words("turn.locked" if error.code == ErrorCode.THREAD_LOCKED else "turn.no_thread")
            match = await self._leave_thread(match, describe(error))
            return await self._send_without_thread(match, entry, words, reason)
        if in_thread:
            await self._opened.add_players(match)
        return message

    async def _open_thread(self, match: Match, *, is_first: bool) -> bool:
        """Opens the thread of a match that has no board yet, or whose board is posted again. It has none before the
        first board.

        Returns whether players can be added to it.
        """
        if is_first and match.parent is not None and await self._start_thread(match, match.parent):
            return True
        return await self._opened.open(match)

    async def _start_thread(self, match: Match, parent: ChannelId) -> bool:
        """Starts the thread on the card of the challenge, whose id becomes the thread's; returns False if there is one
        already."""

        async def start(title: str) -> None:
            await self._channels.open_thread(parent, match.channel, name=title, minutes=ARCHIVE_MINUTES)

        try:
            await send_plainest(start, [await self._threads.title(match), plain_title(match)])
        except discord.HTTPException as error:
            if error.code != ErrorCode.THREAD_EXISTS:
                raise
            return False
        return True

    async def _begin_without_thread(
        self, match: Match, entry: OutboxEntry, words: Words, limited: ThreadsLimited
    ) -> MessageId:
        """Posts the first board in the channel of the card. Raises ThreadsLimited if another game is played there:
        then this one waits for its thread, and its players are told how long."""
        try:
            match = await self._leave_thread(match, str(limited))
        except Undeliverable as busy:
            await self._tell_waiting(match, words)
            raise limited from busy
        return await self._send_without_thread(match, entry, words, words("turn.no_thread"))

    async def _tell_waiting(self, match: Match, words: Words) -> None:
        """Says below the card when the thread opens at the latest; once."""
        if match.parent is None or match.id in self._waiting:
            return
        self._waiting[match.id] = None
        players = [match.players[seat] for seat in match.hosts if is_person(match.players[seat])]
        when = words.moment(Millis(await self._now() + WINDOW_MILLIS), Stamp.TIME)
        told = words("turn.waits", players=" ".join(f"<@{user}>" for user in players), when=when)
        message = {"content": told, "allowed_mentions": mentions_of(players)}
        try:
            await self._channels.post(match.parent, lambda: message, f"waits:{match.id:x}", guild=match.guild)
        except discord.HTTPException as error:
            log.info("nobody is told that match %d waits: %s", match.id, describe(error))

    async def _leave_thread(self, match: Match, reason: str) -> Match:
        """Returns the match as one of the channel itself, since its thread cannot be made or written to, or is closed
        to its players. Raises Undeliverable if it has no thread, or the channel has another match."""
        parent = await self._opened.find_parent(match)
        if parent is None:
            raise Undeliverable(reason)
        log.warning("match %d leaves its thread: %s", match.id, reason)
        try:
            async with self._store.write() as tx:
                await tx.matches.move_out_of_thread(match.id, parent, away=match.is_turned)
        except ChannelTaken as taken:
            raise Undeliverable(f"{reason}; another match is open in the channel") from taken
        self._card_outdated()
        return replace(match, channel=parent, parent=None)

    async def _send_without_thread(self, match: Match, entry: OutboxEntry, words: Words, reason: str) -> MessageId:
        """Sends the board of a match that has left its thread, and tells all players why. Raises Undeliverable."""
        board = await self._boards.render(match, words, before=entry.before)
        unasked = (match.players[seat] for seat in match.hosts if seat not in awaited_seats(match))
        others = "".join(f"<@{user}> " for user in unasked if is_person(user))
        note = f"\n-# {others}{reason}"
        try:
            return await self._send(match, board, entry, note, match.hosts)
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(describe(error)) from error
            raise

    async def _send(
        self,
        match: Match,
        board: BoardMessage,
        entry: OutboxEntry,
        note: str = "",
        pinged: Sequence[Seat] | None = None,
    ) -> MessageId:
        """Sends the board, with a `note` below its text. It pings the players that it asks to act, unless others are
        `pinged`."""
        seats = pinged
        if seats is None:
            seats = await pinged_seats(self._store, board.view, last=entry.last)
            note += news_line(match, seats)
        note += await self._message_absent(match, board, entry.before, seats) if entry.last else ""

        once = f"{match.id}:{match.version}:{match.channel % NONCE_CHANNELS:x}"
        left_out = self._stuck.step_of(once)
        forms = [*board.forms()][left_out:]
        if not forms:
            self._stuck.begin_anew(once)  # if it reaches nobody now
            raise Unsendable("Discord fails at each of its forms, and takes other messages")

        async def send(form: BoardMessage) -> MessageId:
            message = _board_message(match, form, seats, note)
            posted = await self._channels.post(match.channel, message, once, guild=match.guild)
            if form is board:
                self._old.note_posted(board.view, posted)
            return posted

        try:
            posted = await send_plainest(send, forms)
        except discord.HTTPException as error:
            self._stuck.note_failure(once, error)
            raise
        self._stuck.forget(once)
        return posted

    async def _leaves_to_others(self, match: Match, error: discord.HTTPException) -> bool:
        """Returns whether another process still has time to post the board.

        Where the bot is no member, only the process that hears the interactions of a channel can post in it.
        """
        if not self._shares_gateway or error.code != ErrorCode.MISSING_ACCESS:
            return False
        return await self._now() - (match.events[-1].at if match.events else match.started) < ELSEWHERE_MILLIS

    async def _now(self) -> Millis:
        async with self._store.read() as reader:
            return await reader.clock.now()

    def _absent(self, match: Match, seats: Sequence[Seat]) -> list[UserId]:
        """Returns the players of `seats` who have left the server of this place."""
        players = [match.players[seat] for seat in seats if seat in match.hosts]
        return [player for player in players if self._names.has_left(player, match.guild)]

    async def _message_absent(
        self, match: Match, board: BoardMessage, before: Match | None, pinged: Sequence[Seat]
    ) -> str:
        """Sends the board to the player to move if they have left the server, and returns a line that says so; at the
        end, to those of the `pinged` who have left."""
        to_act = match.to_act
        absent = self._absent(match, pinged if to_act is None else [to_act])
        try:
            reached = await self._message_players(match, absent, before)
        except RetryLater as paused:  # the board in the channel does not wait for that
            log.warning("match %d: %s", match.id, paused)
            return ""
        if to_act is None or not absent:
            return ""
        name, words = f"**{escape(board.view.names[to_act])}**", board.view.words
        return "\n" + (words("turn.left", name=name) if reached else words("turn.unreachable", name=name))

    async def _message_players(self, match: Match, users: Sequence[UserId], before: Match | None) -> bool:
        """Sends the board to players directly, where its buttons work, too. Returns whether any message arrived."""
        reached = False
        for user in filter(is_person, users):
            words = await self._locales.for_user(user, match.guild)
            board = await self._boards.render(match, words, reader=user, before=before)
            try:
                await send_plainest(partial(self._message_player, match, user), board.forms())
                reached = True
            except discord.HTTPException as error:
                if not is_final(error):
                    raise
                log.info("user %d cannot be reached about match %d: %s", user, match.id, describe(error))
        return reached

    async def _message_player(self, match: Match, user: UserId, board: BoardMessage) -> None:
        once = nonce(match, match.version, user, "d")
        await self._direct.send(user, content=board.content, nonce=once, view=board.buttons, **board.pictures)


def _board_message(
    match: Match, board: BoardMessage, pinged: Sequence[Seat], note: str = ""
) -> Callable[[], dict[str, Any]]:
    """Returns what makes the message of a board anew for every try, since sending uses pictures up."""
    mentions = mentions_of(match.players[seat] for seat in pinged)

    def message() -> dict[str, Any]:
        content = board.content + note
        return {"content": content, **board.pictures, "allowed_mentions": mentions, "view": board.buttons}

    return message


def _needs_picture(match: Match, previous: MessageId | None) -> bool:
    """Returns whether the position has changed, the channel has no board yet, or the match is over."""
    unchanged = match.events and not match.events[-1].changes_position
    return previous is None or match.outcome is not None or not unchanged
