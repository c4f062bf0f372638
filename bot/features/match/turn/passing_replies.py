"""Replies that delete themselves: hints, and previews of moves that nobody plays.

Discord has no private answers to messages, so what concerns one player is said in the channel, and not for long: a hint
goes when its player has moved, when they delete their message, or once it can have been read. With their move goes the
message that was none, where the bot may delete it.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Collection, Coroutine, Sequence
from typing import Any, NamedTuple

import discord
from cachetools import LRUCache

from bot.interactions.layout import Part, files, layout
from bot.services.discord_errors import is_about_rights
from bot.services.messages import fit_message
from play.ids import ChannelId, MessageId, UserId

log = logging.getLogger(__name__)

HINT_SECONDS = 20.0
"""Seconds until a hint deletes itself."""

PREVIEW_SECONDS = 600.0
"""Seconds until a preview whose turn nobody plays deletes itself."""

COUNTED = "🗳️"
"""The reaction to a message that is a vote: a sentence would be as long as the conversation of thousands."""

UNREAD = "❓"
"""The reaction to a message that looks like a move and is none. It stays when the hint is gone."""


CLOSED_CACHE_SIZE = 1000
"""Channels in which the bot may not delete what members write."""

WRONG_CACHE_SIZE, MAX_WRONG = 1000, 5
"""Players whose messages that were no moves are remembered until they move, and messages of each, the newest."""


class _Hint(NamedTuple):
    """A reply to a message, and the task that deletes it in time."""

    reply: discord.Message
    deletion: asyncio.Task[None]


async def reply_to(message: discord.Message, **reply: Any) -> discord.Message:
    """Replies without a ping. If the message was deleted meanwhile, by a member or by a bot of theirs, this is one
    of its own. Raises discord.HTTPException."""
    reference = message.to_reference(fail_if_not_exists=False)
    return await message.channel.send(**fit_message(reply), reference=reference, mention_author=False)


class PassingReplies:
    """Replies to messages, and deletes the replies in time."""

    def __init__(self, hint_seconds: float = HINT_SECONDS, preview_seconds: float = PREVIEW_SECONDS) -> None:
        self._hint_seconds = hint_seconds
        self._preview_seconds = preview_seconds
        self._deletions: set[asyncio.Task[None]] = set()
        self._hints: dict[MessageId, _Hint] = {}
        self._wrong: LRUCache[tuple[int, int], deque[discord.Message]] = LRUCache(WRONG_CACHE_SIZE)
        self._closed: LRUCache[int, None] = LRUCache(CLOSED_CACHE_SIZE)
        self._closing = asyncio.Event()

    async def close(self) -> None:
        """Deletes the hints that are left. Previews stay, since their buttons outlive this process."""
        self._closing.set()
        await asyncio.gather(*self._deletions, return_exceptions=True)

    async def show_panel(self, message: discord.Message, parts: Sequence[Part]) -> None:
        """Shows the parts in a direct message, where nobody but the player of `message` reads."""
        reply = await reply_to(message, view=layout(parts), files=files(parts))
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def show_prompt(self, message: discord.Message, line: str, view: discord.ui.View) -> None:
        """Answers with a line whose buttons only the player of `message` may press: they show the rest in private."""
        reply = await reply_to(message, content=line, view=view)
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def give_hint(self, message: discord.Message, sentence: str) -> None:
        """Replies for as long as it takes to read the sentence."""
        try:
            reply = await reply_to(message, content=sentence)
        except discord.HTTPException:
            log.warning("message %d could not be answered", message.id, exc_info=True)
            return
        number, deletion = MessageId(message.id), self._delete_after(self._hint_seconds, reply, at_close=True)
        self._hints[number] = _Hint(reply, deletion)
        deletion.add_done_callback(lambda _: self._hints.pop(number, None))

    async def refuse(self, message: discord.Message, sentence: str) -> None:
        """Gives a hint about a message that was meant as a move and is none."""
        by = message.channel.id, message.author.id
        self._wrong.setdefault(by, deque(maxlen=MAX_WRONG)).append(message)
        await self.give_hint(message, sentence)

    def drop_hints(self, messages: Collection[MessageId]) -> None:
        """Deletes the hints about messages that their players have deleted."""
        for number in messages:
            if hint := self._hints.pop(number, None):
                self._start(self._delete(hint.reply))
                hint.deletion.cancel()

    def note_moved(self, channel: ChannelId, user: UserId) -> None:
        """Deletes the messages of a player that were no moves, now that they have moved, and the hints about them."""
        wrong = self._wrong.pop((channel, user), ())
        self.drop_hints([MessageId(message.id) for message in wrong])
        for message in wrong:
            if channel not in self._closed and not isinstance(message.channel, discord.DMChannel):
                self._start(self._delete_wrong(message))

    async def mark_unread(self, message: discord.Message) -> None:
        """Marks a message that looks like a move, where the bot may add reactions."""
        await self._react(message, UNREAD)

    async def mark_vote(self, message: discord.Message) -> None:
        """Marks a message that was stored as a vote, where the bot may add reactions."""
        await self._react(message, COUNTED)

    async def _react(self, message: discord.Message, sign: str) -> None:
        try:
            await message.add_reaction(sign)
        except discord.HTTPException as error:
            log.info("message %d gets no reaction: %s", message.id, error)

    async def _delete_wrong(self, message: discord.Message) -> None:
        """Deletes a member's message where the bot may; Discord alone knows."""
        try:
            await message.delete()
        except discord.HTTPException as error:
            if is_about_rights(error):
                self._closed[message.channel.id] = None
            log.info("message %d stays: %s", message.id, error)

    async def _delete(self, reply: discord.Message) -> None:
        try:
            await reply.delete()
        except discord.HTTPException as error:
            log.info("message %d stays: %s", reply.id, error)

    def _delete_after(self, seconds: float, reply: discord.Message, *, at_close: bool) -> asyncio.Task[None]:
        """Starts to delete a reply after so many seconds; when the bot closes, at once or not at all."""

        async def delete() -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._closing.wait()
            if at_close or not self._closing.is_set():
                await self._delete(reply)

        return self._start(delete())

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._deletions.add(task)
        task.add_done_callback(self._deletions.discard)
        return task
