"""Replies that delete themselves: hints, and previews of moves that nobody plays.

Discord has no private answers to messages, so what concerns one player is said in the channel, and not for long.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any

import discord

from bot.interactions.layout import Part, files, layout
from bot.services.text_limits import fit_message

log = logging.getLogger(__name__)

HINT_SECONDS = 20.0
"""Seconds until a hint deletes itself."""

PREVIEW_SECONDS = 600.0
"""Seconds until a preview whose turn nobody plays deletes itself."""

UNREAD = "❓"
"""The reaction to a message that looks like a move and is none. It stays when the hint is gone."""


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
        self._closing = asyncio.Event()

    async def close(self) -> None:
        """Deletes the hints that are left. Previews stay, since their buttons outlive this process."""
        self._closing.set()
        await asyncio.gather(*self._deletions)

    async def show_panel(self, message: discord.Message, parts: Sequence[Part]) -> None:
        """Shows the parts in a direct message, where nobody but the player of `message` reads."""
        reply = await reply_to(message, view=layout(parts), files=files(parts))
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def show_prompt(self, message: discord.Message, line: str, view: discord.ui.View) -> None:
        """Answers with a line whose buttons only the player of `message` may press: they show the rest in private."""
        reply = await reply_to(message, content=line, view=view)
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def give_hint(self, message: discord.Message, sentence: str, pictures: Sequence[discord.File] = ()) -> None:
        """Replies for as long as it takes to read the sentence."""
        try:
            reply = await reply_to(message, content=sentence, files=pictures)
        except discord.HTTPException:
            log.warning("message %d could not be answered", message.id, exc_info=True)
            return
        self._delete_after(self._hint_seconds, reply, at_close=True)

    async def mark_unread(self, message: discord.Message) -> None:
        """Marks a message that looks like a move, where the bot may add reactions."""
        try:
            await message.add_reaction(UNREAD)
        except discord.HTTPException as error:
            log.info("message %d gets no reaction: %s", message.id, error)

    def _delete_after(self, seconds: float, reply: discord.Message, *, at_close: bool) -> None:
        """Starts to delete a reply after so many seconds; when the bot closes, at once or not at all."""

        async def delete() -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._closing.wait()
            if self._closing.is_set() and not at_close:
                return
            try:
                await reply.delete()
            except discord.HTTPException as error:
                log.info("message %d stays: %s", reply.id, error)

        task = asyncio.create_task(delete())
        self._deletions.add(task)
        task.add_done_callback(self._deletions.discard)
