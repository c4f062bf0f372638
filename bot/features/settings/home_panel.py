"""The panel in which managers of a server choose the channel of its home post, and a role that it pings."""

from __future__ import annotations

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import ChannelField, RoleField, chosen_id
from bot.interactions.layout import Part
from play.community.home import Home, next_post
from play.ids import ChannelId, GuildId, RoleId
from play.posts import PostProblem
from presentation.markup import Stamp
from presentation.words.words import Words


class HomeRole(RoleField, id=ids.HOME_ROLE):
    """The select of the role that the home pings."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        await ctx.use_cases.homes.set_role(guild, RoleId(chosen) if chosen and chosen != guild else None)
        return await home_panel(ctx)


class HomeChannel(ChannelField, id=ids.HOME_CHANNEL):
    """The select of the channel; no channel means no home."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        if chosen is None:
            await ctx.use_cases.homes.stop(guild)
        else:
            await permissions.require_visible(ctx, ChannelId(chosen))
            zone = (await ctx.settings()).zone
            await ctx.use_cases.homes.settle(guild, ChannelId(chosen), zone.key if zone else None, ctx.user)
        return await home_panel(ctx)


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
    back = button(ids.SERVER(way="shown"), words("button.back"))
    if home is None:
        return ["\n".join(lines), [HomeChannel.showing((), words("home.panel.channel"))], [back]]
    return [
        "\n".join(lines),
        [HomeChannel.showing([home.channel], words("home.panel.channel"))],
        [HomeRole.showing([home.role], words("home.panel.role"))],
        [*(HomeButton.make(words(f"home.button.{way}"), way=way) for way in ("post", "stop")), back],
    ]


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


async def _may_mention(ctx: Context, guild: GuildId, role: RoleId) -> bool:
    """Returns whether a mention of the role by the bot notifies its members; a deleted role has none."""
    if ctx.interaction.app_permissions.mention_everyone:
        return True
    roles = await ctx.interaction.client.http.get_roles(guild)
    return any(int(each["id"]) == role and each["mentionable"] for each in roles)


ITEMS: tuple[type[PanelItem], ...] = (HomeRole, HomeChannel, HomeButton)
