"""`/settings server`: what those who run a server set for the matches in it, as a panel that saves at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.challenges import terms_panel
from bot.features.challenges.default_terms import FIRST
from bot.features.challenges.terms_panel import Basis
from bot.features.challenges.terms_text import settings
from bot.features.settings import role_rewards
from bot.features.settings.personal import AS_DISCORD, ATTEMPTS
from bot.interactions import panels, permissions
from bot.interactions.selects import LONGEST_HINT, Choice, select
from bot.services.names import escaped
from play.ids import ChannelId, RoleId, UserId
from play.people.server import Server
from play.refusal import Reason, Refused
from play.store.store import Stale
from renderer.theme import THEMES
from rules.registry import NEEDS_CONSENT

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.challenge.terms import Terms

MOST = 25
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

    async def parts(self, interaction: Interaction) -> list[panels.Part]:
        data: Any = interaction.data  # ids, as they were sent: no cache could make roles or channels of them
        values = data["values"]
        return await changed(interaction, **_chosen(self.custom_id, values, interaction.client.languages.names))


class Step(
    panels.PanelItem,
    template=r"server:(?P<action>(?:threads|rated|dot_dash)[01]|usual|forget|shown)",
):
    """Switches something on (1) or off (0), opens the panel of the server's challenges, or forgets these; `shown` leads
    back to this one."""

    @classmethod
    def of(cls, action: str, label: str) -> Self:
        return cls(discord.ui.Button(label=label, custom_id=f"server:{action}"))

    async def parts(self, interaction: Interaction) -> list[panels.Part]:
        action = self.custom_id.removeprefix("server:")
        if action == "shown":
            return await shown(interaction)
        if action == "usual":
            terms = (await permissions.ruled(interaction)).terms or FIRST
            return await terms_panel.parts(interaction, Ours(), terms)
        change = {"terms": None} if action == "forget" else {action[:-1]: action[-1] == "1"}
        return await changed(interaction, **change)


class Ours(terms_panel.Usual):
    """What challenges in a server offer."""

    kind = "server"

    async def basis(self, interaction: Interaction) -> Basis:
        return Basis((await permissions.ruled(interaction)).terms, UserId(interaction.user.id))

    async def saved(self, interaction: Interaction, terms: Terms) -> list[panels.Part]:
        return await changed(interaction, terms=terms)


async def shown(interaction: Interaction) -> list[panels.Part]:
    """The panel. Raises Refused for who may not run the server."""
    client, server = interaction.client, await permissions.ruled(interaction)
    words = await client.audience.alone(interaction)
    lines = [f"### {words('server.title')}", words("server.usual")]
    if server.terms:
        challenger = escaped(await client.names.of(UserId(interaction.user.id), server.id))
        lines += (f"- {line}" for line in settings(server.terms, challenger, words).values())
    else:
        lines.append(f"- {words('server.nothing')}")
    lines += ["", _checked(interaction, server, words)]
    switches = [_switch("threads", server.threads, words), _switch("rated", server.rated, words)]
    if not NEEDS_CONSENT.isdisjoint(client.presets):
        switches.append(_switch("dot_dash", server.dot_dash, words))
    usual = [Step.of("usual", words("server.button.usual"))]
    if server.terms:
        usual.append(Step.of("forget", words("server.button.forget")))
    selects = ([Field(each)] for each in _selects(interaction, server, words))
    return ["\n".join(lines), *selects, [*switches, *usual], [role_rewards.Open.to(words)]]


async def changed(interaction: Interaction, **changes: Any) -> list[panels.Part]:
    """Saves some settings, and returns the panel. Raises Refused for who may not run the server."""
    guild = (await permissions.ruled(interaction)).id
    for _ in range(ATTEMPTS):
        try:
            async with interaction.client.store.write() as transaction:
                await transaction.save_server(replace(await transaction.server(guild), **changes))
        except Stale:
            continue
        return await shown(interaction)
    raise Refused(Reason.BUSY)


def _selects(interaction: Interaction, server: Server, words: Words) -> list[AnySelect]:
    languages = [
        Choice(AS_DISCORD, words("server.language.discord"), server.language is None),
        *(
            Choice(tag, words("server.language.is", language=name), tag == server.language)
            for tag, name in interaction.client.languages.names.items()
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
            placeholder=words("server.channels")[:LONGEST_HINT],
            min_values=0,
            max_values=MOST,
            default_values=[discord.Object(channel) for channel in sorted(server.channels)],
        ),
        discord.ui.RoleSelect(
            custom_id="server:roles",
            placeholder=words("server.roles")[:LONGEST_HINT],
            min_values=0,
            max_values=MOST,
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


def _checked(interaction: Interaction, server: Server, words: Words) -> str:
    """Whether everything works in the channel in which the panel stands, and what to do if it does not."""
    needed = permissions.missing(interaction, permissions.NEEDED)
    wished = permissions.missing(interaction, permissions.FOR_THREADS) if server.threads else []
    if needed:
        return words("check.needed", permissions=permissions.listed(needed + wished, words))
    return words("check.threads", permissions=permissions.listed(wished, words)) if wished else words("check.fine")


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Step)
