"""`/help`: how to play, in a few lines and two pictures, and where to learn more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot import panel, rulebook
from bot.answers import acknowledge
from bot.lesson import Step
from bot.usual import FIRST

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="help", description=words("command.help"))
    async def help_(interaction: Interaction) -> None:
        await acknowledge(interaction)
        own = await interaction.client.audience.alone(interaction)
        options = FIRST.game.options
        size, start = options["size"].replace("x", "×"), own(f"start.{options['start']}")
        text = own("help", size=size, start=start, clock=own.control(FIRST.control))
        first, second, *_ = rulebook.LESSONS
        more = (Step(0, own("help.lesson")), rulebook.Turn.to(second, "on", own))
        await panel.show(interaction, [text, await rulebook.pictures(interaction, first), more])

    return (help_,)
