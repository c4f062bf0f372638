"""Another channel for what has lost its own: the button below what its keeper reads of that, and the menu behind it."""

from __future__ import annotations

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.keepers import NEEDED
from bot.interactions.layout import Part
from bot.interactions.permissions import permission_names
from bot.interactions.selects import Choice, select
from bot.services.guild_directory import Named
from play.posts import PostKey
from play.refusal import Reason, Refused
from presentation.words.words import Words

MENU_SIZE, MAX_MENUS = 25, 4
"""Channels in one menu, which is Discord's limit, and menus."""


class ChooseChannel(PanelItem, id=ids.CHOOSE_CHANNEL):
    """Offers the channels in which something may go on."""

    post: PostKey

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> list[Part]:
        channels, words = await _channels_for(ctx, self.post), await ctx.words()
        if not channels:
            return [words("kept.nowhere", permissions=permission_names(list(NEEDED), words))]
        return [words("kept.ask"), *([menu] for menu in _menus(self.post, channels, words))]


class TakeChannel(PanelItem, id=ids.TAKE_CHANNEL):
    """Lets it go on in the chosen channel."""

    kind = discord.ComponentType.string_select
    post: PostKey

    async def parts(self, ctx: Context) -> list[Part]:
        chosen = "".join(self.item.values)
        channel = next((each.id for each in await _channels_for(ctx, self.post) if str(each.id) == chosen), None)
        if channel is None:
            raise Refused(Reason.OLD_BUTTON)
        await ctx.use_cases.places.move(self.post, channel, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("kept.moved", channel=words.channel(channel))]


ITEMS: tuple[type[Component], ...] = (ChooseChannel, TakeChannel)


async def _channels_for(ctx: Context, key: PostKey) -> list[Named]:
    """Returns the channels in which something may go on, for its keeper or one who manages the server. Raises
    Refused."""
    post = await ctx.use_cases.places.find(key)
    needed = discord.Permissions(**dict.fromkeys(NEEDED, True))
    try:
        found = await ctx.services.directory.channels_for(post.guild, ctx.user, needed)
    except discord.NotFound as stranger:
        raise Refused(Reason.NOT_YOUR_SERVER) from stranger
    if ctx.user != post.keeper and not found.manages:
        raise Refused(Reason.NOT_YOUR_SERVER)
    return found.channels


def _menus(key: PostKey, channels: list[Named], words: Words) -> list[TakeChannel]:
    choices = [Choice(str(each.id), f"#{each.name}", chosen=False) for each in channels[: MENU_SIZE * MAX_MENUS]]
    hint = words("kept.choose")
    return [
        TakeChannel(select(ids.TAKE_CHANNEL(post=key, menu=menu), hint, choices[start : start + MENU_SIZE]))
        for menu, start in enumerate(range(0, len(choices), MENU_SIZE))
    ]
