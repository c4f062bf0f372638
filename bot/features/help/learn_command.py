"""`/learn`: Dots in three small tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.help.lesson import show_lesson
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="learn", description=words("command.learn"))
    @takes_context
    async def learn(ctx: Context) -> None:
        await ctx.defer_private()
        await show_lesson(ctx, 0)

    return (learn,)
