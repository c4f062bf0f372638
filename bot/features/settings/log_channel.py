"""The panel in which managers of a server choose the channel of its log."""

from __future__ import annotations

from bot.features.settings.server_changes import save_server
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import ChannelField, chosen_id
from bot.interactions.layout import Part
from play.ids import ChannelId
from play.people.settings import ServerSettings
from presentation.words.words import Words


class OpenLogChannel(PanelItem, id=ids.OPEN_LOG):
    """Opens the panel from that of the server."""

    async def parts(self, ctx: Context) -> list[Part]:
        return await log_panel(ctx)


class LogChannelField(ChannelField, id=ids.LOG_CHANNEL):
    """The select of the channel; no channel means no log."""

    async def parts(self, ctx: Context) -> list[Part]:
        server = await permissions.require_manage_server(ctx)
        chosen = chosen_id(ctx)
        await save_server(ctx, server.id, log_channel=None if chosen is None else ChannelId(chosen))
        return await log_panel(ctx)


async def log_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server = await permissions.require_manage_server(ctx)
    words = await ctx.words()
    choice = LogChannelField.showing([server.log_channel], words("log.channel"))
    back = button(ids.SERVER(way="shown"), words("button.back"))
    lines = [f"### {words('log.title')}", words("log.about"), await _describe_state(ctx, server, words)]
    return ["\n".join(lines), [choice], [back]]


async def trouble_line(ctx: Context, server: ServerSettings, words: Words) -> str:
    """Returns what is wrong with the log, and what to do; empty if nothing is."""
    if server.log_channel is None or not server.log_lost:
        return ""
    return await permissions.describe_lack(ctx, words("log.trouble", channel=f"<#{server.log_channel}>"))


async def _describe_state(ctx: Context, server: ServerSettings, words: Words) -> str:
    if server.log_channel is None:
        return words("log.none")
    return await trouble_line(ctx, server, words) or words("log.posted", channel=f"<#{server.log_channel}>")


ITEMS: tuple[type[PanelItem], ...] = (OpenLogChannel, LogChannelField)
