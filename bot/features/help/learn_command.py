"""`/learn`: Dots in three small tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.help.lesson import taught
from bot.interactions.responses import acknowledge

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="learn", description=words("command.learn"))
    async def learn(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await taught(interaction, 0)

    return (learn,)
