"""`/settings`: the panels of a person and of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.interactions import panel
from bot.interactions.answers import acknowledge
from bot.setup import house, preferences

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    settings = app_commands.Group(name="settings", description=words("command.settings"))

    @settings.command(name="me", description=words("command.settings.me"))
    async def me(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await panel.show(interaction, await preferences.shown(interaction))

    @settings.command(name="server", description=words("command.settings.server"))
    async def server(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await panel.show(interaction, await house.shown(interaction))

    return (settings,)
