"""The panel in which players choose whom they do not want to play; what is in it, they alone see."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import MAX_HINT, Choice, Part, Select, button, select
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words
from use_cases.barriers import MAX_BLOCKS

MENU_SIZE = 25
"""Players in one menu; Discord's limit."""


class OpenBlocked(PanelItem, id=ids.OPEN_BLOCKED):
    """Opens the panel from that of the player."""

    async def parts(self, ctx: Context) -> list[Part]:
        return await blocked_panel(ctx)


class BlockPlayer(PanelItem, id=ids.BLOCK):
    """The select of all users, in which a player is blocked."""

    kind = discord.ComponentType.user_select

    async def parts(self, ctx: Context) -> list[Part]:
        try:
            other = _chosen_user(ctx)
            await ctx.use_cases.blocks.block(ctx.user, other, ctx.at)
        except Refused as refused:
            words = await ctx.words()
            return await blocked_panel(ctx, await errors.explain(ctx.services, words, ctx.request, refused))
        return await blocked_panel(ctx)


class UnblockPlayer(PanelItem, id=ids.UNBLOCK):
    """The select of the blocked players, in which one is unblocked."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        chosen = "".join(self.item.values)
        if not chosen.isdecimal():
            raise Refused(Reason.OLD_BUTTON)
        await ctx.use_cases.blocks.unblock(ctx.user, UserId(int(chosen)))
        return await blocked_panel(ctx)


async def blocked_panel(ctx: Context, note: str = "") -> list[Part]:
    """Returns the panel, with a `note` on what was wrong."""
    words = await ctx.words()
    blocked = await ctx.use_cases.blocks.load(ctx.user)
    names = await ctx.services.names.of_all(blocked, ctx.guild)
    lines = [f"### {words('blocked.title')}", words("blocked.about"), words("blocked.count", count=len(blocked))]
    add = discord.ui.UserSelect[Any](custom_id=ids.BLOCK(), placeholder=words("blocked.add")[:MAX_HINT])
    back = button(ids.PERSONAL(way="shown"), words("blocked.back"))
    return [
        *([f"⚠️ {note}"] if note else []),
        "\n".join(lines),
        *([[BlockPlayer(add)]] if len(blocked) < MAX_BLOCKS else []),
        *([UnblockPlayer(each)] for each in _menus(blocked, names, words)),
        [back],
    ]


def _menus(blocked: Sequence[UserId], names: Sequence[str], words: Words) -> list[Select]:
    choices = [Choice(str(user), name, chosen=False) for user, name in zip(blocked, names, strict=True)]
    starts = range(0, len(choices), MENU_SIZE)
    return [
        select(ids.UNBLOCK(menu=menu), words("blocked.remove"), choices[start : start + MENU_SIZE])
        for menu, start in enumerate(starts)
    ]


def _chosen_user(ctx: Context) -> UserId:
    """Returns the user who was chosen. Raises Refused (`block_bot`)."""
    data: Any = ctx.interaction.data
    (user,) = data["values"]
    if data["resolved"]["users"][user].get("bot"):
        raise Refused(Reason.BLOCK_BOT)
    return UserId(int(user))


BUTTONS: tuple[type[PanelItem], ...] = (OpenBlocked, BlockPlayer, UnblockPlayer)
