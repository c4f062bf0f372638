"""`/settings`: the panels of a person and of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.features.settings import personal
from bot.features.settings import server as house
from bot.interactions import panels
from bot.interactions.responses import acknowledge

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    settings = app_commands.Group(name="settings", description=words("command.settings"))

    @settings.command(name="me", description=words("command.settings.me"))
    async def me(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await panels.show(interaction, await personal.shown(interaction))

    @settings.command(name="server", description=words("command.settings.server"))
    async def server(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await panels.show(interaction, await house.shown(interaction))

    return (settings,)
