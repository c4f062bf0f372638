"""`/settings server`: the settings that managers of a server make for the games in it, saved at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import discord

from bot.features.home.panel import HomeButton
from bot.features.settings import log_channel, role_rewards
from bot.features.settings.choices import language_select, read_choice, theme_select
from bot.features.settings.server_changes import save_server
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import FIRST_TERMS, DefaultTermsTarget
from bot.interactions import panels, permissions
from bot.interactions.context import Context, TermsBasis
from bot.interactions.layout import Control, Part
from bot.interactions.selects import MAX_HINT
from bot.services.locales import Source
from play.challenge.terms import Terms
from play.ids import ChannelId, RoleId
from play.people.settings import ServerSettings
from presentation.terms.terms_text import describe_terms
from presentation.text import escape
from presentation.words.words import Words
from rules.registry import NEEDS_CONSENT

MAX_CHOICES = 25
"""Channels or roles in a select; Discord's limit."""

CHALLENGED = (
    *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
    *(discord.ChannelType.stage_voice, discord.ChannelType.forum),
)
"""The kinds of channels in which, or in whose threads and posts, a challenge can be posted."""

AnySelect = discord.ui.Select[Any] | discord.ui.ChannelSelect[Any] | discord.ui.RoleSelect[Any]

_KINDS = {
    "server:channels": discord.ComponentType.channel_select,
    "server:roles": discord.ComponentType.role_select,
}


class ServerField(panels.PanelItem, template=r"server:(?P<field>channels|roles|language|theme)"):
    """The select of a setting."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return _KINDS.get(custom_id, discord.ComponentType.string_select)

    async def parts(self, ctx: Context) -> list[Part]:
        data: Any = ctx.interaction.data  # ids as they were sent: no cache could make roles or channels of them
        field = self.custom_id.removeprefix("server:")
        return await change_server(ctx, **_read_choice(field, data["values"], ctx.services.languages.names))


class ServerButton(
    panels.PanelItem,
    template=r"server:(?P<action>(?:threads|rated|dot_dash|pages)[01]|usual|forget|shown)",
):
    """Turns a setting on (1) or off (0), or opens the panel of the server's default terms, or deletes these.

    `shown` leads back to this panel.
    """

    @classmethod
    def of(cls, action: str, label: str) -> Self:
        return cls(discord.ui.Button(label=label, custom_id=f"server:{action}"))

    async def parts(self, ctx: Context) -> list[Part]:
        action = self.custom_id.removeprefix("server:")
        if action == "shown":
            return await server_panel(ctx)
        if action == "usual":
            terms = (await permissions.require_manage_server(ctx)).terms or FIRST_TERMS
            return await terms_panel.terms_panel(ctx, ServerDefaults(), terms)
        change = {"terms": None} if action == "forget" else {action[:-1]: action[-1] == "1"}
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
    lines += ["", _permission_check(ctx, server, words), await _language_line(ctx, server, words)]
    existing = await permissions.existing_choices(ctx, server)
    lines += _deleted_lines(server, existing, words)
    if trouble := log_channel.trouble_line(server, words):
        lines.append(trouble)
    if ctx.services.web_links is not None:
        lines.append(words("server.pages.on" if server.pages else "server.pages.off"))
    switches = [_switch("threads", server.threads, words), _switch("rated", server.rated, words)]
    if not NEEDS_CONSENT.isdisjoint(ctx.services.presets):
        switches.append(_switch("dot_dash", server.dot_dash, words))
    usual = [ServerButton.of("usual", words("server.button.usual"))]
    if server.terms:
        usual.append(ServerButton.of("forget", words("server.button.forget")))
    selects = ([ServerField(each)] for each in _selects(ctx, existing, words))
    sets = discord.ui.Button[Any](label=words("sets.button"), custom_id="sets:server:list")
    home = HomeButton.of("open", words("home.button.open"))
    more: list[Control] = [sets, role_rewards.OpenRoleRewards.to(words), log_channel.OpenLogChannel.to(words), home]
    if ctx.services.web_links is not None:
        more.append(_switch("pages", server.pages, words))
    return ["\n".join(lines), *selects, [*switches, *usual], more]


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


def _selects(ctx: Context, server: ServerSettings, words: Words) -> list[AnySelect]:
    return [
        discord.ui.ChannelSelect(
            custom_id="server:channels",
            channel_types=[*CHALLENGED],
            placeholder=words("server.channels")[:MAX_HINT],
            min_values=0,
            max_values=MAX_CHOICES,
            default_values=[discord.Object(channel) for channel in sorted(server.channels)],
        ),
        discord.ui.RoleSelect(
            custom_id="server:roles",
            placeholder=words("server.roles")[:MAX_HINT],
            min_values=0,
            max_values=MAX_CHOICES,
            default_values=[discord.Object(role) for role in sorted(server.roles)],
        ),
        language_select("server", server.language, ctx.services.languages.names, words),
        theme_select("server", server.theme, words),
    ]


def _read_choice(field: str, values: list[str], languages: Iterable[str]) -> dict[str, Any]:
    """Returns the change that a choice makes. Raises Refused (`old_button`) if it is no longer offered."""
    if field not in ("channels", "roles"):
        return dict(read_choice(field, values, languages))
    make_id = ChannelId if field == "channels" else RoleId
    return {field: frozenset(make_id(int(value)) for value in values)}


def _switch(setting: str, on: bool, words: Words) -> ServerButton:
    """Returns the button that shows whether a setting is on, and changes it."""
    state = "on" if on else "off"
    return ServerButton.of(f"{setting}{int(not on)}", words(f"switch.{setting}.{state}"))


async def _language_line(ctx: Context, server: ServerSettings, words: Words) -> str:
    """Returns in which language boards and cards are, and why."""
    locale, source = await ctx.services.locales.of_guild(server.id)
    languages = ctx.services.languages
    tag = languages.of(locale).tag
    is_unspoken = source is Source.COMMUNITY and locale is not None and not locale.startswith(tag)
    key = "unspoken" if is_unspoken else source.value
    return words(f"server.language.{key}", language=languages.names[tag])


def _permission_check(ctx: Context, server: ServerSettings, words: Words) -> str:
    """Returns whether the bot can do everything in the channel of the panel and, if not, which permissions it lacks."""
    needed = permissions.missing_permissions(ctx, permissions.BOARD_PERMISSIONS)
    wished = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS) if server.threads else []
    if needed:
        return words("check.needed", permissions=permissions.permission_names(needed + wished, words))
    if wished:
        return words("check.threads", permissions=permissions.permission_names(wished, words))
    return words("check.fine")


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (ServerField, ServerButton)
