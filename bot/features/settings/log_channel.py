"""The panel in which managers of a server choose the channel of its log."""

from __future__ import annotations

from typing import Any, Self

import discord

from bot.features.settings.server_changes import save_server
from bot.interactions import panels, permissions
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.selects import MAX_HINT
from play.ids import ChannelId
from play.people.settings import ServerSettings
from presentation.words.words import Words


class OpenLogChannel(panels.PanelItem, template=r"log:open"):
    """Opens the panel from that of the server."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls(discord.ui.Button(label=words("log.button.open"), custom_id="log:open"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await log_panel(ctx)


class LogChannelField(panels.PanelItem, template=r"log:channel"):
    """The select of the channel; no channel means no log."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.channel_select

    async def parts(self, ctx: Context) -> list[Part]:
        server = await permissions.require_manage_server(ctx)
        data: Any = ctx.interaction.data
        values: list[str] = data["values"]
        await save_server(ctx, server.id, log_channel=ChannelId(int(values[0])) if values else None)
        return await log_panel(ctx)


async def log_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server = await permissions.require_manage_server(ctx)
    words = await ctx.words()
    choice = discord.ui.ChannelSelect[Any](
        custom_id="log:channel",
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=words("log.channel")[:MAX_HINT],
        min_values=0,
        max_values=1,
        default_values=[discord.Object(server.log_channel)] if server.log_channel else [],
    )
    back = discord.ui.Button[Any](label=words("button.back"), custom_id="server:shown")
    lines = [f"### {words('log.title')}", words("log.about"), _describe_state(server, words)]
    return ["\n".join(lines), [LogChannelField(choice)], [back]]


def trouble_line(server: ServerSettings, words: Words) -> str:
    """Returns what is wrong with the log, and what to do; empty if nothing is."""
    if server.log_channel is None or not server.log_lost:
        return ""
    return words("log.trouble", channel=f"<#{server.log_channel}>")


def _describe_state(server: ServerSettings, words: Words) -> str:
    if server.log_channel is None:
        return words("log.none")
    return trouble_line(server, words) or words("log.posted", channel=f"<#{server.log_channel}>")


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (OpenLogChannel, LogChannelField)
