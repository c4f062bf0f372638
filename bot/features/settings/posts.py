"""The panels in which managers choose channels: of the daily, of the home post, and of what has lost its own."""

from dataclasses import replace
from functools import partial

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import ChannelField, RoleField, SelectField, chosen_id
from bot.interactions.keepers import NEEDED
from bot.interactions.layout import Choice, Control, Part, button, select
from bot.interactions.permissions import permission_names
from bot.services.guild_directory import Named
from play.community.daily import MIN_COMPARED_SOLVERS, DailyPlace
from play.community.home import Home, next_post
from play.ids import ChannelId, GuildId, RoleId
from play.posts import PostKey, PostProblem, PostTrouble
from play.refusal import Reason, Refused
from presentation.markup import Stamp
from presentation.words.words import Words

HOUR = SelectField(
    "hour",
    lambda _words: "",
    tuple(map(str, range(24))),
    lambda hour, words: words("daily.panel.hour", time=f"{hour}:00"),
    lambda place: (str(place.hour),),
    lambda hour: {"hour": int(hour)},
)

MENU_SIZE, MAX_MENUS = 25, 4
"""Channels in one menu, which is Discord's limit, and menus."""


class DailyChannel(ChannelField, id=ids.DAILY_CHANNEL):
    """The select of the channel; no channel means that the daily is not posted by itself."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        chosen = chosen_id(ctx)
        channel = None if chosen is None else ChannelId(chosen)
        if channel is not None:
            await permissions.require_visible(ctx, channel)
        zone = (await ctx.settings()).zone
        key = zone.key if zone else None
        await ctx.use_cases.dailies.change_place(
            guild, lambda place: replace(place, zone=key).moved(channel, ctx.at), ctx.user
        )
        return await daily_panel(ctx)


class DailyHour(PanelItem, id=ids.DAILY_HOUR):
    """The select of the hour."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        changes = HOUR.read(self.item.values)
        await ctx.use_cases.dailies.change_place(
            guild, lambda place: replace(place, **changes).moved(place.channel, ctx.at), ctx.user
        )
        return await daily_panel(ctx)


class DailySetting(PanelItem, id=ids.DAILY_PLACE):
    """Opens the panel, tries to post again, or turns a setting on (1) or off (0)."""

    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        if self.way == "post":
            await ctx.use_cases.dailies.change_place(guild, lambda place: place.moved(place.channel, ctx.at), ctx.user)
        elif self.way != "open":
            on = self.way[-1] == "1"
            change = partial(replace, choices=on) if self.way[:-1] == "choices" else partial(replace, compared=on)
            await ctx.use_cases.dailies.change_place(guild, change, ctx.user)
        return await daily_panel(ctx)


async def daily_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words, place = await ctx.words(), await ctx.use_cases.dailies.place(guild)
    lines = [
        f"### {words('daily.panel.title')}",
        words("daily.panel.about"),
        "",
        await _daily_state(ctx, place, words),
        words("daily.panel.choices.on" if place.choices else "daily.panel.choices.off"),
        words("daily.panel.compared.on" if place.compared else "daily.panel.compared.off", number=MIN_COMPARED_SOLVERS),
    ]
    controls: list[Control] = [_switch("choices", place.choices, words), _switch("compared", place.compared, words)]
    if place.trouble is not None and place.channel is not None:
        controls.insert(0, DailySetting.make(words("home.button.post"), way="post"))
    back = button(ids.SERVER(way="shown"), words("button.back"))
    channel = DailyChannel.showing([place.channel], words("daily.panel.channel"))
    hour = [] if place.channel is None else [[DailyHour(HOUR.select(ids.DAILY_HOUR(), place, words))]]
    return ["\n".join(lines), [channel], *hour, [*controls, back]]


async def _daily_state(ctx: Context, place: DailyPlace, words: Words) -> str:
    """Returns where the daily is posted next, or why it is not."""
    channel = f"<#{place.channel}>"
    if place.channel is None or place.due is None:
        return words("daily.panel.none")
    when = words.until(place.due, ctx.at)
    if place.trouble is not None:
        trouble = words(f"home.trouble.{place.trouble}", channel=channel, when=when)
        return await permissions.describe_lack(ctx, trouble) if place.trouble is PostProblem.PERMISSION else trouble
    return words("daily.panel.is", channel=channel, when=words.moment(place.due))


def _switch(name: str, on: bool, words: Words) -> Control:
    return DailySetting.make(words(f"daily.button.{name}.{'off' if on else 'on'}"), way=f"{name}{int(not on)}")


class HomeRole(RoleField, id=ids.HOME_ROLE):
    """The select of the role that the home pings."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        await ctx.use_cases.homes.set_role(guild, ctx.user, RoleId(chosen) if chosen and chosen != guild else None)
        return await home_panel(ctx)


class HomeChannel(ChannelField, id=ids.HOME_CHANNEL):
    """The select of the channel; no channel means no home."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        if chosen is None:
            await ctx.use_cases.homes.stop(guild, ctx.user)
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
            await ctx.use_cases.homes.stop(guild, ctx.user)
        return await home_panel(ctx)


async def home_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words, home = await ctx.words(), await ctx.use_cases.homes.of(guild)
    lines = [f"### {words('home.panel.title')}", words("home.panel.about"), "", await _home_state(ctx, home, words)]
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


async def _home_state(ctx: Context, home: Home | None, words: Words) -> str:
    """Returns where the home is and when it is posted anew, or why it is not posted."""
    if home is None:
        return words("home.panel.none")
    channel = f"<#{home.channel}>"
    if home.trouble is not None:
        trouble = words(f"home.trouble.{home.trouble}", channel=channel, when=words.until(home.due, ctx.at))
        return await permissions.describe_lack(ctx, trouble) if home.trouble is PostProblem.PERMISSION else trouble
    next_at = next_post(home.posted or ctx.at, home.zone)
    return words("home.panel.is", channel=channel, when=words.moment(next_at, Stamp.TIME))


async def _may_mention(ctx: Context, guild: GuildId, role: RoleId) -> bool:
    """Returns whether a mention of the role by the bot notifies its members; a deleted role has none."""
    if ctx.interaction.app_permissions.mention_everyone:
        return True
    roles = await ctx.interaction.client.http.get_roles(guild)
    return any(int(each["id"]) == role and each["mentionable"] for each in roles)


class SeatsChannel(ChannelField, id=ids.SEATS_CHANNEL):
    """The select of the channel of open seats; no channel means that they are not shown."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        if chosen is None:
            await ctx.use_cases.seats_posts.stop(guild, ctx.user)
        else:
            await permissions.require_visible(ctx, ChannelId(chosen))
            await ctx.use_cases.seats_posts.settle(guild, ChannelId(chosen), ctx.user)
        return await seats_panel(ctx)


class SeatsButton(PanelItem, id=ids.SEATS):
    """Opens the panel, or tries to post again."""

    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        post = await ctx.use_cases.seats_posts.of(guild)
        if self.way == "post" and post is not None:
            await ctx.use_cases.seats_posts.settle(guild, post.channel, ctx.user)
        return await seats_panel(ctx)


async def seats_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server, words = await permissions.require_manage_server(ctx), await ctx.words()
    post = await ctx.use_cases.seats_posts.of(server.id)
    lines = [f"### {words('seat.panel.title')}", words("seat.panel.about"), ""]
    trouble = None if post is None else await ctx.use_cases.seats_posts.trouble(post)
    if post is None:
        lines.append(words("seat.panel.none"))
    elif trouble is None:
        lines.append(words("seat.panel.is", channel=f"<#{post.channel}>"))
    else:
        lines.append(await _trouble_line(ctx, trouble, f"<#{post.channel}>", words))
    if not server.strangers:
        lines.append(words("seat.panel.closed"))
    back = button(ids.SERVER(way="shown"), words("button.back"))
    choice = SeatsChannel.showing([post.channel] if post else [], words("seat.panel.channel"))
    again = [SeatsButton.make(words("home.button.post"), way="post")] if trouble else []
    return ["\n".join(lines), [choice], [*again, back]]


async def _trouble_line(ctx: Context, trouble: PostTrouble, channel: str, words: Words) -> str:
    """Returns why the open seats are not posted."""
    needed = permission_names(list(NEEDED), words)
    line = words(f"kept.trouble.{trouble.problem}", channel=channel, permissions=needed)
    return await permissions.describe_lack(ctx, line) if trouble.problem is PostProblem.PERMISSION else line


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


BUTTONS: tuple[type[Component], ...] = (
    DailyChannel,
    DailyHour,
    DailySetting,
    HomeRole,
    HomeChannel,
    HomeButton,
    SeatsChannel,
    SeatsButton,
    ChooseChannel,
    TakeChannel,
)
