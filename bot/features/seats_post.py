"""The post of open seats: how it is posted and edited in the channel of a server."""

import logging
from collections.abc import Sequence

import discord

from bot.features.strangers import seat_section
from bot.interactions import custom_ids as ids
from bot.interactions.layout import Part, button, layout
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, delivery_problem
from bot.services.locales import Locales
from bot.services.names import Names
from play.community.seats_post import MAX_SHOWN, SeatsPost
from play.ids import MessageId
from presentation.words.words import Words
from use_cases.open_seats import OpenSeat

log = logging.getLogger(__name__)


class SeatsPublisher:
    """Implements use_cases.workers.seats_refresher.SeatsDisplay."""

    def __init__(self, channels: ChannelMessenger, locales: Locales, names: Names) -> None:
        self._channels = channels
        self._locales = locales
        self._names = names

    async def keep(self, post: SeatsPost, seats: Sequence[OpenSeat]) -> MessageId:
        """See use_cases.workers.seats_refresher.SeatsDisplay."""
        view = layout(await self._parts(seats, await self._locales.for_guild(post.guild)))
        try:
            if post.message is not None and await self._edit(post, post.message, view):
                return post.message
            once = f"o{post.guild:x}:{post.version:x}"
            return await self._channels.post(post.channel, lambda: {"view": view}, once, guild=post.guild)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def _edit(self, post: SeatsPost, message: MessageId, view: discord.ui.LayoutView) -> bool:
        """Returns whether the message is still there."""
        try:
            await self._channels.edit(post.channel, message, view=view)
        except discord.HTTPException as error:
            if error.code != ErrorCode.UNKNOWN_MESSAGE:
                raise
            log.info("the open seats of server %d are posted anew: their message was deleted", post.guild)
            return False
        return True

    async def _parts(self, seats: Sequence[OpenSeat], words: Words) -> list[Part]:
        parts: list[Part] = [words("seat.post.title"), words("seat.post.about" if seats else "seat.post.none")]
        parts += [await seat_section(each, self._names, words) for each in seats[:MAX_SHOWN]]
        if len(seats) > MAX_SHOWN:
            parts.append(words("seat.post.more", count=len(seats) - MAX_SHOWN))
        return [*parts, [button(ids.PLAY_PANEL(flexible=1), words("seek.door"))]]
