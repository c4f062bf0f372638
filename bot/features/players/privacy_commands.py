"""`/privacy`: what is stored of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.features.players import privacy
from bot.interactions.responses import acknowledge

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    group = app_commands.Group(name="privacy", description=words("command.privacy"))

    @group.command(name="export", description=words("command.privacy.export"))
    async def export(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await privacy.exported(interaction)

    @group.command(name="delete", description=words("command.privacy.delete"))
    async def delete(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await privacy.asked(interaction)

    return (group,)
