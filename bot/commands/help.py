"""`/help`: how to play, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.answers import privately
from bot.commands.challenge import CLOCK, FIRST
from play.clock import parse_control

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="help", description=words("command.help"))
    async def help_(interaction: Interaction) -> None:
        own = interaction.client.words(interaction)
        size, start = FIRST.options["size"].replace("x", "×"), own(f"start.{FIRST.options['start']}")
        await privately(interaction, own("help", size=size, start=start, clock=own.control(parse_control(CLOCK))))

    return (help_,)
