"""`/help`: how to play, in a few lines and two pictures, and all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.help import manual
from bot.interactions import panels
from bot.interactions.responses import acknowledge

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="help", description=words("command.help"))
    async def help_(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await panels.show(interaction, await manual.opened(interaction, 0))

    return (help_,)
