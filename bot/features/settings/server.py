"""`/settings server`: the settings that managers of a server make for the games in it, saved at once and logged."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.features.settings.personal import personal_panel
from bot.features.terms import terms_panel
from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Group, declare
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import (
    ChannelField,
    RoleField,
    SelectField,
    chosen_id,
    chosen_ids,
    language_field,
    read_field,
    theme_field,
)
from bot.interactions.layout import Control, Part, button
from bot.markup import escape
from chat.locales import Source
from play.challenge.terms import Terms
from play.community.news import DEFAULT, KEY, LogEntry, channel_value, setting_changed, switch_value
from play.ids import ChannelId, GuildId, RoleId
from play.people.settings import ServerSettings
from presentation.offered_rules import FIRST_TERMS
from presentation.terms import describe_terms
from presentation.words.words import Words
from rules.registry import NEEDS_CONSENT
from use_cases.events import log_entry
from use_cases.match_writer import retry_on_conflict

MAX_CHOICES = 25
"""Channels or roles in a select; Discord's limit."""

CHALLENGED = (
    *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
    *(discord.ChannelType.stage_voice, discord.ChannelType.forum),
)
"""The kinds of channels in which, or in whose threads and posts, a challenge can be posted."""


async def save_server(ctx: Context, guild: GuildId, **changes: Any) -> None:
    """Saves changes of a server's settings, and logs each. Raises Refused (`busy`).

    A change of the log's channel is told in both channels: readers of the old one may miss the log.
    """
    words = await ctx.services.locales.for_guild(guild)

    async def save() -> None:
        async with ctx.services.store.write() as tx:
            before = await tx.servers.get(guild)
            after = replace(before, **changes)
            if "log_channel" in changes:
                after = replace(after, log_lost=False)
            await tx.servers.save(after)
            if before.events != after.events:
                await tx.happenings.reconsider(guild, await tx.clock.now())
            channels = dict.fromkeys(filter(None, (before.log_channel, after.log_channel)))
            for entry in _entries(ctx, before, after, changes, words):
                for channel in channels:
                    await log_entry(tx, guild, entry, ctx.at, channel=channel)

    await retry_on_conflict(save)
    ctx.use_cases.events.news_added()


def _entries(
    ctx: Context, before: ServerSettings, after: ServerSettings, changes: dict[str, Any], words: Words
) -> list[LogEntry]:
    """Returns an entry for each setting that has another value now."""
    changed = [name for name in changes if getattr(before, name) != getattr(after, name)]
    return [
        setting_changed(
            ctx.user,
            name,
            _describe(name, getattr(before, name), ctx, words),
            _describe(name, getattr(after, name), ctx, words),
        )
        for name in changed
    ]


def _describe(name: str, value: Any, ctx: Context, words: Words) -> str:
    """Returns the value of a setting for the log."""
    if name == "log_channel":
        return channel_value(value)
    match value:
        case bool():
            return switch_value(on=value)
        case None:
            return DEFAULT
        case Terms():
            return "; ".join(describe_terms(value, "", words).values())
        case frozenset():
            mark = "@&" if name == "roles" else "#"
            return " ".join(f"<{mark}{each}>" for each in sorted(value)) or DEFAULT
    if name == "theme":
        return f"{KEY}{value}"
    return ctx.services.languages.names.get(value, str(value))


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


class ServerField(PanelItem, id=ids.SERVER_FIELD):
    """The select of a setting."""

    kind = discord.ComponentType.string_select
    field: str

    async def parts(self, ctx: Context) -> list[Part]:
        fields = _fields(ctx.services.languages.names)
        return await change_server(ctx, **read_field(fields, self.field, self.item.values))


class ServerChannels(ChannelField, id=ids.SERVER_CHANNELS):
    """The select of the channels for challenges."""

    kinds = CHALLENGED
    most = MAX_CHOICES

    async def parts(self, ctx: Context) -> list[Part]:
        return await change_server(ctx, channels=frozenset(map(ChannelId, chosen_ids(ctx))))


class ServerRoles(RoleField, id=ids.SERVER_ROLES):
    """The select of the roles that may play."""

    most = MAX_CHOICES

    async def parts(self, ctx: Context) -> list[Part]:
        return await change_server(ctx, roles=frozenset(map(RoleId, chosen_ids(ctx))))


class ServerButton(PanelItem, id=ids.SERVER):
    """Turns a setting on (1) or off (0), or opens the panel of the server's default terms, or deletes these.

    `shown` leads back to this panel.
    """

    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        if self.way == "shown":
            return await server_panel(ctx)
        if self.way == "usual":
            terms = (await permissions.require_manage_server(ctx)).terms or FIRST_TERMS
            return await terms_panel.terms_panel(ctx, ServerDefaults(), terms)
        change = {"terms": None} if self.way == "forget" else {self.way[:-1]: self.way[-1] == "1"}
        return await change_server(ctx, **change)


class ServerDefaults(DefaultTermsTarget):
    """The terms that challenges in a server offer."""

    kind = "server"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await permissions.require_manage_server(ctx)).terms, ctx.user)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        return await change_server(ctx, terms=terms)


async def server_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    server = await permissions.require_manage_server(ctx)
    words = await ctx.words()
    lines = [f"### {words('server.title')}", words("server.usual")]
    if server.terms:
        challenger = escape(await ctx.services.names.of(ctx.user, server.id))
        lines += (f"- {line}" for line in describe_terms(server.terms, challenger, words).values())
    else:
        lines.append(f"- {words('server.nothing')}")
    lines += ["", await _permission_check(ctx, server, words), await _language_line(ctx, server, words)]
    existing = await ctx.services.directory.existing_choices(server)
    lines += _deleted_lines(server, existing, words)
    if trouble := await trouble_line(ctx, server, words):
        lines.append(trouble)
    if ctx.services.web_links is not None:
        lines.append(words("server.pages.on" if server.pages else "server.pages.off"))
    lines.append(words("server.events.on" if server.events else "server.events.off"))
    if server.events and (lacking := permissions.missing_permissions(ctx, ("create_events",))):
        named = words("server.events.lacking", permissions=permissions.permission_names(lacking, words))
        lines.append(await permissions.describe_lack(ctx, named))
    switches = [_switch("threads", server.threads, words), _switch("rated", server.rated, words)]
    if not NEEDS_CONSENT.isdisjoint(ctx.services.presets):
        switches.append(_switch("dot_dash", server.dot_dash, words))
    usual = [ServerButton.make(words("server.button.usual"), way="usual")]
    if server.terms:
        usual.append(ServerButton.make(words("server.button.forget"), way="forget"))
    selects = ([each] for each in _selects(ctx, existing, words))
    sets = button(ids.RULE_SETS(whose="server"), words("sets.button"))
    rewards = button(ids.OPEN_REWARDS(), words("rewards.button.open"))
    log = OpenLogChannel.make(words("log.button.open"))
    more: list[Control] = [sets, rewards, log]
    seats = button(ids.SEATS(way="open"), words("seat.button.open"))
    arenas = button(ids.ARENA_PLACE(), words("arena.panel.title"))
    world: list[Control] = [_switch("strangers", server.strangers, words), seats, arenas]
    posts: list[Control] = [
        button(ids.BEGINNINGS(way="cards"), words("begin.button.open"), discord.ButtonStyle.primary),
        button(ids.HOME(way="open"), words("home.button.open")),
        button(ids.DAILY_PLACE(way="open"), words("daily.button.open")),
        _switch("events", server.events, words),
        _switch("news", server.news, words),
    ]
    if ctx.services.web_links is not None:
        more.append(_switch("pages", server.pages, words))
    return ["\n".join(lines), *selects, [*switches, *usual], more, posts, world]


def _deleted_lines(server: ServerSettings, existing: ServerSettings, words: Words) -> list[str]:
    """Returns which choices were deleted, and what counts instead."""
    lines = []
    if server.roles != existing.roles:
        lines.append(words("server.deleted.roles") if existing.roles else words("server.undone.roles"))
    if server.channels != existing.channels:
        lines.append(words("server.deleted.channels") if existing.channels else words("server.undone.channels"))
    return lines


async def change_server(ctx: Context, **changes: Any) -> list[Part]:
    """Saves changes of the server's settings, and returns the panel.

    Raises Refused (`busy`), and for players who may not manage the server.
    """
    guild = (await permissions.require_manage_server(ctx)).id
    await save_server(ctx, guild, **changes)
    return await server_panel(ctx)


def _fields(languages: Mapping[str, str]) -> tuple[SelectField, ...]:
    return language_field("server", languages), theme_field("server")


def _selects(ctx: Context, server: ServerSettings, words: Words) -> list[PanelItem]:
    return [
        ServerChannels.showing(sorted(server.channels), words("server.channels")),
        ServerRoles.showing(sorted(server.roles), words("server.roles")),
        *(
            ServerField(each.select(ids.SERVER_FIELD(field=each.name), server, words))
            for each in _fields(ctx.services.languages.names)
        ),
    ]


def _switch(setting: str, on: bool, words: Words) -> ServerButton:
    """Returns the button that shows whether a setting is on, and changes it."""
    state = "on" if on else "off"
    return ServerButton.make(words(f"switch.{setting}.{state}"), way=f"{setting}{int(not on)}")


async def _language_line(ctx: Context, server: ServerSettings, words: Words) -> str:
    """Returns in which language boards and cards are, and why."""
    locale, source = await ctx.services.locales.of_guild(server.id)
    languages = ctx.services.languages
    tag = languages.of(locale).tag
    is_unspoken = source is Source.COMMUNITY and locale is not None and not locale.startswith(tag)
    key = "unspoken" if is_unspoken else source.value
    return words(f"server.language.{key}", language=languages.names[tag])


async def _permission_check(ctx: Context, server: ServerSettings, words: Words) -> str:
    """Returns whether the bot can do everything in the channel of the panel and, if not, which permissions it lacks."""
    needed = permissions.missing_permissions(ctx, permissions.BOARD_PERMISSIONS)
    wished = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS) if server.threads else []
    if needed:
        named = permissions.permission_names(needed + wished, words)
        return await permissions.describe_lack(ctx, words("check.needed", permissions=named))
    if wished:
        return words("check.threads", permissions=permissions.permission_names(wished, words))
    return words("check.fine")


async def me(ctx: Context) -> None:
    await ctx.show(await personal_panel(ctx))


async def server(ctx: Context) -> None:
    await ctx.show(await server_panel(ctx))


COMMANDS = (Group("settings", (*declare(me), *declare(server, for_managers=True))),)

BUTTONS: tuple[type[Component], ...] = (
    OpenLogChannel,
    LogChannelField,
    ServerField,
    ServerChannels,
    ServerRoles,
    ServerButton,
)
