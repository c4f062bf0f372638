"""The panel in which managers of a server choose where and when the daily is posted, and how it is answered there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import ChannelField, SelectField, chosen_id
from bot.interactions.layout import Control, Part
from play.community.daily import MIN_COMPARED_SOLVERS, DailyPlace
from play.ids import ChannelId
from play.posts import PostProblem
from presentation.words.words import Words

HOUR = SelectField(
    "hour",
    lambda _words: "",
    tuple(map(str, range(24))),
    lambda hour, words: words("daily.panel.hour", time=f"{hour}:00"),
    lambda place: (str(place.hour),),
    lambda hour: {"hour": int(hour)},
)


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
            guild, lambda place: replace(place, **changes).moved(place.channel, ctx.at)
        )
        return await daily_panel(ctx)


class DailySetting(PanelItem, id=ids.DAILY_PLACE):
    """Opens the panel, tries to post again, or turns a setting on (1) or off (0)."""

    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        guild = (await permissions.require_manage_server(ctx)).id
        if self.way == "post":
            await ctx.use_cases.dailies.change_place(guild, lambda place: place.moved(place.channel, ctx.at))
        elif self.way != "open":
            on = self.way[-1] == "1"
            change = partial(replace, choices=on) if self.way[:-1] == "choices" else partial(replace, compared=on)
            await ctx.use_cases.dailies.change_place(guild, change)
        return await daily_panel(ctx)


async def daily_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words, place = await ctx.words(), await ctx.use_cases.dailies.place(guild)
    lines = [
        f"### {words('daily.panel.title')}",
        words("daily.panel.about"),
        "",
        await _state(ctx, place, words),
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


async def _state(ctx: Context, place: DailyPlace, words: Words) -> str:
    """Returns where the daily is posted next, or why it is not."""
    channel = f"<#{place.channel}>"
    if place.channel is None or place.due is None:
        return words("daily.panel.none")
    when = words.until(place.due)
    if place.trouble is not None:
        trouble = words(f"home.trouble.{place.trouble}", channel=channel, when=when)
        return await permissions.describe_lack(ctx, trouble) if place.trouble is PostProblem.PERMISSION else trouble
    return words("daily.panel.is", channel=channel, when=words.moment(place.due))


def _switch(name: str, on: bool, words: Words) -> Control:
    return DailySetting.make(words(f"daily.button.{name}.{'off' if on else 'on'}"), way=f"{name}{int(not on)}")


ITEMS: tuple[type[PanelItem], ...] = (DailyChannel, DailyHour, DailySetting)
