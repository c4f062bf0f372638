"""`/settings server`: what those who run a server set for the matches in it, as a panel that saves at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.challenges import terms_panel
from bot.features.challenges.default_terms import FIRST
from bot.features.challenges.terms_text import settings
from bot.features.settings import role_rewards
from bot.features.settings.personal import AS_DISCORD, ATTEMPTS
from bot.interactions import panels, permissions
from bot.interactions.context import Context, TermsBasis
from bot.interactions.layout import Part
from bot.interactions.selects import MAX_HINT, Choice, select
from bot.services.names import escape
from play.ids import ChannelId, RoleId
from play.people.settings import Server
from play.refusal import Reason, Refused
from play.store import Stale
from renderer.theme import THEMES
from rules.registry import NEEDS_CONSENT

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.challenge.terms import Terms

MAX_CHOICES = 25
"""Channels or roles in a select; Discord's limit."""

AnySelect = discord.ui.Select[Any] | discord.ui.ChannelSelect[Any] | discord.ui.RoleSelect[Any]


_KINDS = {
    "server:channels": discord.ComponentType.channel_select,
    "server:roles": discord.ComponentType.role_select,
}


class Field(panels.PanelItem, template=r"server:(?P<field>channels|roles|language|theme)"):
    """A setting with what it may be."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return _KINDS.get(custom_id, discord.ComponentType.string_select)

    async def parts(self, ctx: Context) -> list[Part]:
        data: Any = ctx.interaction.data  # ids, as they were sent: no cache could make roles or channels of them
        values = data["values"]
        return await change_server(ctx, **_chosen(self.custom_id, values, ctx.services.languages.names))


class Step(
    panels.PanelItem,
    template=r"server:(?P<action>(?:threads|rated|dot_dash)[01]|usual|forget|shown)",
):
    """Switches something on (1) or off (0), opens the panel of the server's challenges, or forgets these; `shown` leads
    back to this one."""

    @classmethod
    def of(cls, action: str, label: str) -> Self:
        return cls(discord.ui.Button(label=label, custom_id=f"server:{action}"))

    async def parts(self, ctx: Context) -> list[Part]:
        action = self.custom_id.removeprefix("server:")
        if action == "shown":
            return await server_panel(ctx)
        if action == "usual":
            terms = (await permissions.require_manage_server(ctx)).terms or FIRST
            return await terms_panel.terms_panel(ctx, ServerDefaults(), terms)
        change = {"terms": None} if action == "forget" else {action[:-1]: action[-1] == "1"}
        return await change_server(ctx, **change)


class ServerDefaults(terms_panel.DefaultTermsTarget):
    """What challenges in a server offer."""

    kind = "server"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await permissions.require_manage_server(ctx)).terms, ctx.user)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        return await change_server(ctx, terms=terms)


async def server_panel(ctx: Context) -> list[Part]:
    """The panel. Raises Refused for who may not run the server."""
    server = await permissions.require_manage_server(ctx)
    words = await ctx.words()
    lines = [f"### {words('server.title')}", words("server.usual")]
    if server.terms:
        challenger = escape(await ctx.services.names.of(ctx.user, server.id))
        lines += (f"- {line}" for line in settings(server.terms, challenger, words).values())
    else:
        lines.append(f"- {words('server.nothing')}")
    lines += ["", _checked(ctx, server, words)]
    switches = [_switch("threads", server.threads, words), _switch("rated", server.rated, words)]
    if not NEEDS_CONSENT.isdisjoint(ctx.services.presets):
        switches.append(_switch("dot_dash", server.dot_dash, words))
    usual = [Step.of("usual", words("server.button.usual"))]
    if server.terms:
        usual.append(Step.of("forget", words("server.button.forget")))
    selects = ([Field(each)] for each in _selects(ctx, server, words))
    return ["\n".join(lines), *selects, [*switches, *usual], [role_rewards.Open.to(words)]]


async def change_server(ctx: Context, **changes: Any) -> list[Part]:
    """Saves some settings, and returns the panel. Raises Refused for who may not run the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    for _ in range(ATTEMPTS):
        try:
            async with ctx.services.store.write() as tx:
                await tx.servers.save(replace(await tx.servers.get(guild), **changes))
        except Stale:
            continue
        return await server_panel(ctx)
    raise Refused(Reason.BUSY)


def _selects(ctx: Context, server: Server, words: Words) -> list[AnySelect]:
    languages = [
        Choice(AS_DISCORD, words("server.language.discord"), server.language is None),
        *(
            Choice(tag, words("server.language.is", language=name), tag == server.language)
            for tag, name in ctx.services.languages.names.items()
        ),
    ]
    themes = [
        Choice(theme, words("server.theme.is", theme=words(f"theme.{theme}")), theme == server.theme)
        for theme in THEMES
    ]
    return [
        discord.ui.ChannelSelect(
            custom_id="server:channels",
            channel_types=[discord.ChannelType.text],
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
        select("server:language", words("server.language"), languages),
        select("server:theme", words("server.theme"), themes),
    ]


def _chosen(custom_id: str, values: list[str], languages: Iterable[str]) -> dict[str, Any]:
    """What a select says about a server. Raises Refused (`old_button`) for a choice that there is no more."""
    field = custom_id.removeprefix("server:")
    known = {"theme": set(THEMES), "language": {AS_DISCORD, *languages}}
    fits = all(map(str.isdecimal, values)) if field not in known else len(values) == 1 and values[0] in known[field]
    if not fits:
        raise Refused(Reason.OLD_BUTTON)
    if field == "channels":
        return {"channels": frozenset(ChannelId(int(value)) for value in values)}
    if field == "roles":
        return {"roles": frozenset(RoleId(int(value)) for value in values)}
    return {field: None if values[0] == AS_DISCORD else values[0]}


def _switch(setting: str, on: bool, words: Words) -> Step:
    """A button that says what holds, and turns it round."""
    state = "on" if on else "off"
    return Step.of(f"{setting}{int(not on)}", words(f"switch.{setting}.{state}"))


def _checked(ctx: Context, server: Server, words: Words) -> str:
    """Whether everything works in the channel in which the panel stands, and what to do if it does not."""
    needed = permissions.missing_permissions(ctx, permissions.BOARD_PERMISSIONS)
    wished = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS) if server.threads else []
    if needed:
        return words("check.needed", permissions=permissions.permission_names(needed + wished, words))
    return (
        words("check.threads", permissions=permissions.permission_names(wished, words))
        if wished
        else words("check.fine")
    )


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Step)
