"""The panel in which managers of a server choose the channel of its home post, and a role that it pings."""

from __future__ import annotations

from typing import Any

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.selects import MAX_HINT
from play.community.home import Home, next_post
from play.ids import ChannelId, GuildId, RoleId
from play.posts import PostProblem
from presentation.markup import Stamp
from presentation.words.words import Words


class HomeRole(PanelItem, id=ids.HOME_ROLE):
    """The select of the role that the home pings."""

    kind = discord.ComponentType.role_select

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, _chosen(ctx)
        await ctx.use_cases.homes.set_role(guild, RoleId(chosen) if chosen and chosen != guild else None)
        return await home_panel(ctx)


class HomeChannel(PanelItem, id=ids.HOME_CHANNEL):
    """The select of the channel; no channel means no home."""

    kind = discord.ComponentType.channel_select

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, _chosen(ctx)
        if chosen is None:
            await ctx.use_cases.homes.stop(guild)
        else:
            await permissions.require_visible(ctx, ChannelId(chosen))
            zone = (await ctx.settings()).zone
            await ctx.use_cases.homes.settle(guild, ChannelId(chosen), zone.key if zone else None, ctx.user)
        return await home_panel(ctx)


def _chosen(ctx: Context) -> int | None:
    data: Any = ctx.interaction.data  # ids as they were sent: no cache could make roles or channels of them
    return int(data["values"][0]) if data["values"] else None


class HomeButton(PanelItem, id=ids.HOME):
    """Opens the panel, has the home posted anew, or ends it."""

    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        if self.way == "post":
            await ctx.use_cases.homes.post_now(guild, ctx.at)
        elif self.way == "stop":
            await ctx.use_cases.homes.stop(guild)
        return await home_panel(ctx)


async def home_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words, home = await ctx.words(), await ctx.use_cases.homes.of(guild)
    lines = [f"### {words('home.panel.title')}", words("home.panel.about"), "", await _state(ctx, home, words)]
    if home is not None and home.role is not None and not await _may_mention(ctx, guild, home.role):
        lines.append(words("home.panel.unmentionable", role=f"<@&{home.role}>"))
    controls: list[Control] = []
    if home is not None:
        controls = [HomeButton.make(words(f"home.button.{way}"), way=way) for way in ("post", "stop")]
    back = button(ids.SERVER(way="shown"), words("button.back"))
    return ["\n".join(lines), *([each] for each in _selects(home, words)), [*controls, back]]


async def _state(ctx: Context, home: Home | None, words: Words) -> str:
    """Returns where the home is and when it is posted anew, or why it is not posted."""
    if home is None:
        return words("home.panel.none")
    channel = f"<#{home.channel}>"
    if home.trouble is not None:
        trouble = words(f"home.trouble.{home.trouble}", channel=channel, when=words.until(home.due))
        return await permissions.describe_lack(ctx, trouble) if home.trouble is PostProblem.PERMISSION else trouble
    next_at = next_post(home.posted or ctx.at, home.zone)
    return words("home.panel.is", channel=channel, when=words.moment(next_at, Stamp.TIME))


def _selects(home: Home | None, words: Words) -> list[PanelItem]:
    channel = discord.ui.ChannelSelect[Any](
        custom_id=ids.HOME_CHANNEL(),
        channel_types=[*permissions.WITH_THREADS],
        placeholder=words("home.panel.channel")[:MAX_HINT],
        min_values=0,
        max_values=1,
        default_values=[discord.Object(home.channel)] if home else [],
    )
    if home is None:
        return [HomeChannel(channel)]
    role = discord.ui.RoleSelect[Any](
        custom_id=ids.HOME_ROLE(),
        placeholder=words("home.panel.role")[:MAX_HINT],
        min_values=0,
        max_values=1,
        default_values=[] if home.role is None else [discord.Object(home.role)],
    )
    return [HomeChannel(channel), HomeRole(role)]


async def _may_mention(ctx: Context, guild: GuildId, role: RoleId) -> bool:
    """Returns whether a mention of the role by the bot notifies its members; a deleted role has none."""
    if ctx.interaction.app_permissions.mention_everyone:
        return True
    roles = await ctx.interaction.client.http.get_roles(guild)
    return any(int(each["id"]) == role and each["mentionable"] for each in roles)


ITEMS: tuple[type[PanelItem], ...] = (HomeRole, HomeChannel, HomeButton)
